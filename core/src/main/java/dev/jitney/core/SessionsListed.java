package dev.jitney.core;

import java.util.List;

/**
 * The result of a list of sessions that continues in another turn.
 *
 * @param sessionIds the ids that it lists so far
 * @param skipped the number of sessions that it has skipped
 * @param read the number of sessions that it has looked at
 */
public record SessionsListed(List<String> sessionIds, int skipped, int read) {
    /** The result before the first turn. */
    public static final SessionsListed NONE = new SessionsListed(List.of(), 0, 0);

    public SessionsListed {
        sessionIds = List.copyOf(sessionIds);
    }
}
