package dev.jitney.gateway.amqp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads AMQP values by hand, so that tests see what is on the wire and not what a codec makes of it. */
final class AmqpValues {

    /** A described value and the constructor bytes it came with. */
    record Described(long code, boolean oneByteDescriptor, int constructor, Object value) {
        @SuppressWarnings("unchecked")
        List<Object> fields() {
            return (List<Object>) value;
        }
    }

    record Symbol(String text) {}

    private AmqpValues() {}

    static Object read(ByteBuffer in) {
        int code = in.get() & 0xff;
        if (code == 0) {
            boolean oneByte = (in.get(in.position()) & 0xff) == 0x53;
            Object descriptor = read(in);
            int constructor = in.get(in.position()) & 0xff;
            long number = descriptor instanceof Number n ? n.longValue() : -1;
            return new Described(number, oneByte, constructor, read(in));
        }
        return value(code, in);
    }

    private static Object value(int code, ByteBuffer in) {
        return switch (code) {
            case 0x40 -> null;
            case 0x41 -> true;
            case 0x42 -> false;
            case 0x56 -> in.get() == 1;
            case 0x50, 0x52, 0x53 -> (long) (in.get() & 0xff);
            case 0x51, 0x54, 0x55 -> (long) in.get();
            case 0x43, 0x44 -> 0L;
            case 0x60 -> (long) (in.getShort() & 0xffff);
            case 0x61 -> (long) in.getShort();
            case 0x70 -> in.getInt() & 0xffffffffL;
            case 0x71 -> (long) in.getInt();
            case 0x80, 0x81, 0x83 -> in.getLong();
            case 0x98 -> new UUID(in.getLong(), in.getLong());
            case 0xa0 -> bytes(in, in.get() & 0xff);
            case 0xb0 -> bytes(in, in.getInt());
            case 0xa1 -> new String(bytes(in, in.get() & 0xff), StandardCharsets.UTF_8);
            case 0xb1 -> new String(bytes(in, in.getInt()), StandardCharsets.UTF_8);
            case 0xa3 -> new Symbol(new String(bytes(in, in.get() & 0xff), StandardCharsets.US_ASCII));
            case 0xb3 -> new Symbol(new String(bytes(in, in.getInt()), StandardCharsets.US_ASCII));
            case 0x45 -> new ArrayList<>();
            case 0xc0 -> {
                in.get();
                yield list(in, in.get() & 0xff);
            }
            case 0xd0 -> {
                in.getInt();
                yield list(in, in.getInt());
            }
            case 0xc1 -> {
                in.get();
                yield map(in, in.get() & 0xff);
            }
            case 0xd1 -> {
                in.getInt();
                yield map(in, in.getInt());
            }
            case 0xe0 -> {
                in.get();
                yield array(in, in.get() & 0xff);
            }
            case 0xf0 -> {
                in.getInt();
                yield array(in, in.getInt());
            }
            default -> throw new AssertionError("constructor 0x" + Integer.toHexString(code));
        };
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static List<Object> list(ByteBuffer in, int count) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(read(in));
        }
        return list;
    }

    private static List<Object> array(ByteBuffer in, int count) {
        int code = in.get() & 0xff;
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(value(code, in));
        }
        return list;
    }

    private static Map<Object, Object> map(ByteBuffer in, int count) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i += 2) {
            map.put(read(in), read(in));
        }
        return map;
    }
}
