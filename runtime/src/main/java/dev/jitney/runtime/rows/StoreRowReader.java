package dev.jitney.runtime.rows;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.RowWriter.ExpiryBlockRow;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.idle.Downtimes;
import dev.jitney.model.MessageContent;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.AppliedRows;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows: committed ones of the store, and on top of them the applied rows that are not committed yet ({@link
 * AppliedRows}). A read commits nothing, except that a failing read first commits everything applied before it. Some
 * methods read as of the last commit, because the caller knows the later changes or must not use them before they are
 * durable. Faults of the store are thrown as {@link StoreFault}, with the entity whose rows were read. For the shard's
 * thread.
 */
public final class StoreRowReader implements RowReader {
    private static final String MADE_NAMESPACE = "made-namespace/";

    /** The key after all keys with the prefix: it ends with the character after the slash. */
    private static final byte[] MADE_NAMESPACES_END = "made-namespace0".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NAMESPACES_END = "namespace0".getBytes(StandardCharsets.US_ASCII);

    static final byte[] LAST_ENTITY_ID = "last-entity-id".getBytes(StandardCharsets.US_ASCII);
    private static final int DOCUMENT_BYTES_MAX = 1 << 20;
    private static final int BLOCK_VERSION = 1;
    private static final int MARK_VERSION = 1;

    private final MessagingStore store;
    private final AppliedRows applied;
    private final Turn turn;
    private final FirstRows first;
    private final KeySeal seal;

    /** The turn in which rows are read. */
    public interface Turn {
        /** No turn: everything is committed. */
        Turn NONE = new Turn() {
            @Override
            public void writeSessions() {}

            @Override
            public void commitBeforeFault() {}
        };

        /**
         * Writes changed sessions to the batch, which otherwise happens at the commit. Called before a search for
         * sessions; cheap if nothing has changed.
         */
        void writeSessions();

        /**
         * Commits everything applied before an unreadable row, which ends the turn with a fault. So a corrupt row does
         * not undo unrelated changes.
         *
         * @throws StoreFault if the commit fails, too
         */
        void commitBeforeFault();
    }

    /**
     * Creates a reader for the thread that fills a batch.
     *
     * @param writer writes all rows of the batch
     */
    public StoreRowReader(MessagingStore store, StoreRowWriter writer, Turn turn) {
        this.store = store;
        this.applied = new AppliedRows(store, writer.batch());
        this.turn = turn;
        this.first = writer.first();
        this.seal = writer.seal();
    }

    /** Creates a reader of committed rows. */
    public StoreRowReader(MessagingStore store) {
        this.store = store;
        this.applied = new AppliedRows(store, new RowBatch());
        this.turn = Turn.NONE;
        this.first = FirstRows.NONE;
        this.seal = KeySeal.NONE;
    }

    private StoreFault fault(StoreException e, long entityId) {
        turn.commitBeforeFault();
        return new StoreFault(e, entityId);
    }

    @Override
    public @Nullable MessageRow message(FragmentId fragment, Lane lane, long sequenceNumber) {
        byte[] key = RowKeys.message(fragment, lane, sequenceNumber);
        try {
            byte[] message = applied.get(Table.MESSAGES, key);
            if (message == null) {
                return null;
            }
            byte[] change = applied.get(Table.MESSAGE_STATES, key);
            return new MessageRow(
                    MessageRows.message(sequenceNumber, message, this::body),
                    change == null ? null : MessageRows.change(change));
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
    }

    @Override
    public StoredMessage stored(FragmentId fragment, Lane lane, long sequenceNumber) {
        byte[] key = RowKeys.message(fragment, lane, sequenceNumber);
        try {
            byte[] message = store.get(Table.MESSAGES, key);
            if (message == null) {
                message = applied.get(Table.MESSAGES, key); // a message row never changes, so the store is read first
            }
            if (message == null) {
                throw new IllegalStateException("Expected a row for message " + sequenceNumber + " of entity "
                        + fragment.entityId() + " in lane " + lane + ", but there is none.");
            }
            return MessageRows.message(sequenceNumber, message, this::body);
        } catch (StoreException e) {
            throw new StoreFault(e, fragment.entityId());
        }
    }

    /** Decodes a row that is a single number of four bytes. */
    private static int number(byte[] value, String what) throws StoreException {
        if (value.length != Integer.BYTES) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a " + what + " row of 4 bytes, but found " + value.length + ".");
        }
        return ByteBuffer.wrap(value).getInt();
    }

