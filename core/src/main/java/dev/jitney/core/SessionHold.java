package dev.jitney.core;

/**
 * Who claims to hold a session. Commands that name one are refused with
 * {@link dev.jitney.model.ErrorCode#SESSION_LOCK_LOST} if it is not so (SESS-10).
 *
 * @param receiverId the receiver that accepted it
 * @param sessionId the session
 */
public record SessionHold(long receiverId, String sessionId) {}
