package dev.jitney.benchmarks.core;

import dev.jitney.core.StoredMessage;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.Map;

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
        return new IncomingMessage(
                "order-0001",
                null,
                null,
                MessageView.NEVER,
                0,
                false,
                content.sizeBytes(),
                PROPERTIES_BYTES,
                0,
                content);
    }

    static StoredMessage stored() {
        return new StoredMessage(1, 1, NOW_MS, MessageView.NEVER, 0, 0, null, null, Map.of(), content());
    }
}
