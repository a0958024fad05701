package dev.jitney.core.queue;

import dev.jitney.core.Lane;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A peek-lock (LOCK) in the view of decisions. */
public interface LockView {

    UUID token();

    Lane lane();

    QueuedMessageView message();

    /** Returns the receiver of the delivery; 0 if the message was received by number. */
    long receiverId();

    /** Returns the hold on its session, with which the lock ends (SESS-8); null for locks without a session. */
    @Nullable
    HeldSessionView session();

    /** Returns the end of the lock, milliseconds since the epoch. */
    long lockedUntilMs();

    /**
     * Returns the open transaction that has settled the message, or 0. Until its outcome the lock does not end and cannot
     * be used.
     */
    long transactionId();

    /**
     * Returns whether the message is removed when the lock ends, because it or another message of its session has
     * expired.
     */
    boolean isExpired(long nowMs);
}
