package dev.jitney.gateway.amqp.wire;

import dev.jitney.model.EncodedValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.jspecify.annotations.Nullable;

/** The encoder that turns decoded AMQP values back into encodings, for properties inside outcomes. */
public final class EncodedValues {

    private EncodedValues() {}

    /** Returns the encoding of one value. */
    public static EncodedValue of(@Nullable Object value) {
        if (value instanceof String text) {
            return EncodedValue.ofString(text);
        }
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer out = ProtonBufferAllocator.defaultAllocator().outputBuffer(32);
        encoder.writeObject(out, encoder.newEncoderState(), value);
        byte[] bytes = new byte[out.getReadableBytes()];
        out.readBytes(bytes, 0, bytes.length);
        return new EncodedValue(bytes);
    }

    /**
     * Encodes the values of a map whose keys are symbols or strings, except the given keys (wire reference 5.2, 5.4).
     */
    public static Map<String, EncodedValue> ofMap(@Nullable Map<?, ?> properties, String... without) {
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        if (properties != null) {
            properties.forEach((key, value) -> encoded.put(String.valueOf(key), of(value)));
            for (String name : without) {
                encoded.remove(name);
            }
        }
        return encoded;
    }
}
