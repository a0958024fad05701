package dev.jitney.core.queue.state;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.SessionsView;
import dev.jitney.core.queue.WaitingReceiver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a fragment: existing, available and held ones (semantics chapter 10).
 *
 * <p>Sessions are in the store, where the messages of a session can be read in order without reading others. Memory holds
 * the held sessions, the ones used recently, and the first available ones, so that a million sessions cost as much as a
 * thousand. The changes of a session are written once, before the commit.
 */
final class SessionTable implements SessionsView {
    /** The maximum number of sessions in memory between commits; the others are in the store. */
    private static final int REMEMBERED_MAX = 16_384;

    /** The maximum number of available sessions in memory. */
    private static final int READY_MAX = 16_384;

    /** The number of rows that are read at once. */
    private static final int PAGE = 256;

    /** The maximum content that is read into memory at once; the last message may exceed it. */
    private static final long PAGE_BYTES_MAX = 4L << 20;

    /**
     * The maximum number of kept tokens of messages whose session was lost, so that their settlement fails with the right
     * error.
     */
    private static final int LOST_TOKENS_MAX = 10_000;

    private static final Comparator<HeldSession> BY_LOCK_END = Comparator.<HeldSession>comparingLong(
                    held -> held.lockedUntilMs)
            .thenComparingLong(held -> held.receiverId);
    private static final Comparator<WaitingReceiver> BY_DEADLINE =
            Comparator.comparingLong(WaitingReceiver::deadlineMs).thenComparingLong(WaitingReceiver::receiverId);

    private final FragmentId fragment;
    private final RowReader rows;
    private final MemoryBudget budget;
    private final LinkedHashMap<String, SessionEntry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private final Set<SessionEntry> dirty = new LinkedHashSet<>();
    private final ReadySessions ready;
    private final Rotation rotation = new Rotation();
    private final Map<Long, HeldSession> byReceiver = new LinkedHashMap<>();
    private final TreeSet<HeldSession> byLockEnd = new TreeSet<>(BY_LOCK_END);
    private final Map<Long, WaitingReceiver> waiting = new LinkedHashMap<>();
    private final Collection<WaitingReceiver> waitingView = Collections.unmodifiableCollection(waiting.values());
    private final TreeSet<WaitingReceiver> byDeadline = new TreeSet<>(BY_DEADLINE);
    private final Set<UUID> lostTokens = new LinkedHashSet<>();

    /** The number of sessions in memory above which old ones are dropped. */
    private int rememberedMax = REMEMBERED_MAX;

    SessionTable(FragmentId fragment, RowReader rows, MemoryBudget budget) {
        this.fragment = fragment;
        this.rows = rows;
        this.budget = budget;
        this.ready = new ReadySessions(READY_MAX, budget);
    }

    // --- contents ---

    /**
     * Notes that the store has active messages.
     *
     * @param lastNumber the largest assigned sequence number
     * @param smallestNumber no active message has a smaller one
     */
    void startInStore(long lastNumber, long smallestNumber) {
        ready.startInStore(smallestNumber);
        rotation.start(lastNumber, place -> rows.sessionHeads(fragment, new SessionHeadRow(place, ""), 1));
    }

    /** Returns the entry of a session, read from the store if necessary. */
    SessionEntry entry(String sessionId) {
        SessionEntry entry = entries.get(sessionId);
        if (entry == null) {
            entry = new SessionEntry(sessionId, rows.session(fragment, sessionId));
            entries.put(sessionId, entry);
            budget.addEntries(1);
        }
        return entry;
    }

    @Override
    public @Nullable HeldSession held(String sessionId) {
        SessionEntry entry = entries.get(sessionId); // held sessions are always in memory
        return entry == null ? null : entry.held;
    }

    @Override
    public @Nullable SessionRow row(String sessionId) {
        SessionEntry known = entries.get(sessionId);
        if (known == null) {
            return rows.session(fragment, sessionId);
        }
        return known.exists() ? known.row() : null;
    }

    @Override
    public @Nullable HeldSession heldBy(long receiverId) {
        return byReceiver.get(receiverId);
    }

    Collection<HeldSession> held() {
        return byReceiver.values();
    }

    /** Returns whether a receiver holds or awaits a session (TTL-31). */
    boolean isListenedTo() {
        return !byReceiver.isEmpty() || !waiting.isEmpty();
    }

    @Override
    public Collection<WaitingReceiver> waiting() {
        return waitingView;
    }

