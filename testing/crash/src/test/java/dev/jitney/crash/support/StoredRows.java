package dev.jitney.crash.support;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.SharedBody;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of a store whose server has ended, with checks of their consistency. */
public final class StoredRows implements AutoCloseable {
    private static final byte[] FIRST = {};
    private static final byte[] LAST = new byte[32];

    static {
        Arrays.fill(LAST, (byte) 0xff);
    }

    private final MessagingStore store;

    private StoredRows(MessagingStore store) {
        this.store = store;
    }

    /** @param dataDir the data directory of a server that does not run */
    public static StoredRows open(Path dataDir) throws StoreException {
        return open(dataDir, 0);
    }

    /** @param index the index of the store */
    public static StoredRows open(Path dataDir, int index) throws StoreException {
        return new StoredRows(RocksDbMessagingStore.open(dataDir.resolve("store-" + index), RocksDbOptions.DEFAULTS));
    }

    /** Returns the paths of the stored entities. */
    public List<String> entities() throws StoreException {
        return new StoreRowReader(store)
                .entities().stream().map(row -> row.description().path()).toList();
    }

    /** Returns the number of rows of each table. */
    public Map<Table, Integer> counts(Table... tables) throws StoreException {
        Map<Table, Integer> counts = new HashMap<>();
        for (Table table : tables) {
            int count = 0;
            try (StoreCursor rows = store.scan(table, FIRST, LAST)) {
                while (rows.next()) {
                    count++;
                }
            }
            counts.put(table, count);
        }
        return counts;
    }

    /**
     * Returns the inconsistencies of shared bodies. Each body must exist as long as copies of it exist. The number of
     * remaining copies must equal the number of unreleased ones.
     */
    public List<String> complaints() throws StoreException {
        StoreRowReader reader = new StoreRowReader(store);
        Map<SharedBody, Integer> copies = new HashMap<>();
        List<Long> entities = new ArrayList<>(
                reader.entities().stream().map(EntityRow::entityId).toList());
        entities.addAll(reader.remains().keySet()); // deleted entities whose messages are removed step by step
        for (long entity : entities) {
            FragmentId fragment = new FragmentId(entity, 0);
            for (Lane lane : Lane.values()) {
                reader.scan(
                        fragment,
                        lane,
                        0,
                        Long.MAX_VALUE,
                        row -> { // fails if a body is missing
                            SharedBody body = row.message().sharedBody();
                            if (body != null) {
                                copies.merge(body, 1, Integer::sum);
                            }
                            return true;
                        });
            }
        }
        List<String> complaints = new ArrayList<>();
        copies.forEach((body, left) -> {
            int released = reader.bodyReleases(body.topic(), body.number());
            if (left + released != body.copies()) {
                complaints.add("Expected as many copies and releases as " + body + " has, but got " + left
                        + " copies and " + released + " releases.");
            }
        });
        Map<Table, Integer> counts = counts(Table.BODIES, Table.BODY_RELEASES);
        if (counts.get(Table.BODIES) != copies.size() || counts.get(Table.BODY_RELEASES) > copies.size()) {
            complaints.add("Expected rows for " + copies.size() + " bodies, but got " + counts + ".");
        }
        return complaints;
    }

    @Override
    public void close() {
        store.close();
    }
}
