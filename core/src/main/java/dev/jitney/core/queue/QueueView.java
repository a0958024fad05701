package dev.jitney.core.queue;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.duplicate.DuplicatesView;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fragment of a queue as decisions see it. Nothing here changes the queue, and nothing here reads the store: a decision
 * reads rows through {@link dev.jitney.core.Situation#rows()}.
 */
public interface QueueView {

    FragmentId id();

    QueueDescription description();

    Limits limits();

    ExpiryEnforcement expiryEnforcement();

    /** Largest encoded message or batch, in bytes (QUOTA-5). */
    long maxMessageSizeBytes();

    /** The largest number given out. */
    long lastSequenceNumber();

    MessageCounts counts();

    /** What its messages count towards the size of the entity (QUOTA-2). */
    long sizeBytes();

    /** Ids of the messages taken; empty if the entity does not detect duplicates. */
    DuplicatesView duplicates();

    /** Its sessions; null if it does not require them. */
    @Nullable
    SessionsView sessions();

    /** The lock of a token, ended or not. */
    @Nullable
    LockView lock(UUID token);

    @Nullable
    LockView lock(Lane lane, long sequenceNumber);

    int lockCount();

    /** The locks that have ended, earliest first; not those that end with their session or that a transaction holds. */
    List<? extends LockView> endedLocks(long nowMs, int countMax);

    /** Whether the lock of that token ended with the hold on its session (SESS-10). */
    boolean isSessionLost(UUID token);

    /** The lock that ends first. */
    @Nullable
    LockView firstLock();

    @Nullable
    ReceiverView receiver(long receiverId);

    int receiverCount();

    /** Receivers of the lane that want messages or wait for the end of a drain, the next one first; not to be changed. */
    Collection<? extends ReceiverView> waitingReceivers(Lane lane);

    /** Whether a receiver of the lane wants messages or the end of a drain, or waits for a session. */
    boolean isWaitedFor(Lane lane);

    /** The first available messages in memory, at most that many. */
    List<? extends QueuedMessageView> head(Lane lane, int countMax);

    /** How many available messages are in memory. */
    int availableCount(Lane lane);

    /** Whether more available messages are in the store than in memory. */
    boolean hasMoreInStore(Lane lane);

    /** The request that holds a scheduled message in order to cancel it, or 0. */
    long cancelHolder(long sequenceNumber);

    /** Scheduled messages in memory that are due, but for those that are held. */
    List<TimerRow> dueTimers(long nowMs, int countMax);

    /** Blocks of the main lane that may hold expired messages. */
    List<Long> dueExpiryBlocks(long nowMs, int countMax);

    /** No available message of the main lane expires earlier. */
    long earliestExpiryMs();

    /** Whether expired messages are to be removed now (TTL-4). */
    boolean sweepsExpired();

    /** Whether a message that comes now is handed on at once: no other waits before it (FWD-8). */
    boolean passesOn();
}
