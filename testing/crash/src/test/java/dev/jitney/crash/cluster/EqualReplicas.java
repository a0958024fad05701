package dev.jitney.crash.cluster;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A comparison of the rows of all nodes, none of which runs (CL-5). */
public final class EqualReplicas {
    private static final byte[] FIRST = {};
    private static final byte[] LAST = new byte[64];
    private static final int SHOWN = 5;

    static {
        Arrays.fill(LAST, (byte) 0xff);
    }

    private EqualReplicas() {}

    /**
     * Returns the differences between the first node and each other one.
     *
     * @param dataDirs the data directories of the nodes
     * @param stores the number of stores of each node
     */
    public static List<String> differences(List<Path> dataDirs, int stores) throws StoreException {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            String store = "store-" + i;
            List<Rows> all = new ArrayList<>();
            for (Path data : dataDirs) {
                all.add(Rows.read(data.resolve(store)));
            }
            for (int node = 1; node < all.size(); node++) {
                found.addAll(differences(store + ", node 0 and " + node, all.get(0), all.get(node)));
            }
        }
        return found;
    }

    private static List<String> differences(String where, Rows one, Rows other) {
        List<String> found = new ArrayList<>();
        if (!one.position.equals(other.position)) {
            found.add(where + ": " + one.position + " and " + other.position);
        }
        for (Table table : Table.values()) {
            Map<String, String> left = one.tables.get(table);
            Map<String, String> right = other.tables.get(table);
            if (!left.equals(right)) {
                Map<String, String> onlyLeft = new TreeMap<>(left);
                onlyLeft.entrySet().removeAll(right.entrySet());
                Map<String, String> onlyRight = new TreeMap<>(right);
                onlyRight.entrySet().removeAll(left.entrySet());
                found.add(where + ", table " + table + ": " + left.size() + " and " + right.size()
                        + " rows; only one has "
                        + onlyLeft.keySet().stream().limit(SHOWN).toList() + ", only the other has "
                        + onlyRight.keySet().stream().limit(SHOWN).toList());
            }
        }
        return found;
    }

    /** All rows of one store, as hexadecimal text. */
    private record Rows(ReplicaPosition position, Map<Table, Map<String, String>> tables) {
        static Rows read(Path directory) throws StoreException {
            HexFormat hex = HexFormat.of();
            Map<Table, Map<String, String>> tables = new TreeMap<>();
            try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, RocksDbOptions.DEFAULTS)) {
                for (Table table : Table.values()) {
                    Map<String, String> rows = new TreeMap<>();
                    try (StoreCursor cursor = replica.scan(table, FIRST, LAST)) {
                        while (cursor.next()) {
                            rows.put(hex.formatHex(cursor.key()), hex.formatHex(cursor.value()));
                        }
                    }
                    tables.put(table, rows);
                }
                return new Rows(replica.position(), tables);
            }
        }
    }
}
