package dev.jitney.gateway.http.messaging;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Codes;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.ValueWriter;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.MessageIds;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A composer of messages in the form that an SDK sends: a body of one data section, and properties in their AMQP
 * places. Each message then passes the same decoder as all messages.
 */
final class MessageComposer {
    private static final long TTL_MAX = 0xffff_ffffL;
    private static final int HEADER_FIELDS = 3;
    private static final int PROPERTIES_FIELDS = 13;
    private static final int OVERHEAD_BYTES = 512;

    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(MessageIds::fresh);

    /**
     * Composes a message.
     *
     * @param contentType value of the field of that name, or null for none
     * @param properties application properties, as for {@link ValueWriter}
     * @param nowMs creation time of messages that live longer than the header can express
     */
    IncomingMessage compose(
            BrokerProperties broker, @Nullable String contentType, Map<String, ?> properties, byte[] body, long nowMs)
            throws RefusedException {
        AmqpWriter out = new AmqpWriter(body.length + OVERHEAD_BYTES);
        long ttlMs = broker.timeToLiveMs();
        writeHeader(out, ttlMs);
        writeAnnotations(out, broker);
        out.writeSection(Codes.PROPERTIES);
        int list = out.beginList(PROPERTIES_FIELDS);
        writeText(out, broker.messageId());
        out.writeNull(); // user-id
        writeText(out, broker.to());
        writeText(out, broker.label());
        writeText(out, broker.replyTo());
        writeText(out, broker.correlationId());
        if (contentType == null) {
            out.writeNull();
        } else {
            out.writeSymbol(contentType);
        }
        out.writeNull(); // content-encoding
        if (ttlMs != MessageView.NEVER && ttlMs > TTL_MAX) {
            out.writeTimestamp(nowMs + ttlMs);
            out.writeTimestamp(nowMs);
        } else {
            out.writeNull();
            out.writeNull();
        }
        writeText(out, broker.sessionId());
        out.writeNull(); // group-sequence
        writeText(out, broker.replyToSessionId());
        out.endCompound(list);
        if (!properties.isEmpty()) {
            out.writeSection(Codes.APPLICATION_PROPERTIES);
            ValueWriter.write(out, properties);
        }
        out.writeSection(Codes.DATA);
        out.writeBinary(body);
        byte[] encoded = out.toByteBuffer().array();
        try {
            return decoder.decode(new AmqpReader(encoded, 0, out.size()), IncomingMessageDecoder.FORMAT_SINGLE)
                    .get(0);
        } catch (MessageFormatException refused) {
            throw new RefusedException(refused.rejection());
        }
    }

    private static void writeHeader(AmqpWriter out, long ttlMs) {
        out.writeSection(Codes.HEADER);
        int list = out.beginList(HEADER_FIELDS);
        out.writeBoolean(true); // durable
        out.writeNull(); // priority
        if (ttlMs == MessageView.NEVER) {
            out.writeNull();
        } else {
            out.writeUInt(Math.min(ttlMs, TTL_MAX));
        }
        out.endCompound(list);
    }

    private static void writeAnnotations(AmqpWriter out, BrokerProperties broker) {
        int count = (broker.partitionKey() == null ? 0 : 1)
                + (broker.viaPartitionKey() == null ? 0 : 1)
                + (broker.scheduledEnqueueTimeMs() == 0 ? 0 : 1);
        if (count == 0) {
            return;
        }
        out.writeSection(Codes.MESSAGE_ANNOTATIONS);
        int map = out.beginMap(count);
        writeAnnotation(out, "x-opt-partition-key", broker.partitionKey());
        writeAnnotation(out, "x-opt-via-partition-key", broker.viaPartitionKey());
        if (broker.scheduledEnqueueTimeMs() != 0) {
            out.writeSymbol("x-opt-scheduled-enqueue-time");
            out.writeTimestamp(broker.scheduledEnqueueTimeMs());
        }
        out.endCompound(map);
    }

    private static void writeAnnotation(AmqpWriter out, String name, @Nullable String value) {
        if (value != null) {
            out.writeSymbol(name);
            out.writeString(value);
        }
    }

    private static void writeText(AmqpWriter out, @Nullable String text) {
        if (text == null) {
            out.writeNull();
        } else {
            out.writeString(text);
        }
    }
}
