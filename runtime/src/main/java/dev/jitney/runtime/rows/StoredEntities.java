package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The entities in the rows of a store that no broker uses, and the removal of all but some of them. */
public final class StoredEntities {
    private static final byte[] FIRST = {};
    private static final byte[] BEHIND_ALL = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    private static final long ID_END = 0xffff_ffffL;
    private static final int BATCH_BYTES = 1 << 20;

    /** The rows of META that belong to one namespace: a word, '/', the name in lower case, and perhaps '/' and more. */
    private static final Set<String> OF_NAMESPACES =
            Set.of("namespace", "made-namespace", "configurations", "document");

    private StoredEntities() {}

    /**
     * Returns the entities of a store, topics before their subscriptions. Fragments are not among them.
     *
     * @throws StoreException {@code CORRUPT} if a row is damaged
     */
    public static List<EntityRow> of(MessagingStore store) throws StoreException {
        List<EntityRow> entities = new ArrayList<>();
        try (StoreCursor rows = store.scan(Table.ENTITIES, FIRST, BEHIND_ALL)) {
            while (rows.next()) {
                entities.add(EntityRows.read(RowKeys.entityOf(rows.key()), rows.value(), KeySeal.UNOPENED));
            }
        }
        return entities;
    }

    /**
     * Removes the rows of all other entities and namespaces from a store. Transfers of a kept entity to another one stay.
     *
     * @param entities   the ids of the entities that stay, in all stores; their fragments stay, too
     * @param namespaces the names of the namespaces that stay, in lower case
     */
    public static void keepOnly(MessagingStore store, Set<Long> entities, Set<String> namespaces)
            throws StoreException {
        TreeSet<Long> kept = idsToKeep(store, entities);
        RowBatch batch = new RowBatch();
        for (Table table : Table.values()) {
            if (table == Table.META || table == Table.UPTIME) {
                continue; // the other tables have the id of an entity at the start of each key
            }
            long from = 0;
            for (long id : kept) {
                removeRange(store, batch, table, from, id);
                from = id + 1;
            }
            removeRange(store, batch, table, from, ID_END);
        }
        try (StoreCursor rows = store.scan(Table.META, FIRST, BEHIND_ALL)) {
            while (rows.next()) {
                String namespace = namespaceOf(rows.key());
                if (namespace != null && !namespaces.contains(namespace)) {
                    batch.delete(Table.META, rows.key());
                }
            }
        }
        store.commit(batch);
        store.afterCommit();
    }

    private static TreeSet<Long> idsToKeep(MessagingStore store, Set<Long> entities) throws StoreException {
        TreeSet<Long> kept = new TreeSet<>(entities);
        try (StoreCursor rows = store.scan(Table.PARTS, FIRST, BEHIND_ALL)) {
            while (rows.next()) {
                PartRow part = PartRow.read(RowKeys.entityOf(rows.key()), rows.value());
                if (entities.contains(part.wholeId())) {
                    kept.add(part.entityId());
                }
            }
        }
        // The messages of a deleted subscription are still counted in the bodies of its topic.
        try (StoreCursor rows = store.scan(Table.REMAINS, FIRST, BEHIND_ALL)) {
            while (rows.next()) {
                long topic = RowKeys.entityOf(rows.value());
                if (kept.contains(topic) || topic == StoreRowWriter.UNKNOWN_TOPIC) {
                    kept.add(RowKeys.entityOf(rows.key()));
                }
            }
        }
        return kept;
    }

    private static void removeRange(MessagingStore store, RowBatch batch, Table table, long from, long to)
            throws StoreException {
        if (from < to) {
            batch.deleteRange(table, key(from), key(to));
        }
        if (batch.sizeBytes() > BATCH_BYTES) {
            store.commit(batch);
            store.afterCommit();
            batch.clear();
        }
    }

    private static byte[] key(long id) {
        return ByteBuffer.allocate(4).putInt((int) id).array();
    }

    private static @Nullable String namespaceOf(byte[] metaKey) {
        String[] parts = new String(metaKey, StandardCharsets.UTF_8).split("/", 3);
        return parts.length >= 2 && OF_NAMESPACES.contains(parts[0]) ? parts[1].toLowerCase(Locale.ROOT) : null;
    }
}
