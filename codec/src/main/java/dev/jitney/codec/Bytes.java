package dev.jitney.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Access to big-endian numbers in byte arrays, with one machine instruction each. */
final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    static long getLong(byte[] from, int at) {
        return (long) LONG.get(from, at);
    }

    static void putLong(byte[] to, int at, long value) {
        LONG.set(to, at, value);
    }

    static int getInt(byte[] from, int at) {
        return (int) INT.get(from, at);
    }

    static void putInt(byte[] to, int at, int value) {
        INT.set(to, at, value);
    }
}
