package dev.jitney.core.queue.state;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.RowWriter.ExpiryBlockRow;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.duplicate.DuplicatesView;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One fragment of a queue in memory: counters, windows of its messages, locks, receivers. Changed only by
 * {@link QueueApplier}; for the shard's thread.
 */
public final class QueueState implements QueueView {
    /**
     * The number of applied records between two searches for the smallest number still in use, in addition to four for each lock,
     * because the search visits all locks.
     */
    private static final int HEAD_CHECK_EVERY = 256;

    /** The maximum number of messages that a page reads into memory. */
    private static final int PAGE_MESSAGES = 1_024;

    private final FragmentId id;
    private final Limits limits;
    private final ExpiryEnforcement expiryEnforcement;
    private final MemoryBudget budget;
    private QueueDescription description;

    long lastSequenceNumber;
    long active;
    long deferred;
    long scheduled;
    long deadLetter;
    long transferDeadLetter;

    /** Messages in the outbox (TransferPending). */
    long transferPending;

    long sizeBytes;
    long accessedAtMs;
    final LockTable locks = new LockTable();
    final Receivers receivers = new Receivers();
    final TimerWindow timers = new TimerWindow();
    final ExpiryIndex expiry = new ExpiryIndex();

    /** True if a receiver holds or awaits a session of the entity in any of its fragments (TTL-31). */
    boolean listenedTo;

    /** The sessions, or null if the entity does not require sessions. */
    final @Nullable SessionTable sessions;

    /** The owner to which shared bodies of removed messages are released. */
    final BodyOwner bodies;

    /** The ids of accepted messages; empty if the entity does not detect duplicates. */
    final DuplicateHistory duplicates;

    private final Map<Lane, MessageWindow> windows = new EnumMap<>(Lane.class);
    private long mainHead;
    private long deadLetterHead;

    /** A lower bound of the numbers of skipped dead letters, {@link Long#MAX_VALUE} if there are none (FWD-12). */
    private long passedByFrom = Long.MAX_VALUE;

    /** The number before the first one; the numbers of a partition contain the fragment in their upper bits (SEQ-2). */
    private final long noNumber;

    private int appliedSinceHeadCheck;

    /** Creates an empty queue, whose messages have their own bodies. */
    public QueueState(
            FragmentId id,
            QueueDescription description,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            MemoryBudget budget) {
        this(id, description, limits, expiryEnforcement, budget, BodyOwner.NONE, null);
    }

