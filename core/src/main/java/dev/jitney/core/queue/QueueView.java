package dev.jitney.core.queue;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a decision may look at. Nothing here changes the queue. */
interface QueueView {

    FragmentId id();

    QueueDescription description();

    Limits limits();

    ExpiryEnforcement expiryEnforcement();

    /** Largest encoded message or batch, in bytes (QUOTA-5). */
    long maxMessageSizeBytes();

    /** The largest number given out. */
    long lastSequenceNumber();

    MessageCounts counts();

    /** The lock of a token, ended or not. */
    @Nullable
    MessageLock lock(UUID token);

    @Nullable
    MessageLock lock(Lane lane, long sequenceNumber);

    int lockCount();

    /** Whether the lock of that token ended with the hold on its session (SESS-10). */
    boolean isSessionLost(UUID token);

    /** The lock that ends first. */
    @Nullable
    MessageLock firstLock();

    @Nullable
    ReceiverState receiver(long receiverId);

    int receiverCount();

    /** Receivers of the lane that want messages or wait for the end of a drain, the next one first. */
    Collection<ReceiverState> waitingReceivers(Lane lane);

    /** The first available messages in memory. */
    List<QueuedMessage> head(Lane lane, int countMax);

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
}
