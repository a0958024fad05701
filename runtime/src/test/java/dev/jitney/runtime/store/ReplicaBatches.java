package dev.jitney.runtime.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A log of random batches as a broker writes them, with the rows that a replica must have after each: for tests of {@link
 * ReplicaStore}. The same seed gives the same batches.
 */
public final class ReplicaBatches {
    private static final byte[] BEHIND_ALL = new byte[32];
    private static final int ROWS_MAX = 12;
    private static final int RANGES = 4;

    static {
        Arrays.fill(BEHIND_ALL, (byte) 0xFF);
    }

    private final Random random;
    private final int valueBytesMax;
    private final List<byte[]> batches = new ArrayList<>();
    private final List<ReplicaPosition> positions = new ArrayList<>();
    /** The keys of messages that are not deleted. */
    private final TreeMap<byte[], Boolean> messages = new TreeMap<>(Arrays::compareUnsigned);

    private int sequence;

    /** @param valueBytesMax the maximum size of a value */
    public ReplicaBatches(long seed, int valueBytesMax) {
        random = new Random(seed);
        this.valueBytesMax = valueBytesMax;
    }

    /** Returns the number of batches so far. */
    public int size() {
        return batches.size();
    }

    /** Returns the position of a batch. */
    public ReplicaPosition position(int batch) {
        return positions.get(batch);
    }

    /** Returns the bytes of the batches after an index. */
    public long bytesAfter(long index) {
        long bytes = 0;
        for (int i = batches.size() - 1; i >= 0 && positions.get(i).index() > index; i--) {
            bytes += batches.get(i).length;
        }
        return bytes;
    }

    /** Adds a batch, with an index that is 1 to 3 after the last one, sometimes in a later term. */
    public void add() {
        try (RowBatch batch = new RowBatch()) {
            for (int i = random.nextInt(ROWS_MAX); i >= 0; i--) {
                addRow(batch);
            }
            if (random.nextInt(20) == 0 && !messages.isEmpty()) {
                deleteRange(batch);
            }
            batches.add(batch.encoded());
        }
        ReplicaPosition last = positions.isEmpty() ? ReplicaPosition.START : positions.get(positions.size() - 1);
        long term = Math.max(1, last.term() + (random.nextInt(10) == 0 ? 1 : 0));
        positions.add(new ReplicaPosition(
                term,
                last.index() + 1 + random.nextInt(3),
                last.term() == term ? last.number() + 1 : 1,
                last.timeMs() + random.nextInt(10)));
    }

    private void addRow(RowBatch batch) {
        byte[] value = new byte[random.nextInt(valueBytesMax)];
        random.nextBytes(value);
        switch (random.nextInt(4)) {
            case 0 -> batch.put(Table.FRAGMENTS, new byte[] {(byte) random.nextInt(8)}, value);
            case 1 -> batch.delete(Table.MESSAGE_STATES, new byte[] {(byte) random.nextInt(8)});
            case 2 -> {
                byte[] key = ByteBuffer.allocate(5)
                        .put((byte) random.nextInt(RANGES))
                        .putInt(sequence++)
                        .array();
                batch.put(Table.MESSAGES, key, value);
                batch.put(Table.MESSAGE_STATES, new byte[] {(byte) random.nextInt(8)}, key);
                messages.put(key, true);
            }
            default -> {
                byte[] probe = {(byte) random.nextInt(RANGES), 0, 0, (byte) random.nextInt(4), (byte) random.nextInt()};
                byte[] key = messages.ceilingKey(probe);
                if (key != null) {
                    batch.delete(Table.MESSAGES, key);
                    messages.remove(key);
                }
            }
        }
    }

    /** Deletes the messages of one queue up to the next number, which are never put again. */
    private void deleteRange(RowBatch batch) {
        byte[] from = {(byte) random.nextInt(RANGES)};
        byte[] to = ByteBuffer.allocate(5).put(from[0]).putInt(sequence).array();
        batch.deleteRange(Table.MESSAGES, from, to);
        messages.subMap(from, to).clear();
    }

    /** Applies the batches that a store does not have, up to a number of batches. */
    public void applyTo(ReplicaStore store, int end) throws StoreException {
        int next = end;
        while (next > 0 && positions.get(next - 1).index() > store.position().index()) {
            next--;
        }
        for (int i = next; i < end; i++) {
            store.apply(batches.get(i), positions.get(i));
        }
    }

    /** Returns the rows after a batch, or none for {@link ReplicaPosition#START}. */
    public Map<String, String> rowsAt(ReplicaPosition position) throws StoreException {
        TreeMap<String, String> rows = new TreeMap<>();
        for (int i = 0; i < batches.size() && positions.get(i).index() <= position.index(); i++) {
            RowBatchReader reader = RowBatchReader.of(batches.get(i));
            while (reader.next()) {
                String key = key(reader.table(), reader.key());
                switch (reader.operation()) {
                    case PUT -> rows.put(key, HexFormat.of().formatHex(reader.argument()));
                    case DELETE -> rows.remove(key);
                    case DELETE_RANGE ->
                        rows.subMap(key, key(reader.table(), reader.argument())).clear();
                }
            }
        }
        return rows;
    }

    /** Returns the rows of a store, except those of the store itself. */
    public static Map<String, String> rowsOf(ReplicaStore store) throws StoreException {
        return rowsOf(table -> store.scan(table, new byte[0], BEHIND_ALL));
    }

    /** Opens a cursor over all rows of a table. */
    @FunctionalInterface
    public interface Cursors {
        /** Returns a cursor; the caller closes it. */
        StoreCursor open(Table table) throws StoreException;
    }

    /** Returns the rows that cursors read, except those of the store itself. */
    public static Map<String, String> rowsOf(Cursors cursors) throws StoreException {
        TreeMap<String, String> rows = new TreeMap<>();
        for (Table table : Table.values()) {
            if (table != Table.META) {
                try (StoreCursor cursor = cursors.open(table)) {
                    while (cursor.next()) {
                        rows.put(key(table, cursor.key()), HexFormat.of().formatHex(cursor.value()));
                    }
                }
            }
        }
        return rows;
    }

    /** Returns a text whose order is that of the keys. */
    private static String key(Table table, byte[] key) {
        return table.id() + " " + HexFormat.of().formatHex(key);
    }
}
