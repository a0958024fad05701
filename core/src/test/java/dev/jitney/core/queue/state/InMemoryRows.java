package dev.jitney.core.queue.state;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.model.MessageContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one fragment in sorted maps. A violation of the contract of {@link RowWriter} causes an
 * {@link AssertionError}: message and timer keys are put once and deleted once, and only existing rows are deleted.
 */
public final class InMemoryRows implements RowWriter, RowReader {
    private static final Comparator<TimerRow> BY_TIME =
            Comparator.comparingLong(TimerRow::dueMs).thenComparingLong(TimerRow::sequenceNumber);

    public final Map<Lane, TreeMap<Long, StoredMessage>> messages = new EnumMap<>(Lane.class);
    final Map<Lane, TreeMap<Long, MessageChange>> changes = new EnumMap<>(Lane.class);
    final TreeSet<TimerRow> timers = new TreeSet<>(BY_TIME);
    final TreeMap<Long, Long> expiryBlocks = new TreeMap<>();
    public final TreeMap<Long, Transfer> transfers = new TreeMap<>();
    public final TreeMap<Long, MessageContent> bodies = new TreeMap<>();
    public final TreeMap<Long, Integer> bodyReleases = new TreeMap<>();
    final TreeMap<String, SessionRow> sessions = new TreeMap<>();
    final TreeSet<SessionHeadRow> sessionHeads = new TreeSet<>();
    final TreeMap<String, TreeSet<Long>> sessionMessages = new TreeMap<>();
    final TreeMap<String, byte[]> sessionStates = new TreeMap<>();

    /** Writes uncommitted rows before reads that must see them. */
    Runnable commit = () -> {};

    public final TreeMap<Long, Map<DuplicateKey, AcceptedId>> acceptedIds = new TreeMap<>();
    FragmentRow fragment = FragmentRow.EMPTY;

    /** The number of rows that scans have visited, so that tests can limit the work. */
    long visited;

    /** The number of messages that were read by number. */
    long found;

    /** The number of lookups of ids in generations. */
    long idsAskedFor;

    private final Set<String> everPut = new HashSet<>();

    public InMemoryRows() {
        for (Lane lane : Lane.values()) {
            messages.put(lane, new TreeMap<>());
            changes.put(lane, new TreeMap<>());
        }
    }

    public TreeMap<Long, StoredMessage> messages(Lane lane) {
        return Objects.requireNonNull(messages.get(lane));
    }

    TreeMap<Long, MessageChange> changes(Lane lane) {
        return Objects.requireNonNull(changes.get(lane));
    }

    @Override
    public void putMessage(FragmentId id, Lane lane, StoredMessage message) {
        check(everPut.add(lane + " " + message.sequenceNumber()), "message key put once", lane, message);
        messages(lane).put(message.sequenceNumber(), message);
    }

    @Override
    public void deleteMessage(FragmentId id, Lane lane, long number) {
        check(messages(lane).remove(number) != null, "an existing message to be deleted", lane, number);
    }

    @Override
    public void putChange(FragmentId id, Lane lane, long number, MessageChange change) {
        check(messages(lane).containsKey(number), "a change of an existing message", lane, number);
        changes(lane).put(number, change);
    }

    @Override
    public void deleteChange(FragmentId id, Lane lane, long number) {
        check(changes(lane).remove(number) != null, "an existing change to be deleted", lane, number);
    }

    @Override
    public void putTimer(FragmentId id, long dueMs, long number) {
        check(everPut.add("timer " + dueMs + " " + number), "timer key put once", dueMs, number);
        timers.add(new TimerRow(dueMs, number));
    }

    @Override
    public void deleteTimer(FragmentId id, long dueMs, long number) {
        check(timers.remove(new TimerRow(dueMs, number)), "an existing timer to be deleted", dueMs, number);
    }

    @Override
    public void putExpiryBlock(FragmentId id, long block, long earliestExpiryMs) {
        expiryBlocks.put(block, earliestExpiryMs);
    }

