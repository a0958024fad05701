package dev.jitney.core.queue;

import dev.jitney.core.Lane;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One peek-lock (LOCK). An element of the list that {@link LockTable} keeps in order of expiry. */
final class MessageLock {
    final UUID token;
    final Lane lane;
    final QueuedMessage message;
    long lockedUntilMs;

    /** The open transaction that has settled the message, or 0; until its outcome the lock neither ends nor settles. */
    long transactionId;

    @Nullable
    MessageLock earlier;

    @Nullable
    MessageLock later;

    MessageLock(UUID token, Lane lane, QueuedMessage message, long lockedUntilMs) {
        this.token = token;
        this.lane = lane;
        this.message = message;
        this.lockedUntilMs = lockedUntilMs;
    }
}
