package dev.jitney.simulation.model.batch;

import dev.jitney.core.Lane;
import dev.jitney.simulation.model.state.MessageCopy;
import java.util.HashSet;
import java.util.Set;

/** Which messages have expired; TTL-29: a message of a session expires with any other one of it. */
final class ExpiredMessages {
    /** Sessions of which a message has expired in this batch. */
    private final Set<SessionOf> sessions = new HashSet<>();

    private record SessionOf(long entityId, String session) {}

    /** The batch is over. */
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

    /** A message leaves its lane; others of its session may go for the same reason. */
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
