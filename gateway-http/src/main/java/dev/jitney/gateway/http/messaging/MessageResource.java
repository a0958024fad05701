package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.exchange.RequestTarget;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The message resource at the end of a path (HTTP reference 3.1). The end decides, because entity names contain
 * slashes, and may even have a segment {@code messages}.
 *
 * @param kind the kind of resource
 * @param entity path of the entity, and of its sub-queue
 * @param id sequence number or message ID of a locked message, otherwise empty
 * @param lockToken its lock token, otherwise null
 */
record MessageResource(
        Kind kind, String entity, String id, @Nullable UUID lockToken) {
    private static final String MESSAGES = "messages";
    private static final String HEAD = "head";
    private static final int UUID_LENGTH = 36;

    enum Kind {
        /** {@code E/messages}: the target of sends. */
        MESSAGES,
        /** {@code E/messages/head}: the source of receives. */
        HEAD,
        /** {@code E/messages/{id}/{lockToken}}: a locked message. */
        LOCKED
    }

    /** Returns the message resource of a path, or null if it has none. */
    static @Nullable MessageResource of(RequestTarget target) {
        if (target.size() > 1 && target.fromEnd(0).equalsIgnoreCase(MESSAGES)) {
            return new MessageResource(Kind.MESSAGES, target.head(target.size() - 1), "", null);
        }
        if (target.size() > 2
                && target.fromEnd(0).equalsIgnoreCase(HEAD)
                && target.fromEnd(1).equalsIgnoreCase(MESSAGES)) {
            return new MessageResource(Kind.HEAD, target.head(target.size() - 2), "", null);
        }
        UUID token = uuid(target.fromEnd(0));
        if (token == null) {
            return null;
        }
        // A message ID may contain slashes too; the last segment "messages" counts.
        for (int fromEnd = 2; fromEnd < target.size() - 1; fromEnd++) {
            if (target.fromEnd(fromEnd).equalsIgnoreCase(MESSAGES)) {
                int at = target.size() - 1 - fromEnd;
                String id = String.join("/", target.segments().subList(at + 1, target.size() - 1));
                return new MessageResource(Kind.LOCKED, target.head(at), id, token);
            }
        }
        return null;
    }

    private static @Nullable UUID uuid(String text) {
        if (text.length() != UUID_LENGTH) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException notOne) {
            return null;
        }
    }
}
