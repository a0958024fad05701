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
 * A fragment of a queue in the view of decisions. No method changes the queue or reads the store; a decision reads rows
 * with {@link dev.jitney.core.Situation#rows()}.
 */
public interface QueueView {

    FragmentId id();

    QueueDescription description();

    Limits limits();

    ExpiryEnforcement expiryEnforcement();

    /** Returns the maximum size of an encoded message or batch, in bytes (QUOTA-5). */
    long maxMessageSizeBytes();

    /** Returns the largest assigned number. */
    long lastSequenceNumber();

    MessageCounts counts();

    /** Returns the bytes of its messages that count towards the size of the entity (QUOTA-2). */
    long sizeBytes();

    /** Returns the bytes that count towards its quota: its own, or those of the topic of a subscription (QUOTA-2). */
    long usedBytes();

    /** Returns the ids of accepted messages; empty if the entity does not detect duplicates. */
    DuplicatesView duplicates();

    /** Returns its sessions; null if it does not require sessions. */
    @Nullable
    SessionsView sessions();

    /** Returns the lock of a token, ended or not. */
    @Nullable
    LockView lock(UUID token);

    @Nullable
    LockView lock(Lane lane, long sequenceNumber);

    int lockCount();

    /**
     * Returns the locks that have ended, earliest first, except locks that end with their session or that a transaction
     * holds.
     */
    List<? extends LockView> endedLocks(long nowMs, int countMax);

    /** Returns whether the lock of that token ended with the hold on its session (SESS-10). */
    boolean isSessionLost(UUID token);

    /** Returns the lock that ends first. */
    @Nullable
    LockView firstLock();

    @Nullable
    ReceiverView receiver(long receiverId);

    int receiverCount();

    /**
     * Returns the receivers of the lane that have credit or wait for the end of a drain, the next one first. Do not
     * change the collection.
     */
    Collection<? extends ReceiverView> waitingReceivers(Lane lane);

    /** Returns whether a receiver of the lane has credit, or waits for the end of a drain or for a session. */
    boolean isWaitedFor(Lane lane);

    /** Returns the first available messages in memory, at most that many. */
    List<? extends QueuedMessageView> head(Lane lane, int countMax);

    /** Returns the number of available messages in memory. */
    int availableCount(Lane lane);

    /** Returns whether the store has more available messages than memory. */
    boolean hasMoreInStore(Lane lane);

    /** Returns the request that holds a scheduled message in order to cancel it, or 0. */
    long cancelHolder(long sequenceNumber);

    /** Returns the scheduled messages in memory that are due, except held ones. */
    List<TimerRow> dueTimers(long nowMs, int countMax);

    /** Returns the blocks of the main lane that may contain expired messages. */
    List<Long> dueExpiryBlocks(long nowMs, int countMax);

    /**
     * Returns blocks of the main lane that may be empty, and so use memory for nothing; none while there are few. Each of them must be
     * answered with {@link dev.jitney.core.Record.ExpiryBlockSwept}.
     */
    List<Long> expiryBlocksToLookAt(int countMax);

    /** Returns a lower bound of the expiry of all messages in a block. */
    long expiryOfBlock(long block);

    /** Returns a lower bound of the expiry of all available messages in the main lane. */
    long earliestExpiryMs();

    /** Returns whether expired messages must be removed now (TTL-4). */
    boolean sweepsExpired();

    /** Returns whether a new message is forwarded immediately, because no other message waits before it (FWD-8). */
    boolean passesOn();
}