    @Override
    public void deleteExpiryBlock(FragmentId id, long block) {
        expiryBlocks.remove(block);
    }

    @Override
    public void putBody(FragmentId topic, long number, MessageContent content) {
        check(bodies.put(number, content) == null, "a body put once", topic, number);
    }

    @Override
    public void deleteBody(FragmentId topic, long number) {
        check(bodies.remove(number) != null, "an existing body to be deleted", topic, number);
    }

    @Override
    public void putBodyReleases(FragmentId topic, long number, int count) {
        check(bodies.containsKey(number), "releases of an existing body", topic, number);
        bodyReleases.put(number, count);
    }

    @Override
    public void deleteBodyReleases(FragmentId topic, long number) {
        check(bodyReleases.remove(number) != null, "existing releases to be deleted", topic, number);
    }

    @Override
    public int bodyReleases(FragmentId topic, long number) {
        return bodyReleases.getOrDefault(number, 0);
    }

    @Override
    public void putAcceptedId(FragmentId id, AcceptedId accepted) {
        Map<DuplicateKey, AcceptedId> generation =
                acceptedIds.computeIfAbsent(accepted.generationMs(), start -> new LinkedHashMap<>());
        check(generation.put(accepted.key(), accepted) == null, "an id accepted once in a generation", id, accepted);
    }

    @Override
    public void deleteAcceptedId(FragmentId id, long generationMs, DuplicateKey key) {
        Map<DuplicateKey, AcceptedId> generation = acceptedIds.getOrDefault(generationMs, Map.of());
        check(generation.remove(key) != null, "an existing id to be deleted", generationMs, key);
        if (generation.isEmpty()) {
            acceptedIds.remove(generationMs);
        }
    }

    @Override
    public void deleteAcceptedIds(FragmentId id, long generationMs) {
        acceptedIds.remove(generationMs);
    }

    @Override
    public @Nullable AcceptedId acceptedId(FragmentId id, long generationMs, DuplicateKey key) {
        idsAskedFor++;
        return acceptedIds.getOrDefault(generationMs, Map.of()).get(key);
    }

    @Override
    public List<Long> acceptedIdGenerations(FragmentId id) {
        return new ArrayList<>(acceptedIds.keySet());
    }

    @Override
    public List<DuplicateKey> acceptedIds(FragmentId id, long generationMs, int countMax) {
        return acceptedIds.getOrDefault(generationMs, Map.of()).keySet().stream()
                .limit(countMax)
                .toList();
    }

    @Override
    public void putSession(FragmentId id, String sessionId, SessionRow row) {
        sessions.put(sessionId, row);
    }

    @Override
    public void deleteSession(FragmentId id, String sessionId) {
        check(sessions.remove(sessionId) != null, "an existing session to be deleted", id, sessionId);
    }

    @Override
    public void putSessionHead(FragmentId id, SessionHeadRow head) {
        check(sessionHeads.add(head), "a session head put once", id, head);
    }

    @Override
    public void deleteSessionHead(FragmentId id, SessionHeadRow head) {
        check(sessionHeads.remove(head), "an existing session head to be deleted", id, head);
    }

    @Override
    public void putSessionMessage(FragmentId id, String sessionId, long number) {
        check(everPut.add("session " + sessionId + " " + number), "a session message put once", sessionId, number);
        sessionMessages.computeIfAbsent(sessionId, none -> new TreeSet<>()).add(number);
    }

    @Override
    public void deleteSessionMessage(FragmentId id, String sessionId, long number) {
        TreeSet<Long> numbers = sessionMessages.getOrDefault(sessionId, new TreeSet<>());
        check(numbers.remove(number), "an existing session message to be deleted", sessionId, number);
        if (numbers.isEmpty()) {
            sessionMessages.remove(sessionId);
        }
    }

