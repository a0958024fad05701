package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import java.util.HashSet;
import java.util.Set;

/** Which messages have expired; TTL-29: a message of a session expires with any other one of it. */
final class Expiries {
    /** Sessions of which a message has expired in this batch. */
    private final Set<SessionOf> sessions = new HashSet<>();

    private record SessionOf(long entityId, String session) {}

    /** The batch is over. */
    void end() {
        sessions.clear();
    }

    boolean isExpired(Copy copy, long nowMs) {
        String session = copy.row.session();
        if (copy.isExpired(nowMs) || copy.doomed || session == null || !copy.shelf.settings.sessions()) {
            return copy.isExpired(nowMs) || copy.doomed;
        }
        if (sessions.contains(new SessionOf(copy.shelf.entityId, session))) {
            return true;
        }
        for (Copy other : copy.shelf.lane(Lane.MAIN).values()) {
            if (session.equals(other.row.session()) && other.isExpired(nowMs)) {
                return true;
            }
        }
        return false;
    }

    /** A message leaves its lane; others of its session may go for the same reason. */
    void leaves(Copy copy, long nowMs) {
        String session = copy.row.session();
        if (session != null && copy.shelf.settings.sessions() && isExpired(copy, nowMs)) {
            sessions.add(new SessionOf(copy.shelf.entityId, session));
            for (Copy other : copy.shelf.lane(Lane.MAIN).values()) {
                other.doomed |= other.lock != null && session.equals(other.row.session());
            }
        }
    }
}
