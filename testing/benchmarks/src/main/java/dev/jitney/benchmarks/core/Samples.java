package dev.jitney.benchmarks.core;

import dev.jitney.core.StoredMessage;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import java.nio.ByteBuffer;

/** A message of 1 KiB without application properties. */
final class Samples {
    private static final int BODY_BYTES = 1_024;
    private static final int PROPERTIES_BYTES = 40;
    static final long NOW_MS = 1_700_000_000_000L;

    private Samples() {}

    static MessageContent content() {
        return MessageContent.of(
                true,
                4,
                false,
                ByteBuffer.allocate(0),
                ByteBuffer.allocate(PROPERTIES_BYTES),
                ByteBuffer.allocate(0),
                ByteBuffer.allocate(BODY_BYTES));
    }

    static IncomingMessage incoming() {
        MessageContent content = content();
        return IncomingMessage.of(content)
                .messageId("order-0001")
                .sizes(content.sizeBytes(), PROPERTIES_BYTES, 0)
                .build();
    }

    static StoredMessage stored() {
        return new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(1)
                        .enqueuedSequenceNumber(1)
                        .enqueuedTimeMs(NOW_MS)
                        .build(),
                content(),
                null);
    }
}
