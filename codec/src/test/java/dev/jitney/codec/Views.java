package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.util.Map;
import java.util.UUID;

/** Message views for tests. */
public final class Views {
    public static final long ENQUEUED_MS = 1_700_000_000_000L;
    public static final UUID TOKEN = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");

    private Views() {}

    /** A locked message that lives for ever, as first delivered. */
    public static MessageView locked(MessageContent content) {
        return view(content, MessageView.NEVER, Map.of());
    }

    public static MessageView view(MessageContent content, long expiresAtMs, Map<String, EncodedValue> overrides) {
        return new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(5)
                        .enqueuedTimeMs(ENQUEUED_MS)
                        .expiresAtMs(expiresAtMs)
                        .propertyOverrides(overrides)
                        .build(),
                MessageState.ACTIVE,
                TOKEN,
                ENQUEUED_MS + 60_000,
                content);
    }

    /** What the core makes of a message in an entity without limits. */
    public static MessageView delivered(IncomingMessage message) {
        long ttl = message.timeToLiveMs();
        return view(message.content(), ttl == MessageView.NEVER ? MessageView.NEVER : ENQUEUED_MS + ttl, Map.of());
    }
}
