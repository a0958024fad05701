package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every file of a store, damaged at one position at a time. The store refuses to open, or reports the damage when it
 * reads, or it contains the same rows as before. It never contains other or fewer rows.
 *
 * <p>The build damages a few positions of each file. {@code -Djitney.damage.places=3000} damages so many of the large
 * files, and every byte of smaller ones in every way. {@code -Djitney.damage.seed=42} repeats a run.
 */
class DamagedFilesTest {
    private static final int PLACES = Integer.getInteger("jitney.damage.places", 8);
    private static final long SEED = Long.getLong("jitney.damage.seed", System.nanoTime());
    private static final RocksDbOptions SMALL = new RocksDbOptions(1 << 20, 3, 8 << 20, 2, 0, 0);
    /** Every trial recovers a store, which takes many syncs. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final byte[] FIRST = {};
    private static final byte[] LAST = new byte[40];

    static {
        Arrays.fill(LAST, (byte) 0xFF);
    }

    /** The kinds of damage at one position of a file. */
    private enum Damage {
        BIT {
            @Override
            byte[] done(byte[] content, int at, Random random) {
                content[at] ^= (byte) (1 << random.nextInt(8));
                return content;
            }
        },
        OCTET {
            @Override
            byte[] done(byte[] content, int at, Random random) {
                content[at] += (byte) (1 + random.nextInt(255));
                return content;
            }
        },
        /** A sector that is empty again. */
        ZEROS {
            @Override
            byte[] done(byte[] content, int at, Random random) {
                int from = at / 512 * 512;
                Arrays.fill(content, from, Math.min(content.length, from + 512), (byte) 0);
                return content;
            }
        },
        CUT {
            @Override
            byte[] done(byte[] content, int at, Random random) {
                return Arrays.copyOf(content, at);
            }
        };

        abstract byte[] done(byte[] content, int at, Random random);
    }

    private Path temporary;
    private Path killed;
    private Path closed;
    /** The store of the current test, {@code killed} or {@code closed}. */
    private Path whole;

    private Path copy;
    private Map<String, String> expected;

