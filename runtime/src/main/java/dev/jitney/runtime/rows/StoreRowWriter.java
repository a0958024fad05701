package dev.jitney.runtime.rows;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.idle.Downtimes;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageContent;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.LevelRow;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** Writes rows into a store's batch. For the shard's thread. */
public final class StoreRowWriter implements RowWriter {
    private static final byte[] NOTHING = {};
    private static final int BLOCK_VERSION = 1;
    private static final int MARK_VERSION = 1;

    /**
     * Tables whose keys do not begin with an entity, and tables whose rows are deleted separately with their entity.
     */
    private static final Set<Table> NOT_OF_ENTITIES =
            EnumSet.of(Table.META, Table.ENTITIES, Table.REMAINS, Table.UPTIME, Table.PARTS);

    /** Stands for a topic that is found in the messages of its deleted subscription. No entity has this number. */
    public static final long UNKNOWN_TOPIC = 0;

    private static final Set<Table> OF_MESSAGES = EnumSet.of(Table.MESSAGES, Table.MESSAGE_STATES);

    private final RowBatch batch;
    private final CurrentLevel level;
    private final KeySeal seal;
    private final FirstRows first = new FirstRows();
    private int rowCount;

    /** Creates a writer of the first level. */
    public StoreRowWriter(RowBatch batch) {
        this(batch, CurrentLevel.first(), KeySeal.NONE);
    }

    /**
     * @param level the level in whose formats rows are written
     * @param seal  encrypts the keys of access rules
     */
    public StoreRowWriter(RowBatch batch, CurrentLevel level, KeySeal seal) {
        this.batch = batch;
        this.level = level;
        this.seal = seal;
    }

    /** Returns the seal that encrypts the keys of access rules. */
    public KeySeal seal() {
        return seal;
    }

    /** Records that all access keys of the store are stored as the seal stores them. */
    public void putSeal() {
        if (seal.currentId().isEmpty()) {
            delete(Table.META, SealRow.KEY);
        } else {
            put(Table.META, SealRow.KEY, SealRow.write(seal));
        }
    }

    /**
     * Returns the level in whose formats rows are written (CL-60). A writer of a new version of a row uses it only from its level
     * on; {@link FormatLevels} describes how to add one.
     */
    public int level() {
        return level.get();
    }

    RowBatch batch() {
        return batch;
    }

    /** Returns the bounds of the messages, which this writer lowers. */
    FirstRows first() {
        return first;
    }

    /** Drops all written rows that are not committed. */
    public void clear() {
        batch.clear();
        first.clear();
        takeRowCount();
    }

    /** Returns the size of the current batch, bytes. */
    public long batchBytes() {
        return batch.sizeBytes();
    }

    /** Returns the number of rows put and deleted since {@link #takeRowCount}. A range counts as one. */
    public int rowCount() {
        return rowCount;
    }

    /** Returns {@link #rowCount} and sets it to 0. */
    public int takeRowCount() {
        int count = rowCount;
        rowCount = 0;
        return count;
    }

    @Override
    public void putMessage(FragmentId fragment, Lane lane, StoredMessage message) {
        first.added(fragment, lane, message.sequenceNumber());
        byte[] key = RowKeys.message(fragment, lane, message.sequenceNumber());
        batch.put(Table.MESSAGES, key, MessageRows.head(message), MessageRows.content(message));
        rowCount++;
    }

    @Override
    public void deleteMessage(FragmentId fragment, Lane lane, long sequenceNumber) {
        delete(Table.MESSAGES, RowKeys.message(fragment, lane, sequenceNumber));
    }

    @Override
    public void putChange(FragmentId fragment, Lane lane, long sequenceNumber, MessageChange change) {
        put(Table.MESSAGE_STATES, RowKeys.message(fragment, lane, sequenceNumber), MessageRows.change(change));
    }

    @Override
    public void deleteChange(FragmentId fragment, Lane lane, long sequenceNumber) {
        delete(Table.MESSAGE_STATES, RowKeys.message(fragment, lane, sequenceNumber));
    }

    @Override
    public void putTimer(FragmentId fragment, long dueMs, long sequenceNumber) {
        put(Table.TIMERS, RowKeys.timer(fragment, dueMs, sequenceNumber), NOTHING);
    }

    @Override
    public void deleteTimer(FragmentId fragment, long dueMs, long sequenceNumber) {
        delete(Table.TIMERS, RowKeys.timer(fragment, dueMs, sequenceNumber));
    }

    @Override
    public void putExpiryBlock(FragmentId fragment, long block, long earliestExpiryMs) {
        byte[] value = ByteBuffer.allocate(9)
                .put((byte) BLOCK_VERSION)
                .putLong(earliestExpiryMs)
                .array();
        put(Table.EXPIRY_BLOCKS, RowKeys.block(fragment, block), value);
    }

    @Override
    public void deleteExpiryBlock(FragmentId fragment, long block) {
        delete(Table.EXPIRY_BLOCKS, RowKeys.block(fragment, block));
    }

