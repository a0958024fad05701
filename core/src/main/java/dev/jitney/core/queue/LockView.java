package dev.jitney.core.queue;

import dev.jitney.core.Lane;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One peek-lock (LOCK) as decisions see it. */
public interface LockView {

    UUID token();

    Lane lane();

    QueuedMessageView message();

    /** The receiver that the message was delivered to; 0 if it was asked for by its number. */
    long receiverId();

    /** The hold on its session, with which it ends (SESS-8); null for locks that end by themselves. */
    @Nullable
    HeldSessionView session();

    /** When it ends, milliseconds since the epoch. */
    long lockedUntilMs();

    /** The open transaction that has settled the message, or 0; until its outcome the lock neither ends nor settles. */
    long transactionId();

    /** Whether the message is gone once the lock ends: its time has passed, or that of another one of its session. */
    boolean isExpired(long nowMs);
}
