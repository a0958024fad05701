package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.ReplicaBatches;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills and faults while a checkpoint takes the place of the tables. */
@DisplayName("The replacement of the tables of a replica")
class TablesSwapTest {
    private static final RocksDbOptions SMALL = RocksDbReplicaTest.SMALL;
    private static final int OLD_BATCHES = 40;

    private final ReplicaBatches log = new ReplicaBatches(System.nanoTime(), 200);

    @TempDir
    Path temporary;

    private Path directory = Path.of("");
    private Path checkpoint = Path.of("");

    /** Makes a replica that is behind, and a checkpoint of another one. */
    @BeforeEach
    void prepare() throws Exception {
        directory = temporary.resolve("replica");
        checkpoint = temporary.resolve("checkpoint");
        for (int i = 0; i < 3 * OLD_BATCHES; i++) {
            log.add();
        }
        try (RocksDbReplica behind = RocksDbReplica.open(directory, SMALL);
                RocksDbReplica ahead = RocksDbReplica.open(temporary.resolve("ahead"), SMALL)) {
            log.applyTo(behind, OLD_BATCHES);
            log.applyTo(ahead, 2 * OLD_BATCHES);
            ahead.checkpoint(checkpoint);
        }
    }

    private ReplicaPosition oldPosition() {
        return log.position(OLD_BATCHES - 1);
    }

    private ReplicaPosition newPosition() {
        return log.position(2 * OLD_BATCHES - 1);
    }

    @Test
    @DisplayName(
            "is completed by a restart after a kill at any step, and after a second kill at any step of that (CL-45)")
    void isCompletedAfterKills() throws Exception {
        Map<TablesSwap.Step, Path> states = new EnumMap<>(TablesSwap.Step.class);
        try (RocksDbReplica replica = open(directory, kill(directory, "kill", states))) {
            replica.replaceBy(checkpoint);
        }
        assertThat(states.keySet()).containsExactly(TablesSwap.Step.values());
        for (Map.Entry<TablesSwap.Step, Path> state : states.entrySet()) {
            Map<TablesSwap.Step, Path> again = new EnumMap<>(TablesSwap.Step.class);
            Path killed = state.getValue();
            try (RocksDbReplica replica = open(killed, kill(killed, "again-" + state.getKey(), again))) {
                checkAndGoOn(replica, newPosition());
            }
            for (Path twiceKilled : again.values()) {
                try (RocksDbReplica replica = RocksDbReplica.openExisting(twiceKilled, SMALL)) {
                    checkAndGoOn(replica, newPosition());
                }
            }
        }
    }

    @Test
    @DisplayName("is completed by a process that would create a replica if there were none")
    void isCompletedWhenCreationIsAllowed() throws Exception {
        Map<TablesSwap.Step, Path> states = new EnumMap<>(TablesSwap.Step.class);
        try (RocksDbReplica replica = open(directory, kill(directory, "kill", states))) {
            replica.replaceBy(checkpoint);
        }
        Path aside = Objects.requireNonNull(states.get(TablesSwap.Step.ASIDE));
        assertThat(aside.resolve(TablesSwap.TABLES)).doesNotExist();
        try (RocksDbReplica replica = RocksDbReplica.open(aside, SMALL)) {
            checkAndGoOn(replica, newPosition());
        }
    }

