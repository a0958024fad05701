package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteOutput;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The encoded entry in a byte string of Protobuf, without a copy where possible. An entry often has some hundred kilobytes, and
 * each copy of it costs as much as all rules that apply it.
 *
 * <p>The array of a byte string never changes, so the result must not be changed either. A byte string that is only a part of an
 * array, or that is not in an array at all, is copied.
 */
final class EntryBytes extends ByteOutput {
    private byte @Nullable [] whole;
    private @Nullable ByteBuffer copy;
    private final int size;

    private EntryBytes(int size) {
        this.size = size;
    }

    /** Returns the bytes of a byte string. */
    static byte[] of(ByteString bytes) {
        EntryBytes out = new EntryBytes(bytes.size());
        try {
            UnsafeByteOperations.unsafeWriteTo(bytes, out);
        } catch (IOException e) {
            throw new UncheckedIOException("Expected the bytes of an entry in memory.", e);
        }
        return out.result();
    }

    private byte[] result() {
        byte[] found = whole;
        if (found != null) {
            return found;
        }
        return copy().array();
    }

    private ByteBuffer copy() {
        ByteBuffer to = copy;
        if (to == null) {
            to = ByteBuffer.allocate(size);
            copy = to;
        }
        return to;
    }

    /** Receives bytes that do not change any more. */
    @Override
    public void writeLazy(byte[] value, int offset, int length) {
        if (offset == 0 && length == size && value.length == size) {
            whole = value;
        } else {
            write(value, offset, length);
        }
    }

    /** Receives bytes that do not change any more, but which may be in a buffer of the network that is used again. */
    @Override
    public void writeLazy(ByteBuffer value) {
        write(value);
    }

    @Override
    public void write(byte value) {
        copy().put(value);
    }

    @Override
    public void write(byte[] value, int offset, int length) {
        copy().put(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) {
        copy().put(value.duplicate());
    }
}
