package dev.jitney.core;

/**
 * A session for operators.
 *
 * @param active its messages that are not deferred, locked ones included
 * @param deferred its deferred messages
 * @param firstSequenceNumber the number of its first message that is not deferred, or 0 if there is none or if it was not found
 *     among the first messages
 * @param firstEnqueuedTimeMs the time when that message was enqueued, milliseconds since the epoch, or 0
 * @param stateSizeBytes the size of its state, -1 for none
 * @param stateChangedAtMs the time of the last change of its state, milliseconds since the epoch, or 0
 * @param receiverId the receiver that holds the session, or 0
 * @param lockedUntilMs the end of the hold, milliseconds since the epoch, or 0
 * @param holder words of the gateway about the receiver; empty if there is none or if it is not known
 */
public record SessionSummary(
        String sessionId,
        long active,
        long deferred,
        long firstSequenceNumber,
        long firstEnqueuedTimeMs,
        int stateSizeBytes,
        long stateChangedAtMs,
        long receiverId,
        long lockedUntilMs,
        String holder) {

    /** Returns the same session with words about its receiver. */
    public SessionSummary heldBy(String words) {
        return new SessionSummary(
                sessionId,
                active,
                deferred,
                firstSequenceNumber,
                firstEnqueuedTimeMs,
                stateSizeBytes,
                stateChangedAtMs,
                receiverId,
                lockedUntilMs,
                words);
    }

    /** Returns whether a receiver holds the session. */
    public boolean isHeld() {
        return receiverId != 0;
    }
}