    @Override
    public List<SessionHeadRow> ready(int count) {
        return ready.head(count);
    }

    @Override
    public boolean hasReadyInStore() {
        return ready.horizon() != null;
    }

    @Override
    public List<HeldSession> endedLocks(long nowMs, int countMax) {
        List<HeldSession> ended = new ArrayList<>();
        for (HeldSession held : byLockEnd) {
            if (held.lockedUntilMs > nowMs || ended.size() == countMax) {
                break;
            }
            ended.add(held);
        }
        return ended;
    }

    @Override
    public List<WaitingReceiver> timedOut(long nowMs, int countMax) {
        List<WaitingReceiver> late = new ArrayList<>();
        for (WaitingReceiver one : byDeadline) {
            if (one.deadlineMs() > nowMs || late.size() == countMax) {
                break;
            }
            late.add(one);
        }
        return late;
    }

    /** Returns the time when a timer next has work, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        long next = byLockEnd.isEmpty() ? Long.MAX_VALUE : byLockEnd.first().lockedUntilMs;
        return byDeadline.isEmpty() ? next : Math.min(next, byDeadline.first().deadlineMs());
    }

    /** Returns a lower bound of the numbers of active messages, {@link Long#MAX_VALUE} if there are none. */
    long smallestNumber() {
        long smallest = ready.smallestNumber();
        for (HeldSession held : byReceiver.values()) {
            smallest = Math.min(smallest, held.smallestNumber());
        }
        return smallest;
    }

    /** Returns whether the lock of that token ended with the hold on its session (SESS-10). */
    boolean isLost(UUID token) {
        return lostTokens.contains(token);
    }

    // --- reads of the store ---

    /**
     * Reads available sessions from the store if memory has none. One call reads a bounded number of rows.
     *
     * @return whether another call may find some
     */
    boolean fillReady() {
        SessionHeadRow from = ready.horizon();
        if (from == null || !ready.isEmpty()) {
            return false;
        }
        List<SessionHeadRow> page = rows.sessionHeads(fragment, from, PAGE + 1);
        boolean more = page.size() > PAGE;
        ready.page(more ? page.get(PAGE) : null);
        for (SessionHeadRow session : more ? page.subList(0, PAGE) : page) {
            SessionEntry known = entries.get(session.sessionId());
            if (known == null) {
                SessionRow row = rows.session(fragment, session.sessionId());
                ready.add(session, row == null ? session.place() : row.head());
            } else if (known.held == null) {
                ready.add(session, known.head);
            }
        }
        return ready.isEmpty() && more;
    }

    /**
     * Reads the next messages of a held session into memory if memory has none.
     *
     * @return whether another call may find some
     */
    boolean fill(HeldSession held) {
        if (!held.window.isEmpty() || held.window.horizon() == MessageWindow.COMPLETE) {
            return false;
        }
        page(held);
        return held.window.isEmpty() && held.window.horizon() != MessageWindow.COMPLETE;
    }

    /** Reads the next messages of a held session into memory. */
    void page(HeldSession held) {
        MessageWindow window = held.window;
        int countMax = Math.min(PAGE, budget.windowEntriesMax());
        List<Long> numbers = rows.sessionMessages(fragment, held.entry.id, window.horizon(), countMax);
        long bytes = 0;
        for (long number : numbers) {
            if (bytes > PAGE_BYTES_MAX) {
                return;
            }
            MessageRow row = rows.message(fragment, Lane.MAIN, number);
            window.horizon(number + 1);
            if (row != null && !row.deferred() && !held.locks.containsKey(number)) {
                bytes += row.message().content().sizeBytes();
                window.add(QueuedMessage.of(row), row.message());
            }
        }
        if (numbers.size() < countMax) {
            window.horizon(MessageWindow.COMPLETE);
        }
    }

    // --- effects of records ---

    /** Adds a message of the main lane. */
    void arrived(StoredMessage message, RowWriter writer) {
        long number = message.sequenceNumber();
        SessionEntry entry = entry(idOf(message.sessionId()));
        writer.putSessionMessage(fragment, entry.id, number);
        entry.active++;
        entry.messages++;
        touch(entry);
        if (number < entry.head) { // otherwise it keeps its place among the ready sessions
            moveHead(entry, number);
        }
        if (entry.held != null) {
            entry.held.window.add(new QueuedMessage(message, null), message);
        }
    }

