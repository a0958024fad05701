package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.exchange.RequestTarget;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a path ends in, if it is a resource of messages (HTTP reference 3.1). The tail decides, because entity names have
 * slashes, and may even have a segment {@code messages}.
 *
 * @param kind which resource
 * @param entity path of the entity, and of its sub-queue
 * @param id sequence number or message id of a locked message, otherwise empty
 * @param lockToken its lock token, otherwise null
 */
record MessageResource(
        Kind kind, String entity, String id, @Nullable UUID lockToken) {
    private static final String MESSAGES = "messages";
    private static final String HEAD = "head";
    private static final int UUID_LENGTH = 36;

    enum Kind {
        /** {@code E/messages}: sent to. */
        MESSAGES,
        /** {@code E/messages/head}: received from. */
        HEAD,
        /** {@code E/messages/{id}/{lockToken}}: settled. */
        LOCKED
    }

    /** The resource of a path, or null if it is none of messages. */
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
        // A message id may have slashes too; the first segment "messages" from the right is the one meant.
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