    @Override
    public void putBody(FragmentId topic, long number, MessageContent content) {
        put(Table.BODIES, RowKeys.body(topic, number), content.bytes());
    }

    @Override
    public void deleteBody(FragmentId topic, long number) {
        delete(Table.BODIES, RowKeys.body(topic, number));
    }

    @Override
    public void putBodyReleases(FragmentId topic, long number, int count) {
        byte[] value = ByteBuffer.allocate(4).putInt(count).array();
        put(Table.BODY_RELEASES, RowKeys.body(topic, number), value);
    }

    @Override
    public void deleteBodyReleases(FragmentId topic, long number) {
        delete(Table.BODY_RELEASES, RowKeys.body(topic, number));
    }

    @Override
    public void putSession(FragmentId fragment, String sessionId, SessionRow row) {
        put(Table.SESSIONS, RowKeys.session(fragment, sessionId), SessionRows.session(row));
    }

    @Override
    public void deleteSession(FragmentId fragment, String sessionId) {
        delete(Table.SESSIONS, RowKeys.session(fragment, sessionId));
    }

    @Override
    public void putSessionHead(FragmentId fragment, SessionHeadRow head) {
        put(Table.SESSION_HEADS, RowKeys.sessionHead(fragment, head), NOTHING);
    }

    @Override
    public void deleteSessionHead(FragmentId fragment, SessionHeadRow head) {
        delete(Table.SESSION_HEADS, RowKeys.sessionHead(fragment, head));
    }

