package dev.jitney.runtime.rows;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Rule;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;

/** Writes rows into a store's batch. For the shard's thread. */
public final class StoreRowWriter implements RowWriter {
    private static final byte[] NOTHING = {};
    private static final int BLOCK_VERSION = 1;

    private final StoreBatch batch;

    public StoreRowWriter(StoreBatch batch) {
        this.batch = batch;
    }

    @Override
    public void putMessage(FragmentId fragment, Lane lane, StoredMessage message) {
        batch.put(
                Table.MESSAGES,
                RowKeys.message(fragment, lane, message.sequenceNumber()),
                MessageRows.message(message));
    }

    @Override
    public void deleteMessage(FragmentId fragment, Lane lane, long sequenceNumber) {
        batch.delete(Table.MESSAGES, RowKeys.message(fragment, lane, sequenceNumber));
    }

    @Override
    public void putChange(FragmentId fragment, Lane lane, long sequenceNumber, MessageChange change) {
        batch.put(Table.MESSAGE_STATES, RowKeys.message(fragment, lane, sequenceNumber), MessageRows.change(change));
    }

    @Override
    public void deleteChange(FragmentId fragment, Lane lane, long sequenceNumber) {
        batch.delete(Table.MESSAGE_STATES, RowKeys.message(fragment, lane, sequenceNumber));
    }

    @Override
    public void putTimer(FragmentId fragment, long dueMs, long sequenceNumber) {
        batch.put(Table.TIMERS, RowKeys.timer(fragment, dueMs, sequenceNumber), NOTHING);
    }

    @Override
    public void deleteTimer(FragmentId fragment, long dueMs, long sequenceNumber) {
        batch.delete(Table.TIMERS, RowKeys.timer(fragment, dueMs, sequenceNumber));
    }

    @Override
    public void putExpiryBlock(FragmentId fragment, long block, long earliestExpiryMs) {
        byte[] value = ByteBuffer.allocate(9)
                .put((byte) BLOCK_VERSION)
                .putLong(earliestExpiryMs)
                .array();
        batch.put(Table.EXPIRY_BLOCKS, RowKeys.block(fragment, block), value);
    }

    @Override
    public void deleteExpiryBlock(FragmentId fragment, long block) {
        batch.delete(Table.EXPIRY_BLOCKS, RowKeys.block(fragment, block));
    }

    @Override
    public void putFragment(FragmentId fragment, FragmentRow row) {
        batch.put(Table.FRAGMENTS, RowKeys.fragment(fragment), MessageRows.fragment(row));
    }

    @Override
    public void putEntity(EntityRow row) {
        batch.put(Table.ENTITIES, RowKeys.entity(row.entityId()), EntityRows.write(row));
    }

    /** Remembers the largest entity id given out, so that none is used twice. */
    public void putLastEntityId(long entityId) {
        batch.put(Table.META, StoreRowReader.LAST_ENTITY_ID, RowKeys.entity(entityId));
    }

    /** Writes a rule of a subscription, over an older one of that name. */
    public void putRule(long subscriptionId, Rule rule) {
        String key = EntityAddress.keyOf(rule.description().name());
        batch.put(Table.RULES, RowKeys.rule(subscriptionId, key), RuleRows.write(rule));
    }

    /** Removes a rule by its name in any case. */
    public void deleteRule(long subscriptionId, String name) {
        batch.delete(Table.RULES, RowKeys.rule(subscriptionId, EntityAddress.keyOf(name)));
    }

    /** Remembers a namespace by its name in any case. */
    public void putNamespace(String name, NamespaceRow row) {
        batch.put(Table.META, StoreRowReader.namespaceKey(name), row.toBytes());
    }

    @Override
    public void deleteEntity(long entityId) {
        byte[] from = RowKeys.entity(entityId);
        byte[] to = RowKeys.entity(entityId + 1);
        batch.delete(Table.ENTITIES, from);
        for (Table table : new Table[] {
            Table.FRAGMENTS, Table.MESSAGES, Table.MESSAGE_STATES, Table.TIMERS, Table.EXPIRY_BLOCKS, Table.RULES
        }) {
            batch.deleteRange(table, from, to);
        }
    }
}
