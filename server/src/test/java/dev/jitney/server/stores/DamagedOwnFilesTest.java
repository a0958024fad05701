package dev.jitney.server.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The server's own small files, corrupted at every byte")
class DamagedOwnFilesTest {
    @TempDir
    Path temporary;

    private final Random random = new Random(7);

    @Test
    @DisplayName("PART-1: corrupt identities of stores refuse the start, or change nothing")
    void namesOfStores() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        StorePlaces asked = new StorePlaces(2, List.of(temporary.resolve("a"), temporary.resolve("b")));
        Callable<Object> prepare = () -> {
            StoreDirectories prepared = StoreDirectories.prepare(data, asked);
            prepared.opened();
            return List.of(prepared.paths(), prepared.isNew(), StoreSet.read(data));
        };
        prepare.call();
        Object whole = prepare.call();
        for (Path file :
                List.of(data.resolve(StoreSet.FILE_NAME), asked.place(1, data).resolve(StoreIdentity.FILE_NAME))) {
            damage(file, octets -> {
                try {
                    assertThat(prepare.call()).isEqualTo(whole);
                    return true;
                } catch (StoresException e) {
                    assertThat(e).hasMessageContaining(file.toString());
                    return false;
                }
            });
        }
    }

    /** Reads a corrupt file; returns whether it was accepted as intact. */
    private interface Look {
        boolean at(byte[] octets) throws Exception;
    }

    private void damage(Path file, Look look) throws Exception {
        byte[] whole = Files.readAllBytes(file);
        int taken = 0;
        for (int at = 0; at < whole.length; at++) {
            for (byte[] damaged : List.of(flipped(whole, at), overwritten(whole, at), Arrays.copyOf(whole, at))) {
                Files.write(file, damaged);
                taken += look.at(damaged) ? 1 : 0;
                Files.write(file, whole);
            }
        }
        System.out.printf("%s: %d of %d corruptions have no effect%n", file.getFileName(), taken, whole.length * 3);
    }

    private byte[] flipped(byte[] whole, int at) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) (1 << random.nextInt(8));
        return damaged;
    }

    private byte[] overwritten(byte[] whole, int at) {
        byte[] damaged = whole.clone();
        damaged[at] += (byte) (1 + random.nextInt(255));
        return damaged;
    }

    @Test
    @DisplayName("PART-58: a corrupt copy of the entities is refused, or contains an earlier state")
    void copyOfEntities() throws Exception {
        InMemoryMessagingStore store = new InMemoryMessagingStore();
        CopiedStore copied = CopiedStore.of(store, temporary, 0);
        Path file = temporary.resolve("entities-0.copy");
        Set<Map<Integer, Integer>> states = new HashSet<>();
        states.add(known());
        for (int i = 1; i <= 5; i++) {
            try (RowBatch batch = new RowBatch()) {
                batch.put(Table.ENTITIES, new byte[] {0, 0, 0, (byte) (i % 3)}, new byte[] {(byte) i});
                copied.commit(batch);
            }
            states.add(known());
        }
        copied.close();
        damage(file, octets -> {
            try {
                assertThat(states).contains(known());
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private Map<Integer, Integer> known() throws IOException {
        Map<Integer, Integer> numbers = new HashMap<>();
        Map<Table, NavigableMap<byte[], byte[]>> rows = new EntityCopy(temporary, 0).read();
        assertThat(rows).isNotNull();
        rows.get(Table.ENTITIES).forEach((key, value) -> numbers.put((int) key[3], (int) value[0]));
        return numbers;
    }
}