    @Override
    public void putSessionState(FragmentId id, String sessionId, byte[] state) {
        sessionStates.put(sessionId, state);
    }

    @Override
    public void deleteSessionState(FragmentId id, String sessionId) {
        check(sessionStates.remove(sessionId) != null, "an existing state to be deleted", id, sessionId);
    }

    @Override
    public @Nullable SessionRow session(FragmentId id, String sessionId) {
        return sessions.get(sessionId);
    }

    @Override
    public List<Long> sessionMessages(FragmentId id, String sessionId, long from, int countMax) {
        return sessionMessages.getOrDefault(sessionId, new TreeSet<>()).tailSet(from).stream()
                .limit(countMax)
                .toList();
    }

    @Override
    public List<SessionHeadRow> sessionHeads(FragmentId id, SessionHeadRow from, int countMax) {
        commit.run();
        return sessionHeads.tailSet(from).stream().limit(countMax).toList();
    }

    @Override
    public void scanSessions(FragmentId id, @Nullable String afterSessionId, SessionVisitor visitor) {
        commit.run();
        for (Map.Entry<String, SessionRow> entry :
                (afterSessionId == null ? sessions : sessions.tailMap(afterSessionId, false)).entrySet()) {
            if (!visitor.visit(entry.getKey(), entry.getValue())) {
                return;
            }
        }
    }

    @Override
    public byte @Nullable [] sessionState(FragmentId id, String sessionId) {
        return sessionStates.get(sessionId);
    }

    @Override
    public void putTransfer(FragmentId source, Transfer transfer) {
        check(transfers.put(transfer.number(), transfer) == null, "a new transfer", Lane.MAIN, transfer);
    }

    @Override
    public void deleteTransfer(FragmentId source, long destinationId, long number) {
        check(transfers.remove(number) != null, "an existing transfer to be deleted", Lane.MAIN, number);
    }

    @Override
    public void putFragment(FragmentId id, FragmentRow row) {
        fragment = row;
    }

    @Override
    public void putEntity(EntityRow row) {
        throw new AssertionError("Expected no entity row from a fragment, but got " + row + ".");
    }

    @Override
    public void deleteEntity(long entityId) {
        throw new AssertionError("Expected no entity to be deleted by a fragment, but " + entityId + " is.");
    }

    @Override
    public @Nullable MessageRow message(FragmentId id, Lane lane, long number) {
        StoredMessage message = messages(lane).get(number);
        found += message == null ? 0 : 1;
        return message == null ? null : new MessageRow(message, changes(lane).get(number));
    }

    @Override
    public StoredMessage stored(FragmentId id, Lane lane, long number) {
        StoredMessage message = messages(lane).get(number);
        check(message != null, "a row of a message known to exist", lane, number);
        return Objects.requireNonNull(message);
    }

    @Override
    public void scan(FragmentId id, Lane lane, long from, long to, Visitor visitor) {
        // A copy of the entries: records must only be applied after the scan, but nothing here enforces that.
        for (StoredMessage message :
                new ArrayList<>(messages(lane).subMap(from, true, to, false).values())) {
            visited++;
            if (!visitor.visit(new MessageRow(message, changes(lane).get(message.sequenceNumber())))) {
                return;
            }
        }
    }

    @Override
    public List<TimerRow> timers(FragmentId id, long dueMs, long number, int countMax) {
        return timers.tailSet(new TimerRow(dueMs, number), true).stream()
                .limit(countMax)
                .toList();
    }

    @Override
    public List<ExpiryBlockRow> expiryBlocks(FragmentId id) {
        List<ExpiryBlockRow> out = new ArrayList<>();
        expiryBlocks.forEach((block, earliest) -> out.add(new ExpiryBlockRow(block, earliest)));
        return out;
    }

    private static void check(boolean holds, String expected, Object... values) {
        if (!holds) {
            throw new AssertionError("Expected " + expected + ", but not so for " + List.of(values) + ".");
        }
    }
}
