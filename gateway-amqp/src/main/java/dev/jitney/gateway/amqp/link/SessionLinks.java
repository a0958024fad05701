package dev.jitney.gateway.amqp.link;

import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.management.HeldSessions;
import dev.jitney.runtime.Receiver;
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

    /** Sessions whose links have gone because their entity was disabled (SUSP-5), by session and by the link's name. */
    private final Map<Key, Kept> keptBySession = new HashMap<>();

    private final Map<Key, Kept> keptByName = new HashMap<>();

    /** @param text a session id or a link's name */
    private record Key(String entity, String text) {}

    /**
     * A session that is held without a link.
     *
     * @param holder the receiver that holds it
     */
    record Kept(String entity, String linkName, SessionHold hold, Receiver holder) {}

    /** A link goes, but its session is still held. */
    void keep(Kept kept) {
        keptBySession.put(new Key(kept.entity, kept.hold.sessionId()), kept);
        keptByName.put(new Key(kept.entity, kept.linkName), kept);
    }

    /** A session without a link is not held any more. */
    void forget(Kept kept) {
        keptBySession.remove(new Key(kept.entity, kept.hold.sessionId()), kept);
        keptByName.remove(new Key(kept.entity, kept.linkName), kept);
    }

    /** The client asks for a session anew that it holds without a link. */
    void giveUp(String entity, String sessionId) {
        Kept kept = keptBySession.get(new Key(entity, sessionId));
        if (kept != null) {
            forget(kept);
            kept.holder.detach();
        }
    }

    /** The connection has gone: what it holds without a link is free at once (SESS-12). */
    void end() {
        keptBySession.values().forEach(kept -> kept.holder.detach());
        keptBySession.clear();
        keptByName.clear();
    }

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