    /**
     * Removes a message from the main lane.
     *
     * @param deferred whether the message was deferred
     */
    void left(@Nullable String sessionId, long number, boolean deferred, RowWriter writer) {
        SessionEntry entry = entry(idOf(sessionId));
        writer.deleteSessionMessage(fragment, entry.id, number);
        entry.messages--;
        if (entry.held != null) {
            entry.held.window.remove(number);
        }
        touch(entry);
        if (!deferred) {
            passed(entry, number);
        }
        forgetStateIfGone(entry);
    }

    /** Removes a deferred message from the active ones. */
    void deferred(@Nullable String sessionId, long number) {
        SessionEntry entry = entry(idOf(sessionId));
        touch(entry);
        passed(entry, number);
    }

    /** Removes an active message. */
    private void passed(SessionEntry entry, long number) {
        entry.active--;
        if (entry.active == 0) {
            moveHead(entry, SessionEntry.NO_HEAD);
        } else if (number <= entry.head) {
            moveHead(entry, entry.held == null ? number + 1 : Math.max(number + 1, entry.held.smallestNumber()));
        }
    }

    private void moveHead(SessionEntry entry, long head) {
        move(entry, head, head == SessionEntry.NO_HEAD ? 0 : entry.place);
    }

    private void move(SessionEntry entry, long head, long place) {
        if (entry.held == null) {
            ready.remove(entry.headRow());
        }
        if (head != entry.head || place != entry.place) {
            touch(entry);
            entry.head = head;
            entry.place = place;
        }
        if (entry.held == null && entry.active > 0) {
            ready.add(entry.headRow(), head);
        }
    }

    /** Sets the state of a session and returns by how many bytes the session has grown. */
    int setState(Record.SessionStateSet set, RowWriter writer) {
        SessionEntry entry = entry(set.sessionId());
        int before = Math.max(0, entry.stateSizeBytes);
        byte[] state = set.state();
        if (state != null) {
            writer.putSessionState(fragment, entry.id, state);
        } else if (entry.stateSizeBytes >= 0) {
            writer.deleteSessionState(fragment, entry.id);
        }
        entry.stateSizeBytes = state == null ? -1 : state.length;
        entry.stateChangedAtMs = set.atMs();
        touch(entry);
        forgetStateIfGone(entry);
        return Math.max(0, entry.stateSizeBytes) - before;
    }

    /**
     * Resets the time of a session that no longer exists, because a session with the same id is a new one, even if memory
     * still has the old entry (SESS-18).
     */
    private static void forgetStateIfGone(SessionEntry entry) {
        if (!entry.exists()) {
            entry.stateChangedAtMs = 0;
        }
    }

    void await(WaitingReceiver one) {
        waiting.put(one.receiverId(), one);
        byDeadline.add(one);
    }

    boolean isWaiting(long receiverId) {
        return waiting.containsKey(receiverId);
    }

    /** Removes a waiting receiver; returns false if it does not wait. */
    boolean stopWaiting(long receiverId) {
        WaitingReceiver one = waiting.remove(receiverId);
        if (one != null) {
            byDeadline.remove(one);
        }
        return one != null;
    }

    HeldSession lock(String sessionId, long receiverId, long lockedUntilMs) {
        SessionEntry entry = entry(sessionId);
        if (entry.held != null) {
            throw new IllegalStateException("Expected a session that no receiver holds, but got '" + sessionId + "'.");
        }
        ready.remove(entry.headRow());
        MessageWindow window = new MessageWindow(budget);
        window.startAt(entry.head == SessionEntry.NO_HEAD ? MessageWindow.COMPLETE : entry.head);
        HeldSession held = new HeldSession(this, entry, receiverId, window, lockedUntilMs);
        entry.held = held;
        byReceiver.put(receiverId, held);
        byLockEnd.add(held);
        forgetOld(); // an accepted session may never have been written
        return held;
    }

    void renew(String sessionId, long lockedUntilMs) {
        HeldSession held = held(sessionId);
        if (held != null && held.isFrozen()) {
            held.lockedUntilMs = lockedUntilMs;
        } else if (held != null) {
            byLockEnd.remove(held);
            held.lockedUntilMs = lockedUntilMs;
            byLockEnd.add(held);
        }
    }

    /** Keeps a hold from ending by time. */
    void frozen(HeldSession held) {
        byLockEnd.remove(held);
    }

    /** Allows a hold to end again, and ends it now if its receiver has detached. */
    void thawed(HeldSession held) {
        if (held.left) {
            held.lockedUntilMs = 0;
        }
        byLockEnd.add(held);
    }