    private MessageContent body(SharedBody shared) throws StoreException {
        byte[] key = RowKeys.body(shared.topic(), shared.number());
        byte[] value = store.get(Table.BODIES, key);
        if (value == null) {
            value = applied.get(Table.BODIES, key);
        }
        if (value == null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected the shared body " + shared.number() + " of topic "
                            + shared.topic().entityId() + ", but there is none.");
        }
        try {
            return MessageContent.wrap(value);
        } catch (IllegalArgumentException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, "A shared body is corrupt: " + e.getMessage(), e);
        }
    }

    @Override
    public int bodyReleases(FragmentId topic, long number) {
        try {
            byte[] value = applied.get(Table.BODY_RELEASES, RowKeys.body(topic, number));
            return value == null ? 0 : number(value, "body release");
        } catch (StoreException e) {
            throw new StoreFault(e, topic.entityId());
        }
    }

    @Override
    public @Nullable AcceptedId acceptedId(FragmentId fragment, long generationMs, DuplicateKey key) {
        try {
            byte[] value = store.get(Table.DUPLICATE_IDS, AcceptedIdRows.key(fragment, generationMs, key));
            return value == null ? null : AcceptedIdRows.read(generationMs, key, value);
        } catch (StoreException e) {
            throw new StoreFault(e, fragment.entityId());
        }
    }

    @Override
    public List<Long> acceptedIdGenerations(FragmentId fragment) {
        List<Long> out = new ArrayList<>();
        byte[] from = RowKeys.fragment(fragment);
        while (true) { // few generations, each possibly large: seek to the next one
            try (StoreCursor rows = applied.scan(Table.DUPLICATE_IDS, from, RowKeys.fragmentEnd(fragment))) {
                if (!rows.next()) {
                    return out;
                }
                long generationMs = RowKeys.generationOf(rows.key());
                out.add(generationMs);
                from = RowKeys.generation(fragment, generationMs + 1);
            } catch (StoreException e) {
                throw fault(e, fragment.entityId());
            }
        }
    }

    @Override
    public List<DuplicateKey> acceptedIds(FragmentId fragment, long generationMs, int countMax) {
        List<DuplicateKey> out = new ArrayList<>();
        try (StoreCursor rows = store.scan(
                Table.DUPLICATE_IDS,
                RowKeys.generation(fragment, generationMs),
                RowKeys.generation(fragment, generationMs + 1))) {
            while (out.size() < countMax && rows.next()) {
                out.add(AcceptedIdRows.keyOf(rows.key()));
            }
        } catch (StoreException e) {
            throw new StoreFault(e, fragment.entityId());
        }
        return out;
    }

    @Override
    public void scan(FragmentId fragment, Lane lane, long from, long to, Visitor visitor) {
        long start = first.start(fragment, lane, from);
        byte[] begin = RowKeys.message(fragment, lane, start);
        byte[] end = to == Long.MAX_VALUE ? RowKeys.messagesEnd(fragment, lane) : RowKeys.message(fragment, lane, to);
        boolean committed = !applied.touches(Table.MESSAGES);
        try (StoreCursor messages = applied.scan(Table.MESSAGES, begin, end);
                StoreCursor changes = applied.scan(Table.MESSAGE_STATES, begin, end)) {
            boolean found = messages.next();
            if (committed && (found || to == Long.MAX_VALUE)) {
                first.found(fragment, lane, start, found ? RowKeys.sequenceNumberOf(messages.key()) : Long.MAX_VALUE);
            }
            boolean hasChange = found && changes.next();
            for (; found; found = messages.next()) {
                long number = RowKeys.sequenceNumberOf(messages.key());
                while (hasChange && RowKeys.sequenceNumberOf(changes.key()) < number) {
                    hasChange = changes.next();
                }
                MessageChange change = hasChange && RowKeys.sequenceNumberOf(changes.key()) == number
                        ? MessageRows.change(changes.value())
                        : null;
                if (!visitor.visit(new MessageRow(MessageRows.message(number, messages.value(), this::body), change))) {
                    return;
                }
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
    }

    @Override
    public List<TimerRow> timers(FragmentId fragment, long dueMs, long sequenceNumber, int countMax) {
        List<TimerRow> out = new ArrayList<>();
        try (StoreCursor rows = applied.scan(
                Table.TIMERS, RowKeys.timer(fragment, dueMs, sequenceNumber), RowKeys.fragmentEnd(fragment))) {
            while (out.size() < countMax && rows.next()) {
                out.add(new TimerRow(RowKeys.dueOf(rows.key()), RowKeys.timerNumberOf(rows.key())));
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
        return out;
    }

    @Override
    public List<ExpiryBlockRow> expiryBlocks(FragmentId fragment) {
        List<ExpiryBlockRow> out = new ArrayList<>();
        try (StoreCursor rows =
                applied.scan(Table.EXPIRY_BLOCKS, RowKeys.block(fragment, 0), RowKeys.fragmentEnd(fragment))) {
            while (rows.next()) {
                RowInput in = new RowInput(rows.value(), BLOCK_VERSION, "expiry block");
                out.add(new ExpiryBlockRow(RowKeys.blockOf(rows.key()), in.i64()));
                in.end();
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
        return out;
    }

    /** Returns all entities of the store. */
    public List<EntityRow> entities() {
        List<EntityRow> out = new ArrayList<>();
        try (StoreCursor rows = store.scan(Table.ENTITIES, RowKeys.entity(0), RowKeys.entity(RowKeys.ENTITY_MAX))) {
            while (rows.next()) {
                out.add(EntityRows.read(RowKeys.entityOf(rows.key()), rows.value(), seal));
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    /** Returns all fragments of partitioned entities in this store, in the order of their numbers. */
    public List<PartRow> parts() {
        List<PartRow> out = new ArrayList<>();
        try (StoreCursor rows = store.scan(Table.PARTS, RowKeys.entity(0), RowKeys.entity(RowKeys.ENTITY_MAX))) {
            while (rows.next()) {
                out.add(PartRow.read(RowKeys.entityOf(rows.key()), rows.value()));
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    /** Returns the numbers of all entities of the store, and of all fragments of partitioned ones. */
    public Set<Long> entityIds() {
        Set<Long> ids = new TreeSet<>();
        entities().forEach(entity -> ids.add(entity.entityId()));
        parts().forEach(part -> ids.add(part.entityId()));
        return ids;
    }

    /** Returns the rules of a subscription. */
    public List<Rule> rules(long subscriptionId) {
        List<Rule> out = new ArrayList<>();
        try (StoreCursor rows =
                store.scan(Table.RULES, RowKeys.entity(subscriptionId), RowKeys.entity(subscriptionId + 1))) {
            while (rows.next()) {
                out.add(RuleRows.read(rows.value()));
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    @Override
    public @Nullable SessionRow session(FragmentId fragment, String sessionId) {
        try {
            byte[] value = applied.get(Table.SESSIONS, RowKeys.session(fragment, sessionId));
            return value == null ? null : SessionRows.session(value);
        } catch (StoreException e) {
            throw new StoreFault(e, fragment.entityId());
        }
    }

    @Override
    public List<Long> sessionMessages(FragmentId fragment, String sessionId, long from, int countMax) {
        List<Long> out = new ArrayList<>();
        try (StoreCursor rows = applied.scan(
                Table.SESSION_MESSAGES,
                RowKeys.sessionMessage(fragment, sessionId, Math.max(0, from)),
                RowKeys.sessionMessage(fragment, sessionId, Long.MAX_VALUE))) {
            while (out.size() < countMax && rows.next()) {
                out.add(RowKeys.sessionMessageNumberOf(rows.key()));
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
        return out;
    }

    @Override
    public List<SessionHeadRow> sessionHeads(FragmentId fragment, SessionHeadRow from, int countMax) {
        turn.writeSessions();
        List<SessionHeadRow> out = new ArrayList<>();
        try (StoreCursor rows =
                applied.scan(Table.SESSION_HEADS, RowKeys.sessionHead(fragment, from), RowKeys.fragmentEnd(fragment))) {
            while (out.size() < countMax && rows.next()) {
                out.add(RowKeys.sessionHeadOf(rows.key()));
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
        return out;
    }

    @Override
    public void scanSessions(FragmentId fragment, @Nullable String afterSessionId, SessionVisitor visitor) {
        turn.writeSessions();
        byte[] from = RowKeys.session(fragment, afterSessionId == null ? "" : afterSessionId);
        try (StoreCursor rows = applied.scan(Table.SESSIONS, from, RowKeys.fragmentEnd(fragment))) {
            while (rows.next()) {
                String id = RowKeys.sessionOf(rows.key());
                if (!id.equals(afterSessionId) && !visitor.visit(id, SessionRows.session(rows.value()))) {
                    return;
                }
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
    }

    @Override
    public byte @Nullable [] sessionState(FragmentId fragment, String sessionId) {
        try {
            byte[] value = applied.get(Table.SESSION_STATES, RowKeys.session(fragment, sessionId));
            return value == null ? null : SessionRows.readState(value);
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
    }

    /** A message of a deleted subscription. */
    public record Remnant(long sequenceNumber, @Nullable SharedBody sharedBody) {}

    /** Returns messages of a lane from a number (inclusive), without their content. */
    public List<Remnant> remnants(FragmentId fragment, Lane lane, long from, int countMax) {
        List<Remnant> out = new ArrayList<>();
        try (StoreCursor rows = applied.scan(
                Table.MESSAGES, RowKeys.message(fragment, lane, from), RowKeys.messagesEnd(fragment, lane))) {
            while (out.size() < countMax && rows.next()) {
                out.add(new Remnant(RowKeys.sequenceNumberOf(rows.key()), MessageRows.sharedBody(rows.value())));
            }
        } catch (StoreException e) {
            throw fault(e, fragment.entityId());
        }
        return out;
    }

    /** Returns the number of the fragment that has messages of an entity, or -1 if the entity has none. */
    public int fragmentWithMessages(long entityId) {
        try (StoreCursor rows = applied.scan(Table.MESSAGES, RowKeys.entity(entityId), RowKeys.entity(entityId + 1))) {
            return rows.next() ? RowKeys.fragmentOf(rows.key()) : -1;
        } catch (StoreException e) {
            throw fault(e, entityId);
        }
    }

    /** Returns the topics of deleted subscriptions that still have messages, by the number of the subscription. */
    public Map<Long, Long> remains() {
        Map<Long, Long> out = new LinkedHashMap<>();
        try (StoreCursor rows = store.scan(Table.REMAINS, RowKeys.entity(0), RowKeys.entity(RowKeys.ENTITY_MAX))) {
            while (rows.next()) {
                out.put(RowKeys.entityOf(rows.key()), RowKeys.entityOf(rows.value()));
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    /** The transfers of one source to one destination. */
    public record OutboxLane(FragmentId source, long destinationId) {}

    /**
     * Counts the waiting transfers of each lane, as of the last commit.
     *
     * @param damaged called for each source with unreadable transfers; none of its transfers are counted
     */
    public Map<OutboxLane, Long> outboxes(Consumer<StoreFault> damaged) {
        try {
            return outboxes(0, RowKeys.ENTITY_MAX);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.CORRUPT) {
                throw new StoreFault(e);
            }
        }
        Map<OutboxLane, Long> out = new LinkedHashMap<>();
        for (long source : entityIds()) {
            try {
                out.putAll(outboxes(source, source + 1));
            } catch (StoreException e) {
                StoreFault fault = new StoreFault(e, source);
                if (e.reason() != StoreException.Reason.CORRUPT) {
                    throw fault;
                }
                damaged.accept(fault);
            }
        }
        return out;
    }

    private Map<OutboxLane, Long> outboxes(long fromEntity, long toEntity) throws StoreException {
        Map<OutboxLane, Long> out = new LinkedHashMap<>();
        try (StoreCursor rows = store.scan(Table.TRANSFERS, RowKeys.entity(fromEntity), RowKeys.entity(toEntity))) {
            while (rows.next()) {
                OutboxLane lane = new OutboxLane(RowKeys.sourceOf(rows.key()), RowKeys.destinationOf(rows.key()));
                out.merge(lane, 1L, Long::sum);
            }
        }
        return out;
    }

    /**
     * Returns the first waiting transfers of a lane, as of the last commit.
     *
     * @param from lower bound of the waiting numbers, which avoids a scan over deleted rows
     * @param bytesMax limit of content, which the last transfer may exceed
     */
    public List<Transfer> transfers(OutboxLane lane, long from, int countMax, long bytesMax) {
        List<Transfer> out = new ArrayList<>();
        long bytes = 0;
        try (StoreCursor rows = store.scan(
                Table.TRANSFERS,
                RowKeys.transfer(lane.source(), lane.destinationId(), from),
                RowKeys.transfer(lane.source(), lane.destinationId(), Long.MAX_VALUE))) {
            while (out.size() < countMax && bytes < bytesMax && rows.next()) {
                Transfer transfer =
                        TransferRows.transfer(RowKeys.transferNumberOf(rows.key()), lane.destinationId(), rows.value());
                out.add(transfer);
                bytes += transfer.sizeBytes();
            }
        } catch (StoreException e) {
            throw new StoreFault(e, lane.source().entityId());
        }
        return out;
    }

    /** Returns the last transfer that a destination has stored from a source, as of the last commit; 0 if none. */
    public long transferMark(FragmentId destination, FragmentId source) {
        try {
            byte[] value = store.get(Table.TRANSFER_MARKS, RowKeys.transferMark(destination, source));
            if (value == null) {
                return 0;
            }
            RowInput in = new RowInput(value, MARK_VERSION, "transfer mark");
            long number = in.i64();
            in.end();
            return number;
        } catch (StoreException e) {
            throw new StoreFault(e, destination.entityId());
        }
    }

    /**
     * Returns the last stored time at which the shard was up, milliseconds since the epoch, or null if there is none.
     */
    public @Nullable Long aliveMs() {
        try {
            byte[] value = store.get(Table.UPTIME, UptimeRows.ALIVE);
            return value == null ? null : UptimeRows.alive(value);
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }

    /** Returns the stored downtimes of the shard. */
    public Downtimes downtimes() {
        try {
            byte[] value = store.get(Table.UPTIME, UptimeRows.DOWNTIMES);
            return value == null ? Downtimes.NONE : UptimeRows.downtimes(value);
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }

    /** Returns the stored data of a namespace, or null. */
    public @Nullable NamespaceRow namespace(String name) {
        try {
            byte[] value = store.get(Table.META, namespaceKey(name));
            return value == null ? null : NamespaceRow.read(value, seal);
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }

    /**
     * Returns whether all access keys of the store are stored as the seal stores them. Fails if they are encrypted with a key that the
     * seal does not have.
     */
    public boolean isSealed() {
        try {
            return SealRow.isCurrent(store, seal);
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }

    /** Returns the stored data of all namespaces, by their names in lower case. */
    public Map<String, NamespaceRow> namespaces() {
        Map<String, NamespaceRow> out = new TreeMap<>();
        byte[] from = namespaceKey("");
        try (StoreCursor rows = store.scan(Table.META, from, NAMESPACES_END)) {
            while (rows.next()) {
                byte[] key = rows.key();
                String name = new String(key, from.length, key.length - from.length, StandardCharsets.UTF_8);
                out.put(name, NamespaceRow.read(rows.value(), seal));
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    /** Returns the configurations of a namespace that a cluster has applied. */
    public ConfigurationsRow configurations(String name) {
        try {
            byte[] value = store.get(Table.META, configurationsKey(name));
            return value == null ? ConfigurationsRow.NONE : ConfigurationsRow.read(value);
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }

    static byte[] configurationsKey(String name) {
        return ("configurations/" + name.toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the namespaces created at run time, by their names in lower case. */
    public Map<String, MadeNamespaceRow> madeNamespaces() {
        Map<String, MadeNamespaceRow> out = new TreeMap<>();
        try (StoreCursor rows = store.scan(Table.META, madeNamespaceKey(""), MADE_NAMESPACES_END)) {
            while (rows.next()) {
                MadeNamespaceRow row = MadeNamespaceRow.read(rows.value());
                out.put(row.name().toLowerCase(Locale.ROOT), row);
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    /** Returns documents of a namespace in the order of their ids, from an id on, and about a mebibyte at most. */
    public List<Documents.Document> documents(String namespace, Documents.Kind kind, long from, int max) {
        List<Documents.Document> out = new ArrayList<>();
        int bytes = 0;
        try (StoreCursor rows = applied.scan(
                Table.META,
                DocumentKeys.of(namespace, kind, Math.max(0, from)),
                DocumentKeys.of(namespace, kind, Long.MAX_VALUE))) {
            while (out.size() < max && bytes < DOCUMENT_BYTES_MAX && rows.next()) {
                out.add(new Documents.Document(DocumentKeys.idOf(rows.key()), rows.value()));
                bytes += rows.value().length;
            }
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
        return out;
    }

    static byte[] madeNamespaceKey(String name) {
        return (MADE_NAMESPACE + name.toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
    }

    static byte[] namespaceKey(String name) {
        return ("namespace/" + name.toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the stored totals of a fragment, or empty totals if it has no row yet. */
    public FragmentRow fragment(FragmentId id) {
        try {
            byte[] value = store.get(Table.FRAGMENTS, RowKeys.fragment(id));
            return value == null ? FragmentRow.EMPTY : MessageRows.fragment(value);
        } catch (StoreException e) {
            throw new StoreFault(e, id.entityId());
        }
    }

    /** Returns the largest entity id used so far, 0 if none. */
    public long lastEntityId() {
        try {
            byte[] value = store.get(Table.META, LAST_ENTITY_ID);
            long id = value == null ? 0 : number(value, "last entity id") & 0xffff_ffffL;
            if (id > RowKeys.ENTITY_MAX) {
                throw new StoreException(
                        StoreException.Reason.CORRUPT, "Expected a valid entity id, but found " + id + ".");
            }
            return id;
        } catch (StoreException e) {
            throw new StoreFault(e);
        }
    }
}
