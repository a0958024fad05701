package dev.jitney.server.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PART-3: the copy of a store's entities")
class EntityCopyTest {
    /** The queues invoices and late; a queue ids was created and deleted again. */
    private static final int ENTITIES_IN_VERSION_1 = 2;

    @TempDir
    Path dir;

    private final InMemoryMessagingStore store = new InMemoryMessagingStore();
    private CopiedStore copied;
    private RowBatch batch;

    @BeforeEach
    void open() throws StoreException {
        commit(store, b -> b.put(Table.ENTITIES, key(1), key(10)));
        copied = CopiedStore.of(store, dir, 0);
        batch = new RowBatch();
    }

    private interface Filling {
        void fill(RowBatch batch);
    }

    private static void commit(InMemoryMessagingStore to, Filling filling) throws StoreException {
        RowBatch rows = new RowBatch();
        filling.fill(rows);
        to.commit(rows);
    }

    private void commit(Filling filling) throws StoreException {
        batch.clear();
        filling.fill(batch);
        copied.commit(batch);
    }

    private static byte[] key(int number) {
        return new byte[] {0, 0, 0, (byte) number};
    }

    private Path file() {
        return dir.resolve("entities-0.copy");
    }

    private Map<Integer, Integer> known(Table table) throws Exception {
        NavigableMap<byte[], byte[]> rows =
                Objects.requireNonNull(new EntityCopy(dir, 0).read()).get(table);
        Map<Integer, Integer> numbers = new TreeMap<>();
        Objects.requireNonNull(rows).forEach((key, value) -> numbers.put((int) key[3], (int) value[3]));
        return numbers;
    }

    @Test
    @DisplayName("it contains the existing rows, and every later change of entities, rules and partitions")
    void follows() throws Exception {
        assertThat(known(Table.ENTITIES)).containsExactly(Map.entry(1, 10));
        commit(b -> {
            b.put(Table.ENTITIES, key(2), key(20));
            b.put(Table.RULES, key(3), key(30));
            b.put(Table.RULES, key(4), key(40));
            b.put(Table.PARTS, key(5), key(50));
            b.put(Table.UPTIME, key(6), key(60));
        });
        commit(b -> b.put(Table.ENTITIES, key(1), key(11)));
        commit(b -> b.deleteRange(Table.RULES, key(3), key(4)));
        commit(b -> b.delete(Table.PARTS, key(5)));
        assertThat(known(Table.ENTITIES)).isEqualTo(Map.of(1, 11, 2, 20));
        assertThat(known(Table.RULES)).isEqualTo(Map.of(4, 40));
        assertThat(known(Table.PARTS)).isEmpty();
        copied.close();
    }

    @Test
    @DisplayName("it does not contain the documents of operators, and is not written for them")
    void noDocuments() throws Exception {
        long size = Files.size(file());
        byte[] document = "document/ns/job/".getBytes(StandardCharsets.US_ASCII);
        commit(b -> b.put(Table.META, document, key(1)));
        assertThat(Files.size(file())).isEqualTo(size);

        commit(b -> {
            b.put(Table.META, document, key(2));
            b.put(Table.META, key(4), key(40));
        });
        assertThat(known(Table.META)).containsExactly(Map.entry(4, 40));
        copied = CopiedStore.of(store, dir, 0); // writes the file again
        assertThat(known(Table.META)).containsExactly(Map.entry(4, 40));
    }

    @Test
    @DisplayName("it does not contain a failed commit")
    void failedCommits() throws Exception {
        store.failNextCommit(StoreException.Reason.IO, false);
        assertThatThrownBy(() -> commit(b -> b.put(Table.ENTITIES, key(2), key(20))))
                .isInstanceOf(StoreException.class);
        copied.reopen();
        commit(b -> b.put(Table.ENTITIES, key(3), key(30)));
        assertThat(known(Table.ENTITIES)).isEqualTo(Map.of(1, 10, 3, 30));
    }

