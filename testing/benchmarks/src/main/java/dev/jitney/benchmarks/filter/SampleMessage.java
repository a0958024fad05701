package dev.jitney.benchmarks.filter;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;

/** A message of 1 KiB with six application properties, as a topic receives it. */
public final class SampleMessage {
    private static final int BODY_SIZE = 1_024;
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final BrokerValues BROKER =
            new BrokerValues(1, 1, NOW_MS, MessageView.NEVER, MessageView.NEVER, 0, 0, BODY_SIZE);

    private final IncomingMessage incoming;

    /**
     * @param tenant value of the property by which benchmarks distinguish messages
     */
    public SampleMessage(String tenant) {
        Properties properties = new Properties();
        properties.setMessageId("4f1c2a0e9b7d4c5f8a6b3e2d1c0f9a8b");
        properties.setSubject("order-created");
        properties.setContentType("application/json");
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("tenant", tenant);
        values.put("region", "eu-west");
        values.put("color", "red");
        values.put("quantity", 12);
        values.put("price", 9.5);
        values.put("urgent", true);
        byte[] bytes = encode(properties, new ApplicationProperties(values), new Data(new byte[BODY_SIZE]));
        try {
            incoming = new IncomingMessageDecoder(() -> "id")
                    .decode(new AmqpReader(bytes, 0, bytes.length), IncomingMessageDecoder.FORMAT_SINGLE)
                    .get(0);
        } catch (MessageFormatException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the evaluation that a topic creates for every message, with no property decoded yet. */
    Evaluation unread() {
        return new Evaluation(new EncodedMessageProperties(incoming.content(), Map.of(), BROKER), UUID::randomUUID);
    }

    /** Returns the message as the gateway passes it to the core. */
    public IncomingMessage incoming() {
        return incoming;
    }

    private static byte[] encode(Section<?>... sections) {
        ProtonBuffer out = ProtonByteArrayBufferAllocator.allocator().allocate();
        Encoder encoder = CodecFactory.getEncoder();
        for (Section<?> section : sections) {
            encoder.writeObject(out, encoder.newEncoderState(), section);
        }
        byte[] bytes = new byte[out.getReadableBytes()];
        out.copyInto(out.getReadOffset(), bytes, 0, bytes.length);
        return bytes;
    }
}