    /**
     * Ends a hold; the caller has ended the locks of its messages. If the session has messages left, it goes behind all
     * other waiting sessions, so that a session that no receiver completes does not block the others (SESS-5).
     *
     * @param lastNumber the largest assigned sequence number
     */
    void release(HeldSession held, long lastNumber) {
        end(held, held.entry.active == 0 ? 0 : rotation.nextPlace(lastNumber));
    }

    /** Ends a hold on a session that no client has received; the session keeps its place among the waiting sessions. */
    void giveBack(HeldSession held) {
        end(held, held.entry.place);
    }

    private void end(HeldSession held, long place) {
        SessionEntry entry = held.entry;
        long head = entry.active == 0 ? SessionEntry.NO_HEAD : Math.max(entry.head, held.smallestNumber());
        byReceiver.remove(held.receiverId);
        byLockEnd.remove(held);
        held.window.clear();
        entry.held = null;
        move(entry, head, head == SessionEntry.NO_HEAD ? 0 : place);
    }

    /** Notes a lock of a message that ended with the hold on its session. */
    void lose(UUID token) {
        lostTokens.add(token);
        if (lostTokens.size() > LOST_TOKENS_MAX) {
            Iterator<UUID> eldest = lostTokens.iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Returns the window with a message of the main lane, or null if its session is not held. */
    @Nullable
    MessageWindow window(@Nullable String sessionId) {
        HeldSession held = held(idOf(sessionId));
        return held == null ? null : held.window;
    }

    private void touch(SessionEntry entry) {
        if (!entry.dirty) {
            entry.dirty = true;
            dirty.add(entry);
        }
    }

    private static String idOf(@Nullable String sessionId) {
        if (sessionId == null) {
            throw new IllegalStateException(
                    "Expected a message with a session id in an entity that requires sessions.");
        }
        return sessionId;
    }

    // --- memory ---

    /** Returns whether changes must be written with the next commit. */
    boolean hasUnwritten() {
        return !dirty.isEmpty();
    }

    /** Writes the changes since the last commit; to be called before every commit that follows a change. */
    void flush(RowWriter writer) {
        for (SessionEntry entry : dirty) {
            if (entry.exists()) {
                writer.putSession(fragment, entry.id, entry.row());
                entry.written = true;
            } else if (entry.written) {
                writer.deleteSession(fragment, entry.id);
                entry.written = false;
            }
            long place = entry.placeNow();
            if (entry.writtenPlace != place) {
                if (entry.writtenPlace != SessionEntry.NO_HEAD) {
                    writer.deleteSessionHead(fragment, new SessionHeadRow(entry.writtenPlace, entry.id));
                }
                if (place != SessionEntry.NO_HEAD) {
                    writer.putSessionHead(fragment, entry.headRow());
                }
                entry.writtenPlace = place;
            }
            entry.dirty = false;
        }
        dirty.clear();
        forgetOld();
    }

    /**
     * Drops old entries if there are too many. Their flushed changes are readable before the next read. If the commit
     * fails, the whole table is discarded.
     */
    private void forgetOld() {
        if (entries.size() > rememberedMax) {
            forget(REMEMBERED_MAX);
            // If most of the sessions are held, avoid a walk over them at every call.
            rememberedMax = entries.size() + REMEMBERED_MAX / 8;
        }
    }

    /** Drops sessions that were not used recently and are in the store, until only so many are left. */
    private void forget(int keep) {
        int surplus = entries.size() - keep;
        Iterator<SessionEntry> eldest = entries.values().iterator();
        while (surplus > 0 && eldest.hasNext()) {
            SessionEntry entry = eldest.next();
            if (entry.held == null && !entry.dirty) {
                eldest.remove();
                budget.addEntries(-1);
                surplus--;
            }
        }
    }

    /** Releases memory. */
    void trim(int keep) {
        ready.shrinkTo(keep);
        forget(keep);
        for (HeldSession held : byReceiver.values()) {
            held.window.dropContent();
            held.window.shrinkTo(keep);
        }
    }

    /** Releases half of the cached content of each held session. */
    void halve() {
        byReceiver.values().forEach(held -> held.window.halve());
    }

    /** Releases all memory counted in the budget; the table must not be used afterwards. */
    void discard() {
        byReceiver.values().forEach(held -> held.window.clear());
        ready.clear();
        budget.addEntries(-entries.size());
    }
}
