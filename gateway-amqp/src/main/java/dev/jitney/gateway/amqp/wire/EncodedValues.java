package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.PropertyValues;
import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import java.util.LinkedHashMap;
import java.util.List;
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
     *
     * @throws MessageFormatException if a value is not valid for application properties (MSG-6, wire reference 4.5)
     */
    public static Map<String, EncodedValue> ofMap(@Nullable Map<?, ?> properties, String... without)
            throws MessageFormatException {
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        if (properties != null) {
            List<String> others = List.of(without);
            for (Map.Entry<?, ?> property : properties.entrySet()) {
                String name = String.valueOf(property.getKey());
                if (!others.contains(name)) {
                    encoded.put(name, ofProperty(name, property.getValue()));
                }
            }
        }
        return encoded;
    }

    private static EncodedValue ofProperty(String name, @Nullable Object value) throws MessageFormatException {
        EncodedValue encoded;
        try {
            encoded = of(value);
        } catch (RuntimeException unwritable) {
            // The engine decodes values that it cannot encode, such as arrays of described values.
            throw MessageFormatException.argument("Expected a simple value in application property '"
                    + ClientText.abbreviate(name) + "', but got one that cannot be encoded.");
        }
        PropertyValues.check(name, encoded);
        return encoded;
    }
}
