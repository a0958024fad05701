package dev.jitney.core;

import org.jspecify.annotations.Nullable;

/**
 * A place in the list of the sessions of an entity. The list is ordered by the ids, and on a partitioned entity by the fragments
 * before that.
 *
 * @param fragment the index of the fragment, or {@link #OF_SESSION}; always 0 if the entity is not partitioned
 * @param afterSessionId the id of the session before the place, or null for the start of the fragment
 */
public record SessionPlace(int fragment, @Nullable String afterSessionId) {
    /** The value of {@code fragment} for the fragment that has the session. */
    public static final int OF_SESSION = -1;

    /** The place before all sessions. */
    public static final SessionPlace START = new SessionPlace(0, null);

    /** Returns the place after a session, which need not exist. */
    public static SessionPlace after(String sessionId) {
        return new SessionPlace(OF_SESSION, sessionId);
    }
}