    /** Creates a store with tables, a log, and a manifest with flushes, and a copy of it as after a kill. */
    @BeforeEach
    void makeStore() throws Exception {
        temporary = Files.createTempDirectory(
                Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir")), "jitney-damage-");
        killed = temporary.resolve("killed");
        closed = temporary.resolve("closed");
        whole = closed;
        copy = temporary.resolve("copy");
        int row = 0;
        for (int life = 0; life < 2; life++) {
            try (RocksDbMessagingStore store = RocksDbMessagingStore.open(whole, SMALL)) {
                for (int i = 0; i < 20; i++) {
                    row = commitSome(store, row, 400);
                }
            }
        }
        try (RocksDbMessagingStore store = RocksDbMessagingStore.open(whole, SMALL)) {
            for (int i = 0; i < 60; i++) {
                row = commitSome(store, row, 1_000);
            }
            fillATable(store);
            for (int i = 0; i < 60; i++) {
                row = commitSome(store, row, 700);
            }
            store.check(); // which updates the durability marker
            StoreFiles.copy(whole, killed); // RocksDB may remove a table file at this moment
        }
        copyWhole(copy);
        expected = rows(copy);
    }

    @AfterEach
    void removeAll() throws IOException {
        remove(temporary);
    }

    /** Commits one batch: puts, changes and deletes, over several tables. */
    private static int commitSome(RocksDbMessagingStore store, int first, int sizeMax) throws StoreException {
        Random random = new Random(first);
        int row = first;
        try (RowBatch batch = new RowBatch()) {
            for (int i = 0; i < 4; i++, row++) {
                batch.put(Table.MESSAGES, key(row), content(random, sizeMax));
                batch.put(Table.FRAGMENTS, key(row % 7), content(random, 60));
                batch.put(Table.SESSIONS, key(row), content(random, 30));
            }
            if (first >= 40) {
                batch.delete(Table.MESSAGES, key(first - 40));
                batch.delete(Table.SESSIONS, key(first - 39));
            }
            store.commit(batch);
        }
        return row;
    }

    /** Writes more than a memtable, so that a flush begins another log file. */
    private static void fillATable(RocksDbMessagingStore store) throws StoreException {
        Random random = new Random(1);
        for (int i = 0; i < 6; i++) {
            try (RowBatch batch = new RowBatch()) {
                byte[] large = new byte[64 << 10];
                random.nextBytes(large);
                batch.put(Table.BODIES, key(i), large);
                batch.put(Table.SESSION_STATES, key(i), large);
                store.commit(batch);
            }
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(8).putInt(7).putInt(number).array();
    }

    private static byte[] content(Random random, int sizeMax) {
        byte[] value = new byte[1 + random.nextInt(sizeMax)];
        random.nextBytes(value);
        return value;
    }

    @Test
    @DisplayName("A file damaged at any position is refused, reported, or harmless")
    void damageIsNeverServed() throws Exception {
        damageAll(closed);
    }

    @Test
    @DisplayName("The same for a store whose process was killed")
    void damageAfterAKillIsNeverServed() throws Exception {
        damageAll(killed);
    }

    private void damageAll(Path of) throws Exception {
        whole = of;
        Random random = new Random(SEED);
        List<String> wrong = new ArrayList<>();
        Map<String, Integer> tally = new TreeMap<>();
        for (Path file : files(whole)) {
            String name = whole.relativize(file).toString();
            int size = (int) Files.size(file);
            boolean all = size <= PLACES;
            int[] places = all
                    ? IntStream.range(0, size).toArray()
                    : random.ints(PLACES, 0, size).toArray();
            for (int at : places) {
                for (Damage damage : all ? Damage.values() : new Damage[] {any(random)}) {
                    String outcome = outcome(file, at, damage, random);
                    tally.merge(name.replaceAll("\\d+", "N") + ": " + outcome.replaceAll(":.*", ""), 1, Integer::sum);
                    if (outcome.startsWith("WRONG")) {
                        wrong.add(name + " of " + size + " bytes, " + damage + " at " + at + ", " + outcome);
                    }
                }
            }
        }
        System.out.printf("Damaged places, seed %d: %s%n", SEED, tally);
        assertThat(wrong).as("seed %d", SEED).isEmpty();
    }

    private static Damage any(Random random) {
        return Damage.values()[random.nextInt(Damage.values().length)];
    }

    private String outcome(Path file, int at, Damage damage, Random random) throws IOException {
        byte[] before = Files.readAllBytes(file);
        byte[] after = damage.done(before.clone(), at, random);
        if (Arrays.equals(before, after)) {
            return "same bytes";
        }
        copyWhole(copy);
        Files.write(copy.resolve(whole.relativize(file)), after);
        try {
            Map<String, String> found = rows(copy);
            return found.equals(expected) ? "same rows" : "WRONG: " + difference(found);
        } catch (StoreException e) {
            return String.valueOf(e.getMessage()).contains(copy.toString())
                    ? "reported " + e.reason() + ": " + e.getMessage()
                    : "WRONG: a message without the store: " + e.getMessage();
        }
    }

    private String difference(Map<String, String> found) {
        List<String> differing = new ArrayList<>();
        expected.forEach((key, value) -> {
            if (!value.equals(found.get(key))) {
                differing.add(key);
            }
        });
        found.keySet().stream().filter(key -> !expected.containsKey(key)).forEach(differing::add);
        return differing.size() + " rows of " + expected.size() + ", such as " + differing.get(0);
    }

    private void copyWhole(Path copy) throws IOException {
        remove(copy);
        try (Stream<Path> all = Files.walk(whole)) {
            for (Path path : all.toList()) {
                Files.copy(path, copy.resolve(whole.relativize(path)));
            }
        }
    }

    private static void remove(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> old = Files.walk(directory)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static Map<String, String> rows(Path directory) throws StoreException {
        Map<String, String> rows = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        try (RocksDbMessagingStore store = RocksDbMessagingStore.openExisting(directory, SMALL)) {
            for (Table table : Table.values()) {
                try (StoreCursor cursor = store.scan(table, FIRST, LAST)) {
                    while (cursor.next()) {
                        rows.put(table + " " + hex.formatHex(cursor.key()), hex.formatHex(cursor.value()));
                    }
                }
            }
        }
        return rows;
    }
}
