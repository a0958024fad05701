package dev.jitney.gateway.amqp.link;

import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.management.HeldSessions;
import dev.jitney.runtime.Receiver;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session links of one connection, by session and by name. A client may manage a session only if its connection has
 * such a link (wire reference 7.7).
 */
final class SessionLinks {
    private final Map<Key, SessionLink> bySession = new HashMap<>();
    private final Map<Key, SessionLink> byName = new HashMap<>();

    /**
     * The sessions whose links have closed because their entity was disabled (SUSP-5), by session and by the link's
     * name.
     */
    private final Map<Key, Kept> keptBySession = new HashMap<>();

    private final Map<Key, Kept> keptByName = new HashMap<>();

    /**
     * @param text session id or name of a link
     */
    private record Key(String entity, String text) {}

    /**
     * A session that is held without a link.
     *
     * @param holder receiver that holds the session
     */
    record Kept(String entity, String linkName, SessionHold hold, Receiver holder) {}

    /** Keeps a session whose link closes. */
    void keep(Kept kept) {
        keptBySession.put(new Key(kept.entity, kept.hold.sessionId()), kept);
        keptByName.put(new Key(kept.entity, kept.linkName), kept);
    }

    /** Drops a session without a link when it is no longer held. */
    void forget(Kept kept) {
        keptBySession.remove(new Key(kept.entity, kept.hold.sessionId()), kept);
        keptByName.remove(new Key(kept.entity, kept.linkName), kept);
    }

    /** Releases a session without a link when the client requests the same session again. */
    void giveUp(String entity, String sessionId) {
        Kept kept = keptBySession.get(new Key(entity, sessionId));
        if (kept != null) {
            forget(kept);
            kept.holder.detach();
        }
    }

    /** Releases the sessions without a link when the connection has ended; they are free at once (SESS-12). */
    void end() {
        keptBySession.values().forEach(kept -> kept.holder.detach());
        keptBySession.clear();
        keptByName.clear();
    }

    /** Adds a link that has been granted its session. */
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

    /** Returns the held sessions of one entity. */
    HeldSessions of(String entityKey) {
        return new HeldSessions() {
            @Override
            public @Nullable SessionHold bySessionId(String sessionId) {
                Key key = new Key(entityKey, sessionId);
                return hold(bySession.get(key), keptBySession.get(key));
            }

            @Override
            public @Nullable SessionHold byLinkName(String linkName) {
                Key key = new Key(entityKey, linkName);
                return hold(byName.get(key), keptByName.get(key));
            }
        };
    }

    private static @Nullable SessionHold hold(@Nullable SessionLink link, @Nullable Kept kept) {
        if (link != null) {
            return link.hold();
        }
        return kept == null ? null : kept.hold;
    }
}
