package dev.jitney.cluster.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A checkpoint")
class CheckpointTest {
    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private final InMemoryReplicaStore store = new InMemoryReplicaStore();
    private CheckpointSource source;
    private CheckpointFetcher fetcher;

    @BeforeEach
    void open() throws StoreException {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, new byte[] {1}, new byte[3 << 20]);
        store.apply(batch.encoded(), new ReplicaPosition(1, 5, 1, 1));
        source = new CheckpointSource(
                List.of(store), i -> directory.resolve("from"), () -> new LogPoint(1, 4), nanos::get);
        fetcher = new CheckpointFetcher(1, i -> directory.resolve("to"), () -> false);
    }

    @Test
    @DisplayName("is fetched and replaces a store (CL-40)")
    void isFetched() throws Exception {
        CheckpointManifest made = source.make();
        CheckpointManifest manifest = CheckpointManifest.parse(made.text(), 1);
        assertThat(manifest).isEqualTo(made);
        fetcher.fetch(source, manifest);
        assertThat(fetcher.percent()).isEqualTo(100);
        InMemoryReplicaStore copy = new InMemoryReplicaStore();
        copy.replaceBy(fetcher.incoming(0));
        assertThat(copy.position()).isEqualTo(store.position());
        assertThat(source.keepFrom()).isEqualTo(4);
        source.release(manifest.id());
        assertThat(source.keepFrom()).isEqualTo(Long.MAX_VALUE);
        assertThat(directory.resolve("from")).isEmptyDirectory();
    }

    @Test
    @DisplayName("that had no room is not requested again while there is still none for one of its size (CL-45, CL-94)")
    void requiresRoomBefore() throws Exception {
        CheckpointManifest small = source.make();
        fetcher.requireRoomAsBefore();
        CheckpointManifest large = new CheckpointManifest(
                "aa", small.point(), List.of(new CheckpointManifest.File(0, "huge.sst", 1L << 60)));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> fetcher.fetch(source, large))
                .withMessageContaining("Make room on this disk");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(fetcher::requireRoomAsBefore)
                .withMessageContaining("Make room on this disk");
        fetcher.fetch(source, small);
        fetcher.requireRoomAsBefore();
    }

    @Test
    @DisplayName("is continued with the files that are there already, if their checksums are right (CL-45)")
    void isContinued() throws Exception {
        CheckpointManifest manifest = source.make();
        fetcher.fetch(source, manifest);
        CountingFiles counting = new CountingFiles();
        fetcher.fetch(counting, manifest);
        assertThat(counting.reads).isZero();
        Path file = fetcher.incoming(0).resolve(manifest.files().get(0).name());
        byte[] bytes = Files.readAllBytes(file);
        bytes[100] ^= 1;
        Files.write(file, bytes);
        Files.write(fetcher.incoming(0).resolve("other"), bytes);
        fetcher.fetch(counting, manifest);
        assertThat(counting.reads).isEqualTo(4);
        assertThat(fetcher.incoming(0).resolve("other")).doesNotExist();
        assertThat(CheckpointSource.checksum(file))
                .isEqualTo(source.checksum(manifest.id(), 0, String.valueOf(file.getFileName())));
    }

    /** Counts the parts that are read. */
    private final class CountingFiles implements CheckpointFiles {
        int reads;

        @Override
        public CheckpointManifest make() throws IOException {
            return source.make();
        }

        @Override
        public int checksum(String checkpoint, int number, String file) throws IOException {
            return source.checksum(checkpoint, number, file);
        }

        @Override
        public byte[] read(String checkpoint, int number, String file, long offset, int length) throws IOException {
            reads++;
            return source.read(checkpoint, number, file, offset, length);
        }

        @Override
        public void release(String checkpoint) throws IOException {
            source.release(checkpoint);
        }
    }

    @Test
    @DisplayName("is removed after ten minutes without a reader, and by the next process")
    void isRemoved() throws IOException {
        CheckpointManifest manifest = source.make();
        nanos.addAndGet(CheckpointSource.IDLE_NANOS - 1);
        source.read(manifest.id(), 0, manifest.files().get(0).name(), 0, 1);
        nanos.addAndGet(1);
        source.removeIdle();
        source.read(manifest.id(), 0, manifest.files().get(0).name(), 0, 1);
        nanos.addAndGet(CheckpointSource.IDLE_NANOS);
        source.removeIdle();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() ->
                        source.read(manifest.id(), 0, manifest.files().get(0).name(), 0, 1));
        Files.createDirectories(directory.resolve("from").resolve("checkpoint-1-0"));
        source.removeLeftovers();
        assertThat(directory.resolve("from")).isEmptyDirectory();
    }

    @Test
    @DisplayName("gives no other files, and there are only a few at a time")
    void isBounded() throws IOException {
        CheckpointManifest manifest = source.make();
        for (String name : List.of("../x", "..", "/etc/passwd", "")) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> source.read(manifest.id(), 0, name, 0, 1));
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.read("../" + manifest.id(), 0, "batches", 0, 1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.read(manifest.id(), 0, "batches", 0, CheckpointManifest.CHUNK_BYTES + 1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.read(manifest.id(), 0, "batches", Long.MAX_VALUE - 1, 1));
        source.make();
        source.make();
        assertThatExceptionOfType(IOException.class).isThrownBy(source::make);
    }

    @Test
    @DisplayName("has a list of files that is checked")
    void hasACheckedList() {
        for (String text : List.of(
                "",
                "x y z",
                "ab 1 1\n0 5 ../x\n",
                "ab 1 1\n1 5 x\n",
                "ab 1 1\n0 -5 x\n",
                "ab 1 1\n0 5 x\n0 6 x\n",
                "ab 1 1\n0 5\n")) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> CheckpointManifest.parse(text, 1));
        }
    }
}
