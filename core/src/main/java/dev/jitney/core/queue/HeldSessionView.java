package dev.jitney.core.queue;

import java.util.Collection;
import java.util.List;

/** A session that a receiver has to itself (SESS-7), as decisions see it. */
public interface HeldSessionView {

    String sessionId();

    long receiverId();

    /** When the hold ends, milliseconds since the epoch. */
    long lockedUntilMs();

    /** Locks of its messages that are delivered and not settled, or deferred and received by number; not to be changed. */
    Collection<? extends LockView> locks();

    /** The first available messages in memory, at most that many. */
    List<? extends QueuedMessageView> head(int countMax);

    /** How many available messages memory has. */
    int availableCount();

    /** Whether more messages of the session may be in the store than in memory. */
    boolean hasMoreInStore();

    /** Size of the state kept with it in bytes; negative if none is kept. */
    int stateSizeBytes();

    /** When one of its messages expired last while others were locked (TTL-30), {@link Long#MIN_VALUE} if none has. */
    long expiredAtMs();

    /** The last message that was there then, and goes with it; 0 if none has expired. */
    long expiredUpTo();

    /** Whether an open transaction has settled or set something in it; until the outcome it does not end (TX-15). */
    boolean isFrozen();

    /** Whether its receiver has gone meanwhile, so that it ends with the outcome. */
    boolean hasLostReceiver();
}