    @Test
    @DisplayName("has no effect if the process is killed before the first step (CL-45)")
    void isForgottenBeforeTheFirstStep() throws Exception {
        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, SMALL)) {
            assertThat(IncomingCheckpoint.isReady(checkpoint, directory, replica.position()))
                    .isTrue();
            StoreFiles.copy(directory, temporary.resolve("killed"));
        }
        try (RocksDbReplica replica = RocksDbReplica.openExisting(temporary.resolve("killed"), SMALL)) {
            checkAndGoOn(replica, oldPosition());
        }
    }

    @Test
    @DisplayName("is completed by reopening after a fault at any step (CL-42, CL-45)")
    void isCompletedAfterFaults() throws Exception {
        for (TablesSwap.Step failing : EnumSet.complementOf(EnumSet.of(TablesSwap.Step.REMOVED))) {
            Path copy = temporary.resolve("copy-" + failing);
            Path incoming = temporary.resolve("incoming-" + failing);
            StoreFiles.copy(directory, copy);
            StoreFiles.copy(checkpoint, incoming);
            List<TablesSwap.Step> steps = new ArrayList<>();
            try (RocksDbReplica replica = open(copy, step -> {
                steps.add(step);
                if (step == failing && steps.indexOf(step) == steps.size() - 1) {
                    throw new UncheckedIOException(new IOException("a fault after " + step));
                }
            })) {
                assertThatExceptionOfType(StoreException.class)
                        .as(failing.name())
                        .isThrownBy(() -> replica.replaceBy(incoming))
                        .withMessageContaining("a fault after " + failing);
                assertThatExceptionOfType(StoreException.class).isThrownBy(replica::check);
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> log.applyTo(replica, log.size()));
                replica.reopen();
                checkAndGoOn(replica, newPosition());
            }
            assertThat(copy.resolve(TablesSwap.REPLACED)).doesNotExist();
            assertThat(copy.resolve(TablesSwap.INCOMING)).doesNotExist();
        }
    }

    @Test
    @DisplayName(
            "leaves the old tables in use if the checkpoint is that of a single node, incomplete or on another disk")
    void refusesOtherStores() throws Exception {
        Path single = temporary.resolve("single");
        RocksDbMessagingStore.open(single, SMALL).close();
        Path withoutManifest = temporary.resolve("without-manifest");
        StoreFiles.copy(checkpoint, withoutManifest);
        String manifest = Files.readString(withoutManifest.resolve("CURRENT")).strip();
        Files.delete(withoutManifest.resolve(manifest));
        Path otherDisk = Files.createTempDirectory(Path.of("/dev/shm"), "jitney-other-disk");
        StoreFiles.copy(checkpoint, otherDisk.resolve("checkpoint"));
        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, SMALL)) {
            for (Path refused : List.of(
                    single.resolve("db"), withoutManifest, otherDisk.resolve("checkpoint"), directory.resolve("db"))) {
                assertThatExceptionOfType(StoreException.class)
                        .as(refused.toString())
                        .isThrownBy(() -> replica.replaceBy(refused));
                assertThat(refused).isDirectory();
            }
            checkAndGoOn(replica, oldPosition());
        } finally {
            StoreFiles.delete(otherDisk);
        }
    }

    @Test
    @DisplayName("is repeated with each newer checkpoint")
    void isRepeated() throws Exception {
        Path second = temporary.resolve("second");
        try (RocksDbReplica ahead = RocksDbReplica.openExisting(temporary.resolve("ahead"), SMALL)) {
            log.applyTo(ahead, log.size());
            ahead.checkpoint(second);
        }
        try (RocksDbReplica replica = RocksDbReplica.openExisting(directory, SMALL)) {
            replica.replaceBy(checkpoint);
            assertThat(replica.position()).isEqualTo(newPosition());
            replica.replaceBy(second);
            checkAndGoOn(replica, log.position(log.size() - 1));
        }
    }

    /** Checks the rows and the position, and applies all batches that follow. */
    private void checkAndGoOn(RocksDbReplica replica, ReplicaPosition position) throws StoreException {
        replica.check();
        assertThat(replica.position()).isEqualTo(position);
        assertThat(ReplicaBatches.rowsOf(replica)).isEqualTo(log.rowsAt(position));
        assertThat(replica.flushedIndex()).isEqualTo(position.index());
        log.applyTo(replica, log.size());
        replica.flush();
        replica.reopen();
        assertThat(ReplicaBatches.rowsOf(replica)).isEqualTo(log.rowsAt(log.position(log.size() - 1)));
    }

    private static RocksDbReplica open(Path directory, Consumer<TablesSwap.Step> steps) throws StoreException {
        return RocksDbReplica.open(directory, SMALL, false, steps);
    }

    /** Returns a consumer that copies the state after each step, as a kill would leave it. */
    private Consumer<TablesSwap.Step> kill(Path store, String name, Map<TablesSwap.Step, Path> states) {
        return step -> {
            Path state = temporary.resolve(name + "-" + step);
            try {
                StoreFiles.copy(store, state);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            states.put(step, state);
        };
    }
}
