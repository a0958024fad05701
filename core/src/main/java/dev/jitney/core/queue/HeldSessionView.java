package dev.jitney.core.queue;

import java.util.Collection;
import java.util.List;

/** A session that a receiver holds (SESS-7), in the view of decisions. */
public interface HeldSessionView {

    String sessionId();

    long receiverId();

    /** Returns the end of the hold, milliseconds since the epoch. */
    long lockedUntilMs();

    /**
     * Returns the locks of its messages that are delivered and not settled, or deferred and received by number. Do not
     * change the collection.
     */
    Collection<? extends LockView> locks();

    /** Returns the first available messages in memory, at most that many. */
    List<? extends QueuedMessageView> head(int countMax);

    /** Returns the number of available messages in memory. */
    int availableCount();

    /** Returns whether the store may have more messages of the session than memory. */
    boolean hasMoreInStore();

    /** Returns the size of the session state in bytes; negative without a state. */
    int stateSizeBytes();

    /**
     * Returns the time when one of its messages last expired while others were locked (TTL-30); {@link Long#MIN_VALUE} if
     * none has.
     */
    long expiredAtMs();

    /**
     * Returns the number of the last message that existed at that time, and which expires with it; 0 if none has expired.
     */
    long expiredUpTo();

    /**
     * Returns whether an open transaction has a pending settlement or state change in the session; then the hold does not
     * end before the outcome (TX-15).
     */
    boolean isFrozen();

    /** Returns whether its receiver has detached meanwhile, so that the hold ends with the outcome. */
    boolean hasLostReceiver();
}
