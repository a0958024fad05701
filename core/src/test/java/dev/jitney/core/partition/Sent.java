package dev.jitney.core.partition;

import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Messages as senders make them, by what may be a key. */
final class Sent {
    private static final MessageContent CONTENT = MessageContent.of(
            true,
            4,
            false,
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0));

    private Sent() {}

    static IncomingMessage plain() {
        return message(null, null, null, false);
    }

    static IncomingMessage id(String messageId) {
        return message(messageId, null, null, false);
    }

    static IncomingMessage session(String sessionId) {
        return message("m", sessionId, null, false);
    }

    static IncomingMessage key(String partitionKey) {
        return message("m", null, partitionKey, false);
    }

    static IncomingMessage both(String sessionId, String partitionKey) {
        return message("m", sessionId, partitionKey, false);
    }

    static IncomingMessage ping() {
        return message(null, "random", null, true);
    }

    private static IncomingMessage message(
            @Nullable String messageId, @Nullable String sessionId, @Nullable String partitionKey, boolean ping) {
        return IncomingMessage.of(CONTENT)
                .messageId(messageId)
                .partitionKey(partitionKey)
                .ping(ping)
                .sent(sessionId, 0)
                .build();
    }
}