    @Test
    @DisplayName("an incomplete change is ignored; a corrupt copy is not used")
    void cutOff() throws Exception {
        commit(b -> b.put(Table.ENTITIES, key(2), key(20)));
        commit(b -> b.put(Table.ENTITIES, key(3), key(30)));
        byte[] whole = Files.readAllBytes(file());
        for (int cut = 1; cut < 12; cut++) {
            Files.write(file(), Arrays.copyOf(whole, whole.length - cut));
            assertThat(known(Table.ENTITIES)).isEqualTo(Map.of(1, 10, 2, 20));
        }
        byte[] damaged = whole.clone();
        damaged[whole.length - 1] ^= 1;
        Files.write(file(), damaged);
        assertThat(known(Table.ENTITIES)).isEqualTo(Map.of(1, 10, 2, 20));
        damaged[12] ^= 1;
        Files.write(file(), damaged);
        assertThatThrownBy(() -> known(Table.ENTITIES)).hasMessageContaining("to be intact");
    }

    @Test
    @DisplayName("a copy of version 1, written by 0.2.0, is read, and rewritten in this version when its store opens")
    void versionOne() throws Exception {
        byte[] old = Objects.requireNonNull(getClass().getResourceAsStream("entities-version-1.copy"))
                .readAllBytes();
        Files.write(file(), old);
        Map<Table, NavigableMap<byte[], byte[]>> rows = Objects.requireNonNull(new EntityCopy(dir, 0).read());
        List<String> names = new ArrayList<>();
        Objects.requireNonNull(rows.get(Table.ENTITIES))
                .values()
                .forEach(row -> names.add(new String(row, StandardCharsets.ISO_8859_1)));
        assertThat(names).hasSize(ENTITIES_IN_VERSION_1);
        assertThat(names).anyMatch(row -> row.contains("invoices")).anyMatch(row -> row.contains("late"));
        for (int cut = 1; cut < 12; cut++) {
            Files.write(file(), Arrays.copyOf(old, old.length - cut));
            assertThat(new EntityCopy(dir, 0).read()).isNotNull();
        }
        Files.write(file(), old);
        CopiedStore.of(store, dir, 0).close();
        assertThat(Files.readAllBytes(file())).startsWith((byte) 2);
        assertThat(known(Table.ENTITIES)).containsExactly(Map.entry(1, 10));
    }

    @Test
    @DisplayName("an unavailable store shows the rows of the copy, refuses commits, and works when it opens")
    void away() throws Exception {
        copied.close();
        InMemoryMessagingStore back = new InMemoryMessagingStore();
        commit(back, b -> b.put(Table.ENTITIES, key(1), key(10)));
        boolean[] there = {false};
        CopiedStore away = Objects.requireNonNull(CopiedStore.away(dir, 0, "It is away.", () -> {
            if (!there[0]) {
                throw new StoreException(StoreException.Reason.IO, "not yet");
            }
            return back;
        }));
        assertThat(away.get(Table.ENTITIES, key(1))).isEqualTo(key(10));
        assertThat(away.get(Table.MESSAGES, key(1))).isNull();
        RowBatch rows = new RowBatch();
        rows.put(Table.ENTITIES, key(7), key(70));
        assertThat(rows.isEmpty()).isFalse();
        assertThatThrownBy(() -> away.commit(rows)).hasMessage("It is away.");
        assertThatThrownBy(away::check).hasMessage("It is away.");
        assertThatThrownBy(away::reopen).hasMessage("not yet");
        rows.clear();
        there[0] = true;
        away.reopen();
        away.check();
        rows.put(Table.ENTITIES, key(8), key(80));
        away.commit(rows);
        assertThat(back.get(Table.ENTITIES, key(7))).isNull();
        assertThat(known(Table.ENTITIES)).isEqualTo(Map.of(1, 10, 8, 80));
        away.close();
    }
}
