package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import dev.jitney.core.queue.LockView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A peek-lock (LOCK). An element of the list that {@link LockTable} keeps in the order of expiry. */
final class MessageLock implements LockView {
    static final long NO_RECEIVER = 0;

    final UUID token;
    final Lane lane;
    final QueuedMessage message;

    /** The receiver of the delivery; {@link #NO_RECEIVER} if the message was received by number. */
    final long receiverId;

    /** The hold on its session, with which the lock ends (SESS-8); null for locks without a session. */
    final @Nullable HeldSession session;

    private long lockedUntilMs;

    /**
     * The open transaction that has settled the message, or 0. Until its outcome the lock does not end and cannot be
     * used.
     */
    long transactionId;

    @Nullable
    MessageLock earlier;

    @Nullable
    MessageLock later;

    /** True while it is in the tree of its {@link LockOrder}. */
    boolean isInTree;

    MessageLock(
            UUID token,
            Lane lane,
            QueuedMessage message,
            long lockedUntilMs,
            long receiverId,
            @Nullable HeldSession session) {
        this.session = session;
        this.receiverId = receiverId;
        this.token = token;
        this.lane = lane;
        this.message = message;
        this.lockedUntilMs = lockedUntilMs;
    }

    @Override
    public UUID token() {
        return token;
    }

    @Override
    public Lane lane() {
        return lane;
    }

    @Override
    public QueuedMessage message() {
        return message;
    }

    @Override
    public long receiverId() {
        return receiverId;
    }

    @Override
    public @Nullable HeldSession session() {
        return session;
    }

    @Override
    public long transactionId() {
        return transactionId;
    }

    @Override
    public long lockedUntilMs() {
        return session == null ? lockedUntilMs : session.lockedUntilMs;
    }

    void lockedUntilMs(long untilMs) {
        lockedUntilMs = untilMs;
    }

    @Override
    public boolean isExpired(long nowMs) {
        return message.expiresAtMs <= nowMs
                || (session != null && !message.deferred() && message.sequenceNumber <= session.expiredUpTo);
    }
}
