package dev.jitney.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.messaging.Section;

/** Encoding and decoding of messages with protonj2's own codec, which is independent of the code under test. */
public final class Wire {
    private Wire() {}

    /** Returns the encoded sections, one after another, as a sender writes them. */
    public static ProtonBuffer encode(Section<?>... sections) {
        ProtonBuffer out = ProtonByteArrayBufferAllocator.allocator().allocate();
        Encoder encoder = CodecFactory.getEncoder();
        for (Section<?> section : sections) {
            encoder.writeObject(out, encoder.newEncoderState(), section);
        }
        return out;
    }

    public static byte[] encodeValue(Object value) {
        ProtonBuffer out = ProtonByteArrayBufferAllocator.allocator().allocate();
        Encoder encoder = CodecFactory.getEncoder();
        encoder.writeObject(out, encoder.newEncoderState(), value);
        return bytes(out);
    }

    /** Returns all sections of an encoded message. */
    public static List<Section<?>> decode(ProtonBuffer encoded) {
        ProtonBuffer in = encoded.copy();
        Decoder decoder = CodecFactory.getDecoder();
        List<Section<?>> sections = new ArrayList<>();
        while (in.isReadable()) {
            sections.add((Section<?>) decoder.readObject(in, decoder.newDecoderState()));
        }
        return sections;
    }

    /** Returns the section of that class, which must be present. */
    public static <T extends Section<?>> T section(ProtonBuffer encoded, Class<T> type) {
        return decode(encoded).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    public static byte[] bytes(ProtonBuffer buffer) {
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.copyInto(buffer.getReadOffset(), bytes, 0, bytes.length);
        return bytes;
    }

    public static ProtonBuffer buffer(byte[] bytes) {
        return ProtonByteArrayBufferAllocator.wrapped(bytes);
    }

    public static ProtonBuffer buffer(ByteBuffer bytes) {
        return ProtonByteArrayBufferAllocator.wrapped(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    /** Returns a reader of the buffer's bytes. */
    public static AmqpReader reader(ProtonBuffer buffer) {
        return reader(bytes(buffer));
    }

    public static AmqpReader reader(byte[] bytes) {
        return new AmqpReader(bytes, 0, bytes.length);
    }

    /** Returns bytes from hexadecimal digits, ignoring spaces. */
    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
