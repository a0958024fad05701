package dev.jitney.benchmarks.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;

/** Messages as the Java SDK sends them: header, properties, a few application properties, one data section. */
final class SampleMessages {
    private SampleMessages() {}

    static ProtonBuffer message(int bodySize, int applicationProperties, boolean expires) {
        Header header = new Header();
        header.setDurable(true);
        Properties properties = new Properties();
        properties.setMessageId("4f1c2a0e9b7d4c5f8a6b3e2d1c0f9a8b");
        properties.setSubject("order-created");
        properties.setContentType("application/json");
        if (expires) {
            header.setTimeToLive(60_000);
            properties.setCreationTime(1_700_000_000_000L);
            properties.setAbsoluteExpiryTime(1_700_000_060_000L);
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < applicationProperties; i++) {
            values.put("property-" + i, i % 2 == 0 ? (Object) ("value-" + i) : (Object) (1_000L * i));
        }
        return applicationProperties == 0
                ? encode(header, properties, new Data(new byte[bodySize]))
                : encode(header, properties, new ApplicationProperties(values), new Data(new byte[bodySize]));
    }

    static ProtonBuffer batch(int messages, int bodySize) {
        Section<?>[] sections = new Section<?>[messages];
        ProtonBuffer inner = message(bodySize, 3, false);
        byte[] bytes = new byte[inner.getReadableBytes()];
        inner.copyInto(inner.getReadOffset(), bytes, 0, bytes.length);
        for (int i = 0; i < messages; i++) {
            sections[i] = new Data(bytes);
        }
        return encode(sections);
    }

    private static ProtonBuffer encode(Section<?>... sections) {
        ProtonBuffer out = ProtonBufferAllocator.defaultAllocator().allocate();
        Encoder encoder = CodecFactory.getEncoder();
        for (Section<?> section : sections) {
            encoder.writeObject(out, encoder.newEncoderState(), section);
        }
        return out;
    }
}
