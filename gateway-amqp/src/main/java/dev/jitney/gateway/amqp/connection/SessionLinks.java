package dev.jitney.gateway.amqp.connection;

import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.management.HeldSessions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session links of one connection, by session and by name: only through one of them may its sessions be managed
 * (wire reference 7.7).
 */
final class SessionLinks {
    private final Map<Key, SessionLink> bySession = new HashMap<>();
    private final Map<Key, SessionLink> byName = new HashMap<>();

    /** @param text a session id or a link's name */
    private record Key(String entity, String text) {}

    /** Takes in a link that has got its session. */
    void add(SessionLink link) {
        SessionHold hold = link.hold();
        if (hold != null) {
            bySession.put(new Key(link.address().key(), hold.sessionId()), link);
            byName.put(new Key(link.address().key(), link.wire().name()), link);
        }
    }

    void remove(SessionLink link) {
        String sessionId = link.sessionId();
        if (sessionId != null) {
            bySession.remove(new Key(link.address().key(), sessionId), link);
            byName.remove(new Key(link.address().key(), link.wire().name()), link);
        }
    }

    /** Those of one entity. */
    HeldSessions of(String entityKey) {
        return new HeldSessions() {
            @Override
            public @Nullable SessionHold bySessionId(String sessionId) {
                return hold(bySession.get(new Key(entityKey, sessionId)));
            }

            @Override
            public @Nullable SessionHold byLinkName(String linkName) {
                return hold(byName.get(new Key(entityKey, linkName)));
            }
        };
    }

    private static @Nullable SessionHold hold(@Nullable SessionLink link) {
        return link == null ? null : link.hold();
    }
}