    @Override
    public void putSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber) {
        put(Table.SESSION_MESSAGES, RowKeys.sessionMessage(fragment, sessionId, sequenceNumber), NOTHING);
    }

    @Override
    public void deleteSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber) {
        delete(Table.SESSION_MESSAGES, RowKeys.sessionMessage(fragment, sessionId, sequenceNumber));
    }

    @Override
    public void putSessionState(FragmentId fragment, String sessionId, byte[] state) {
        put(Table.SESSION_STATES, RowKeys.session(fragment, sessionId), SessionRows.state(state));
    }

    @Override
    public void deleteSessionState(FragmentId fragment, String sessionId) {
        delete(Table.SESSION_STATES, RowKeys.session(fragment, sessionId));
    }

    @Override
    public void putTransfer(FragmentId source, Transfer transfer) {
        byte[] key = RowKeys.transfer(source, transfer.destinationId(), transfer.number());
        put(Table.TRANSFERS, key, TransferRows.transfer(transfer));
    }

    @Override
    public void deleteTransfer(FragmentId source, long destinationId, long number) {
        delete(Table.TRANSFERS, RowKeys.transfer(source, destinationId, number));
    }

    /** Writes the number of the last transfer that a destination has stored from a source. */
    public void putTransferMark(FragmentId destination, FragmentId source, long number) {
        byte[] value =
                ByteBuffer.allocate(9).put((byte) MARK_VERSION).putLong(number).array();
        put(Table.TRANSFER_MARKS, RowKeys.transferMark(destination, source), value);
    }

    @Override
    public void putAcceptedId(FragmentId fragment, AcceptedId id) {
        byte[] key = AcceptedIdRows.key(fragment, id.generationMs(), id.key());
        put(Table.DUPLICATE_IDS, key, AcceptedIdRows.write(id));
    }

    @Override
    public void deleteAcceptedId(FragmentId fragment, long generationMs, DuplicateKey key) {
        delete(Table.DUPLICATE_IDS, AcceptedIdRows.key(fragment, generationMs, key));
    }

    @Override
    public void deleteAcceptedIds(FragmentId fragment, long generationMs) {
        deleteRange(
                Table.DUPLICATE_IDS,
                RowKeys.generation(fragment, generationMs),
                RowKeys.generation(fragment, generationMs + 1));
    }

    @Override
    public void putFragment(FragmentId fragment, FragmentRow row) {
        put(Table.FRAGMENTS, RowKeys.fragment(fragment), MessageRows.fragment(row));
    }

    @Override
    public void putEntity(EntityRow row) {
        put(Table.ENTITIES, RowKeys.entity(row.entityId()), EntityRows.write(row, seal));
    }

    /** Writes the largest entity id used so far, so that none is used twice. */
    public void putLastEntityId(long entityId) {
        put(Table.META, StoreRowReader.LAST_ENTITY_ID, RowKeys.entity(entityId));
    }

    /** Writes a rule of a subscription, replacing an older one of the same name. */
    public void putRule(long subscriptionId, Rule rule) {
        String key = EntityAddress.keyOf(rule.description().name());
        put(Table.RULES, RowKeys.rule(subscriptionId, key), RuleRows.write(rule));
    }

    /** Deletes a rule by its name, ignoring case. */
    public void deleteRule(long subscriptionId, String name) {
        delete(Table.RULES, RowKeys.rule(subscriptionId, EntityAddress.keyOf(name)));
    }

    /** Writes the data of a namespace by its name, ignoring case. */
    public void putNamespace(String name, NamespaceRow row) {
        put(Table.META, StoreRowReader.namespaceKey(name), row.toBytes(seal));
    }

    /** Deletes the data of a namespace by its name, ignoring case. */
    public void deleteNamespace(String name) {
        delete(Table.META, StoreRowReader.namespaceKey(name));
    }

    /** Writes the configurations of a namespace that a cluster has applied, by its name, ignoring case. */
    public void putConfigurations(String name, ConfigurationsRow row) {
        put(Table.META, StoreRowReader.configurationsKey(name), row.toBytes());
    }

    /** Writes the level of the data (CL-60). */
    public void putLevel(int raised) {
        put(Table.META, LevelRow.key(), LevelRow.value(raised));
    }

    /** Writes a namespace created at run time by its name, ignoring case. */
    public void putMadeNamespace(MadeNamespaceRow row) {
        put(Table.META, StoreRowReader.madeNamespaceKey(row.name()), row.toBytes());
    }

    /** Deletes a namespace created at run time by its name, ignoring case. */
    public void deleteMadeNamespace(String name) {
        delete(Table.META, StoreRowReader.madeNamespaceKey(name));
    }

    /** Writes a document of a namespace. */
    public void putDocument(String namespace, Documents.Kind kind, long id, byte[] content) {
        put(Table.META, DocumentKeys.of(namespace, kind, id), content);
    }

    /**
     * Deletes documents of a namespace.
     *
     * @param to the first id that stays
     */
    public void deleteDocuments(String namespace, Documents.Kind kind, long from, long to) {
        if (from < to) {
            deleteRange(Table.META, DocumentKeys.of(namespace, kind, from), DocumentKeys.of(namespace, kind, to));
        }
    }

    /** Deletes all documents of a namespace. */
    public void deleteDocuments(String namespace) {
        deleteRange(Table.META, DocumentKeys.start(namespace), DocumentKeys.end(namespace));
    }

    @Override
    public void deleteEntity(long entityId) {
        byte[] from = RowKeys.entity(entityId);
        byte[] to = RowKeys.entity(entityId + 1);
        delete(Table.ENTITIES, from);
        for (Table table : Table.values()) {
            if (!NOT_OF_ENTITIES.contains(table)) {
                deleteRange(table, from, to);
            }
        }
    }

    /**
     * Deletes the row that lists an entity, and its rules, but no other rows. For entities with corrupt rows: an engine
     * that rewrites files because of deletions in them would read the corrupt data.
     */
    public void abandonEntity(long entityId) {
        delete(Table.ENTITIES, RowKeys.entity(entityId));
        deleteRange(Table.RULES, RowKeys.entity(entityId), RowKeys.entity(entityId + 1));
    }

    /** Writes a fragment of a partitioned entity. */
    public void putPart(PartRow row) {
        put(Table.PARTS, RowKeys.entity(row.entityId()), row.toBytes());
    }

    /**
     * Deletes a fragment of a partitioned entity. {@link #deleteEntity} or {@link #deleteSubscription} deletes its
     * messages.
     */
    public void deletePart(long entityId) {
        delete(Table.PARTS, RowKeys.entity(entityId));
    }

    /** Writes the last time at which the shard was up, milliseconds since the epoch. */
    public void putAlive(long timeMs) {
        put(Table.UPTIME, UptimeRows.ALIVE, UptimeRows.alive(timeMs));
    }

    /** Writes the downtimes of the shard. */
    public void putDowntimes(Downtimes downtimes) {
        put(Table.UPTIME, UptimeRows.DOWNTIMES, UptimeRows.downtimes(downtimes));
    }

    /**
     * Deletes a subscription except its messages, and notes that they must be deleted later.
     *
     * @param topicId number of its topic, or {@link #UNKNOWN_TOPIC}
     */
    public void deleteSubscription(long subscriptionId, long topicId) {
        byte[] from = RowKeys.entity(subscriptionId);
        byte[] to = RowKeys.entity(subscriptionId + 1);
        delete(Table.ENTITIES, from);
        for (Table table : Table.values()) {
            if (!NOT_OF_ENTITIES.contains(table) && !OF_MESSAGES.contains(table)) {
                deleteRange(table, from, to);
            }
        }
        putRemains(subscriptionId, topicId);
    }

    /** Notes that messages of a deleted subscription must be deleted. */
    public void putRemains(long subscriptionId, long topicId) {
        put(Table.REMAINS, RowKeys.entity(subscriptionId), RowKeys.entity(topicId));
    }

    /** Deletes the remaining rows of a subscription that was deleted before. */
    public void deleteRemains(long subscriptionId) {
        byte[] from = RowKeys.entity(subscriptionId);
        byte[] to = RowKeys.entity(subscriptionId + 1);
        deleteRange(Table.MESSAGES, from, to);
        deleteRange(Table.MESSAGE_STATES, from, to);
        delete(Table.REMAINS, from);
    }

    private void put(Table table, byte[] key, byte[] value) {
        batch.put(table, key, value);
        rowCount++;
    }

    private void delete(Table table, byte[] key) {
        batch.delete(table, key);
        rowCount++;
    }

    private void deleteRange(Table table, byte[] from, byte[] to) {
        batch.deleteRange(table, from, to);
        rowCount++;
    }
}
