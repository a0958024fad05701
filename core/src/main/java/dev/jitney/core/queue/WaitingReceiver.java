package dev.jitney.core.queue;

import dev.jitney.model.ReceiveMode;

/**
 * A receiver that waits for a session (SESS-5).
 *
 * @param deadlineMs end of the wait, milliseconds since the epoch
 */
public record WaitingReceiver(long receiverId, ReceiveMode mode, long deadlineMs) {}