    /**
     * Creates an empty subscription, whose topic owns shared bodies; or an empty queue.
     *
     * @param rows reads sessions, if the entity requires them
     */
    public QueueState(
            FragmentId id,
            QueueDescription description,
            Limits limits,
            ExpiryEnforcement expiryEnforcement,
            MemoryBudget budget,
            BodyOwner bodies,
            @Nullable RowReader rows) {
        if (rows == null && description.requiresSession()) {
            throw new IllegalArgumentException(
                    "Expected a reader of sessions for '" + description.path() + "', but" + " got none.");
        }
        this.bodies = bodies;
        this.sessions = rows == null || !description.requiresSession() ? null : new SessionTable(id, rows, budget);
        this.duplicates = new DuplicateHistory(id, budget);
        this.id = id;
        this.noNumber = FragmentNumbers.of(id.fragment(), 0);
        this.lastSequenceNumber = noNumber;
        this.mainHead = noNumber + 1;
        this.deadLetterHead = noNumber + 1;
        this.description = description;
        this.limits = limits;
        this.expiryEnforcement = expiryEnforcement;
        this.budget = budget;
        for (Lane lane : List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER)) {
            windows.put(lane, new MessageWindow(budget));
        }
    }

    /** Loads the state from the store; messages are read when a receiver needs them. */
    public void load(FragmentRow row, RowReader rows) {
        lastSequenceNumber = Math.max(noNumber, row.lastSequenceNumber());
        active = row.active();
        deferred = row.deferred();
        scheduled = row.scheduled();
        deadLetter = row.deadLetter();
        transferDeadLetter = row.transferDeadLetter();
        sizeBytes = row.sizeBytes();
        accessedAtMs = row.accessedAtMs();
        mainHead = Math.max(noNumber + 1, row.mainHead());
        deadLetterHead = Math.max(noNumber + 1, row.deadLetterHead());
        if (active > deferred) {
            if (sessions != null) {
                sessions.startInStore(lastSequenceNumber, mainHead);
            } else {
                window(Lane.MAIN).startAt(mainHead);
            }
        }
        if (deadLetter > 0) {
            window(Lane.DEAD_LETTER).startAt(deadLetterHead);
        }
        if (transferDeadLetter > 0) {
            window(Lane.TRANSFER_DEAD_LETTER).startAt(1);
        }
        if (scheduled > 0) {
            timers.startAt(new TimerRow(Long.MIN_VALUE, 0));
        }
        if (wasUsed()) { // unused queues have no blocks, and a start may load thousands of them
            for (ExpiryBlockRow block : rows.expiryBlocks(id)) {
                expiry.load(block.block(), block.earliestExpiryMs());
            }
            // The row of the open block was never written: assume the worst until a sweep has read the block.
            expiry.openBlock(ExpiryBlocks.blockOf(lastSequenceNumber));
            if (active > deferred) {
                expiry.load(expiry.openBlock(), Long.MIN_VALUE);
                expiry.openEarliestMs(Long.MIN_VALUE);
            }
        }
        expiry.recompute();
    }

    /**
     * Reads the next available messages of a lane from the store if memory has none. One call reads a bounded number of
     * rows: behind many deferred or locked messages it may find none yet.
     *
     * @return whether another call may find more; false if a message is in memory, or if none exists
     */
    public boolean fill(Lane lane, RowReader rows) {
        return sessions != null && lane == Lane.MAIN ? fillSessions(sessions) : fill(lane, rows, PAGE_MESSAGES);
    }

    private boolean fillSessions(SessionTable table) {
        boolean searching = !table.waiting().isEmpty() && table.fillReady();
        for (ReceiverState receiver : receivers.waiting(Lane.MAIN)) {
            HeldSession held = table.heldBy(receiver.id);
            searching |= held != null && table.fill(held);
        }
        return searching;
    }

    /** Reads the next available session from the store if memory has none; skips held sessions. */
    public void fillReadySessions() {
        if (sessions != null) {
            boolean searching = true;
            while (searching) {
                searching = sessions.fillReady();
            }
        }
    }

    private boolean fill(Lane lane, RowReader rows, int messagesMax) {
        MessageWindow window = window(lane);
        if (window.isEmpty() && window.horizon() != MessageWindow.COMPLETE) {
            Pager pager = new Pager(window, locks, lane, Math.min(messagesMax, budget.windowEntriesMax()));
            rows.scan(id, lane, window.horizon(), MessageWindow.COMPLETE, pager);
            pager.close();
        }
        return window.isEmpty() && window.horizon() != MessageWindow.COMPLETE;
    }

    /**
     * Returns the time when the oldest available message was stored, milliseconds since the epoch. Returns 0 if there is
     * none or if {@link #oldestIsInStore} is true.
     */
    public long oldestEnqueuedTimeMs() {
        QueuedMessage first = window(Lane.MAIN).first();
        return first == null ? 0 : first.enqueuedTimeMs;
    }

    /**
     * Returns whether messages may be available of which none is in memory, for example after a start;
     * {@link #findOldest} reads one from the store.
     */
    public boolean oldestIsInStore() {
        return sessions == null && window(Lane.MAIN).isEmpty() && hasMoreInStore(Lane.MAIN);
    }

    /**
     * Reads the oldest available message into memory, and no other, if it is only in the store. Bounded like
     * {@link #fill}.
     */
    public void findOldest(RowReader rows) {
        fill(Lane.MAIN, rows, 1);
    }

    /** Reads the next scheduled messages into memory if memory has none and the store has some. */
    public void fillTimers(RowReader rows) {
        TimerRow from = timers.horizon();
        if (timers.needsPage() && from != null) {
            timers.page(rows.timers(id, from.dueMs(), from.sequenceNumber(), timers.pageSize()), timers.pageSize());
        }
    }

    /** Releases memory: keeps a short head of each window and no content. */
    public void trim(int keep) {
        for (MessageWindow window : windows.values()) {
            window.dropContent();
            window.shrinkTo(keep);
        }
        if (sessions != null) {
            sessions.trim(keep);
        }
    }

    /** Releases half of the cached content, that of the messages that are delivered last. For a fragment that is in use. */
    public void halve() {
        windows.values().forEach(MessageWindow::halve);
        if (sessions != null) {
            sessions.halve();
        }
    }

    /** Releases all memory counted in the budget; the state must not be used afterwards. */
    public void discard() {
        windows.values().forEach(MessageWindow::clear);
        duplicates.discard();
        if (sessions != null) {
            sessions.discard();
        }
    }

    /** Returns whether the fragment has ever assigned a number. */
    public boolean wasUsed() {
        return lastSequenceNumber != noNumber;
    }

    @Override
    public boolean isWaitedFor(Lane lane) {
        return receivers.isActive(lane)
                || (lane == Lane.MAIN && sessions != null && !sessions.waiting().isEmpty());
    }

    public boolean hasReceiver(long receiverId) {
        return receivers.find(receiverId) != null;
    }

    /** Returns whether a receiver waits for a session. */
    public boolean isWaiting(long receiverId) {
        return sessions != null && sessions.isWaiting(receiverId);
    }

    /** Returns the receivers to notify when the queue is deleted, including those that wait for a session. */
    public Set<Long> receiverIds() {
        Set<Long> ids = receivers.all().stream().map(r -> r.id).collect(Collectors.toSet());
        if (sessions != null) {
            sessions.waiting().forEach(waiting -> ids.add(waiting.receiverId()));
        }
        return ids;
    }

    /** Returns the receivers that hold a session. */
    public Set<Long> sessionHolderIds() {
        return sessions == null
                ? Set.of()
                : sessions.held().stream().map(held -> held.receiverId).collect(Collectors.toSet());
    }

    /** Returns the attached receivers of one lane. */
    public Set<Long> receiverIds(Lane lane) {
        return receivers.all().stream()
                .filter(r -> r.lane == lane)
                .map(r -> r.id)
                .collect(Collectors.toSet());
    }

    /**
     * Loads the generations of accepted message ids from the store.
     *
     * @param nowMs no id was accepted later, unless the clock was set back between two starts
     */
    public void loadDuplicates(RowReader rows, long nowMs) {
        duplicates.load(rows, nowMs, description.duplicateDetectionHistoryTimeWindowMs());
    }

    /** Marks all applied records as stored and readable from the store. */
    public void committed() {
        duplicates.committed();
    }

    /** Sets the number of messages in the stored outbox. */
    public void loadTransfers(long count) {
        transferPending = count;
    }

    /** Records activity (IDLE-5, CNT-4). */
    public void touch(long nowMs) {
        accessedAtMs = Math.max(accessedAtMs, nowMs);
    }

    /** Returns the time of the last activity (IDLE-5, CNT-4), milliseconds since the epoch, or 0. */
    public long accessedAtMs() {
        return accessedAtMs;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public long usedBytes() {
        return bodies.usedBytes(sizeBytes);
    }

    /** Returns the time when a timer command next has work, {@link Long#MAX_VALUE} if never. */
    public long nextTimerMs() {
        MessageLock lock = locks.first();
        if (hasSurplusOfExpiryBlocks()) {
            return 0;
        }
        long next = lock == null ? Long.MAX_VALUE : lock.lockedUntilMs();
        next = Math.min(next, timers.nextDueMs());
        if (sweepsExpired()) {
            next = Math.min(next, expiry.earliestMs());
        }
        return sessions == null ? next : Math.min(next, sessions.nextTimerMs());
    }

    /** Returns whether the fragment forwards its messages to another entity now (FWD-1, FWD-15). */
    public boolean forwards() {
        return description.forwardTo() != null && description.status().allowsReceive() && sessions == null;
    }

    /** Returns whether the fragment forwards its dead letters to another entity now (FWD-11, FWD-15). */
    public boolean forwardsDeadLetters() {
        return description.forwardDeadLetteredMessagesTo() != null
                && description.status().allowsReceive();
    }

    @Override
    public boolean passesOn() {
        return forwards() && !hasAvailable(Lane.MAIN);
    }

    /** Returns whether there may be messages to forward. */
    public boolean hasToForward(Lane lane) {
        return (lane == Lane.MAIN && forwards() || lane == Lane.DEAD_LETTER && forwardsDeadLetters())
                && hasAvailable(lane);
    }

    private boolean hasAvailable(Lane lane) {
        return !window(lane).isEmpty() || hasMoreInStore(lane);
    }

    @Override
    public boolean sweepsExpired() {
        // Forwarding is receiving (IDLE-10).
        return expiryEnforcement == ExpiryEnforcement.BACKGROUND
                || forwards()
                || receivers.isActive(Lane.MAIN)
                || (sessions != null && (listenedTo || sessions.isListenedTo())); // TTL-31
    }

    /** Returns the durable totals, to be written with the batch. */
    public FragmentRow row(RowWriter writer) {
        writeSessions(writer);
        if (++appliedSinceHeadCheck >= HEAD_CHECK_EVERY + 4 * locks.size()) {
            appliedSinceHeadCheck = 0;
            advanceHeads(writer);
        }
        return new FragmentRow(
                lastSequenceNumber,
                mainHead,
                deadLetterHead,
                active,
                deferred,
                scheduled,
                deadLetter,
                transferDeadLetter,
                sizeBytes,
                accessedAtMs);
    }

    /** Writes the changes of sessions, so that reads of rows find them; {@link #row} does it, too. */
    public void writeSessions(RowWriter writer) {
        if (sessions != null) {
            sessions.flush(writer);
        }
    }

    /** Returns whether records without rows have changed totals that are stored in rows; {@link #row} writes them. */
    public boolean hasUnwritten() {
        return sessions != null && sessions.hasUnwritten();
    }

    void countApplied() {
        appliedSinceHeadCheck++;
    }

    /** Finds the smallest numbers still in use, so that a restart need not read past deleted rows. */
    private void advanceHeads(RowWriter writer) {
        mainHead = smallestNumber(Lane.MAIN);
        deadLetterHead = smallestNumber(Lane.DEAD_LETTER);
        List<Long> blocks = expiry.before(mainHead);
        for (long block : blocks) {
            writer.deleteExpiryBlock(id, block);
        }
        if (!blocks.isEmpty()) {
            expiry.forget(blocks);
        }
    }

    private long smallestNumber(Lane lane) {
        if (sessions != null && lane == Lane.MAIN) {
            return Math.min(sessions.smallestNumber(), lastSequenceNumber + 1);
        }
        MessageWindow window = window(lane);
        QueuedMessage first = window.first();
        long[] smallest = {first == null ? Math.min(window.horizon(), lastSequenceNumber + 1) : first.sequenceNumber};
        locks.forEach(lane, lock -> smallest[0] = Math.min(smallest[0], lock.message.sequenceNumber));
        return lane == Lane.DEAD_LETTER ? Math.min(smallest[0], passedByFrom) : smallest[0];
    }

    /** Lowers the head of the dead-letter lane for a message with that number. */
    void lowerDeadLetterHead(long sequenceNumber) {
        deadLetterHead = Math.min(deadLetterHead, sequenceNumber);
    }

    @Override
    public DuplicatesView duplicates() {
        return duplicates;
    }

    MessageWindow window(Lane lane) {
        MessageWindow window = windows.get(lane);
        if (window == null) {
            throw new IllegalStateException("Expected a lane that is received from, but got " + lane + ".");
        }
        return window;
    }

    /** Returns the window for an available message, or null if memory does not hold the message. */
    @Nullable
    MessageWindow window(Lane lane, @Nullable String sessionId) {
        return sessions != null && lane == Lane.MAIN ? sessions.window(sessionId) : window(lane);
    }

    /** Sets another description. Skipped dead letters can then be retried, because the reason may no longer exist. */
    void describe(QueueDescription changed) {
        description = changed;
        if (passedByFrom != Long.MAX_VALUE) {
            window(Lane.DEAD_LETTER).readAgainFrom(passedByFrom);
            passedByFrom = Long.MAX_VALUE;
        }
    }

    /** Skips a dead letter for now and keeps it only in the store. */
    void passBy(long sequenceNumber) {
        window(Lane.DEAD_LETTER).remove(sequenceNumber);
        passedByFrom = Math.min(passedByFrom, sequenceNumber);
    }

    void passedByFrom(long sequenceNumber) {
        passedByFrom = sequenceNumber;
    }

    /**
     * Returns a lower bound of the numbers of skipped dead letters, {@link Long#MAX_VALUE} if there are none (FWD-12).
     */
    public long passedByFrom() {
        return passedByFrom;
    }

    @Override
    public FragmentId id() {
        return id;
    }

    @Override
    public QueueDescription description() {
        return description;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public ExpiryEnforcement expiryEnforcement() {
        return expiryEnforcement;
    }

    @Override
    public long maxMessageSizeBytes() {
        Long own = description.maxMessageSizeInKilobytes();
        return own == null ? limits.maxMessageSizeBytes() : own * 1024;
    }

    @Override
    public long lastSequenceNumber() {
        return lastSequenceNumber;
    }

    @Override
    public MessageCounts counts() {
        return new MessageCounts(
                active,
                deadLetter,
                scheduled,
                transferPending,
                transferDeadLetter,
                deferred,
                locks.size(Lane.MAIN),
                sizeBytes);
    }

    @Override
    public @Nullable SessionTable sessions() {
        return sessions;
    }

    @Override
    public @Nullable MessageLock lock(UUID token) {
        return locks.find(token);
    }

    @Override
    public @Nullable MessageLock lock(Lane lane, long sequenceNumber) {
        return locks.find(lane, sequenceNumber);
    }

    @Override
    public boolean isSessionLost(UUID token) {
        return sessions != null && sessions.isLost(token);
    }

    @Override
    public int lockCount() {
        return locks.size();
    }

    @Override
    public @Nullable MessageLock firstLock() {
        return locks.first();
    }

    @Override
    public @Nullable ReceiverState receiver(long receiverId) {
        return receivers.find(receiverId);
    }

    @Override
    public int receiverCount() {
        return receivers.size() + (sessions == null ? 0 : sessions.waiting().size());
    }

    /** Returns the receivers with credit or a pending drain, of all lanes. */
    public List<Long> waitingReceiverIds() {
        List<Long> ids = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            receivers.waiting(lane).forEach(receiver -> ids.add(receiver.id));
        }
        return ids;
    }

    @Override
    public Collection<ReceiverState> waitingReceivers(Lane lane) {
        return receivers.waiting(lane);
    }

    @Override
    public List<QueuedMessage> head(Lane lane, int countMax) {
        return window(lane).head(countMax);
    }

    @Override
    public int availableCount(Lane lane) {
        return window(lane).size();
    }

    @Override
    public boolean hasMoreInStore(Lane lane) {
        return window(lane).horizon() != MessageWindow.COMPLETE;
    }

    @Override
    public long cancelHolder(long sequenceNumber) {
        return timers.holder(sequenceNumber);
    }

    @Override
    public List<TimerRow> dueTimers(long nowMs, int countMax) {
        return timers.due(nowMs, countMax);
    }

    @Override
    public List<Long> dueExpiryBlocks(long nowMs, int countMax) {
        return expiry.due(nowMs, countMax);
    }

    @Override
    public List<Long> expiryBlocksToLookAt(int countMax) {
        return hasSurplusOfExpiryBlocks() ? expiry.toLookAt(countMax) : List.of();
    }

    @Override
    public long expiryOfBlock(long block) {
        return expiry.of(block);
    }

    private boolean hasSurplusOfExpiryBlocks() {
        return expiry.hasSurplus(active + deferred);
    }

    @Override
    public long earliestExpiryMs() {
        return expiry.earliestMs();
    }

    /**
     * Returns whether there is a lock with that token, including a lock whose time has passed but that has not been ended
     * yet.
     */
    public boolean isLocked(UUID token) {
        return locks.find(token) != null;
    }

    /** Returns the tokens of locks that have ended, earliest first. */
    public List<UUID> endedLockTokens(long nowMs, int countMax) {
        return endedLocks(nowMs, countMax).stream().map(lock -> lock.token).toList();
    }

    @Override
    public List<MessageLock> endedLocks(long nowMs, int countMax) {
        return locks.ended(nowMs, countMax);
    }
}
