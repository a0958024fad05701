package dev.jitney.core;

/**
 * A claim to hold a session. Commands with a claim are refused with {@link dev.jitney.model.ErrorCode#SESSION_LOCK_LOST}
 * if it is not valid (SESS-10).
 *
 * @param receiverId the receiver that accepted the session
 * @param sessionId the session
 */
public record SessionHold(long receiverId, String sessionId) {}
