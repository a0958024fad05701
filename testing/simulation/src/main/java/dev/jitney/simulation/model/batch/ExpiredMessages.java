package dev.jitney.simulation.model.batch;

import dev.jitney.core.Lane;
import dev.jitney.simulation.model.state.MessageCopy;
import java.util.HashSet;
import java.util.Set;

/** The expired messages. All messages of a session expire with the first expired one (TTL-29). */
final class ExpiredMessages {
    /** The sessions with an expired message in this batch. */
    private final Set<SessionOf> sessions = new HashSet<>();

    private record SessionOf(long entityId, String session) {}

    /** Called at the end of the batch. */
    void end() {
        sessions.clear();
    }

    boolean isExpired(MessageCopy copy, long nowMs) {
        String session = copy.row.session();
        if (copy.isExpired(nowMs) || copy.doomed || session == null || !copy.entity.settings.sessions()) {
            return copy.isExpired(nowMs) || copy.doomed;
        }
        if (sessions.contains(new SessionOf(copy.entity.entityId, session))) {
            return true;
        }
        for (MessageCopy other : copy.entity.lane(Lane.MAIN).values()) {
            if (session.equals(other.row.session()) && other.isExpired(nowMs)) {
                return true;
            }
        }
        return false;
    }

    /** Called when a message leaves its lane. If it has expired, other messages of its session may follow. */
    void leaves(MessageCopy copy, long nowMs) {
        String session = copy.row.session();
        if (session != null && copy.entity.settings.sessions() && isExpired(copy, nowMs)) {
            sessions.add(new SessionOf(copy.entity.entityId, session));
            for (MessageCopy other : copy.entity.lane(Lane.MAIN).values()) {
                other.doomed |= other.lock != null && session.equals(other.row.session());
            }
        }
    }
}
