package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DiskSpaceTest {
    private final AtomicLong usable = new AtomicLong(1000);
    private final AtomicLong owed = new AtomicLong();
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger looks = new AtomicInteger();

    private DiskSpace open() {
        return new DiskSpace(
                () -> {
                    looks.incrementAndGet();
                    return usable.get();
                },
                owed::get,
                nowNs::get,
                400,
                100);
    }

    private void pass(long ms) {
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** Returns the result after enough checks for an improvement to take effect. */
    private boolean hasRoomForAWhile(DiskSpace space) {
        for (int i = 1; i < DiskSpace.LOOKS_TO_RESUME; i++) {
            pass(100);
            space.hasRoom();
        }
        pass(100);
        return space.hasRoom();
    }

    @Test
    void startsAgainOnlyWhenThereHasBeenRoomForAWhile() {
        DiskSpace space = open();
        usable.set(100);
        pass(100);
        assertThat(space.hasRoom()).isFalse();
        for (int round = 0; round < 3; round++) {
            usable.set(600);
            for (int i = 1; i < DiskSpace.LOOKS_TO_RESUME; i++) {
                pass(100);
                assertThat(space.hasRoom()).isFalse();
            }
            usable.set(499);
            pass(100);
            assertThat(space.hasRoom()).isFalse();
        }
        usable.set(600);
        assertThat(hasRoomForAWhile(space)).isTrue();
    }

    @Test
    void stopsBelowTheReserveAndStartsAgainAQuarterAboveIt() {
        DiskSpace space = open();
        assertThat(space.hasRoom()).isTrue();
        for (long[] step : new long[][] {{400, 1}, {399, 0}, {400, 0}, {499, 0}, {500, 1}, {400, 1}, {0, 0}}) {
            usable.set(step[0]);
            assertThat(hasRoomForAWhile(space)).as("with %d bytes", step[0]).isEqualTo(step[1] == 1);
        }
    }

    @Test
    void looksAtTheFileSystemOncePerInterval() {
        DiskSpace space = open();
        for (int i = 0; i < 1000; i++) {
            space.hasRoom();
        }
        pass(99);
        space.hasRoom();
        assertThat(looks).hasValue(1);
        pass(1);
        space.hasRoom();
        assertThat(looks).hasValue(2);
    }

    /** Senders may be as fast as the disk and write more than a small reserve in one interval. */
    @Test
    void looksAgainWithinTheIntervalWhenAThirtySecondOfTheReserveWasWritten() {
        DiskSpace space = open();
        usable.set(399);
        space.written(12 / 2);
        assertThat(space.hasRoom()).isTrue();
        space.written(12 / 2);
        assertThat(space.hasRoom()).isFalse();
        // Growth resumes only after a while, regardless of the number of settlements.
        usable.set(1000);
        space.written(1_000_000);
        assertThat(space.hasRoom()).isFalse();
        assertThat(looks).hasValue(2);
        assertThat(hasRoomForAWhile(space)).isTrue();
    }

    @Test
    void keepsFreeWhatCompactionsOwe() {
        DiskSpace space = open();
        usable.set(700);
        for (long[] step : new long[][] {{300, 1}, {301, 0}, {200, 1}, {9000, 0}}) {
            owed.set(step[0]);
            assertThat(hasRoomForAWhile(space)).as("owing %d bytes", step[0]).isEqualTo(step[1] == 1);
        }
        usable.set(9500);
        assertThat(hasRoomForAWhile(space)).isTrue();
    }

    @Test
    void readsTheSizesOfLevelsAtLeastAsLargeAsTheyAre() {
        LevelSizes sizes = LevelSizes.parse("""
                Level Files Size(MB)
                --------------------
                  0        3        9
                  1        0        0
                  2       12      102
                """);
        assertThat(sizes.bytes(0)).isEqualTo((9 << 20) + (1 << 19));
        assertThat(sizes.bytes(1)).isZero();
        assertThat(sizes.bytes(2)).isEqualTo((102 << 20) + (1 << 19));
        assertThat(sizes.bytes(3)).isZero();
    }

    @Test
    void aFileSystemThatDoesNotAnswerHasNoRoom() {
        DiskSpace space = new DiskSpace(
                () -> {
                    throw new IOException("gone");
                },
                owed::get,
                nowNs::get,
                400,
                100);
        assertThat(space.hasRoom()).isFalse();
    }

    @Test
    void sizesFitIntoTheReserveOnEveryFileSystem() {
        for (long mib : new long[] {64, 128, 256, 400, 1024, 4096, 100_000, 10_000_000}) {
            Sizing sizing = Sizing.of(RocksDbOptions.DEFAULTS, mib << 20);
            assertThat(sizing.reserveBytes()).isEqualTo(Math.min(1 << 30, (mib << 20) / 5));
            long firstCompaction = 4 * sizing.memtableBytes() + sizing.compactionBytes();
            long logAhead = sizing.memtableBytes() * 11 / 10;
            assertThat(sizing.memtablesTotalBytes() + firstCompaction + logAhead)
                    .as("%d MiB", mib)
                    .isLessThanOrEqualTo(sizing.reserveBytes());
            assertThat(Sizing.IDS_FILES * sizing.idsMemtableBytes())
                    .as("young files of message ids, %d MiB", mib)
                    .isLessThanOrEqualTo(4 * sizing.memtableBytes());
        }
        Sizing large = Sizing.of(RocksDbOptions.DEFAULTS, 100L << 30);
        assertThat(large.memtableBytes()).isEqualTo(64 << 20);
        assertThat(large.tableFileBytes()).isEqualTo(64 << 20);
        Sizing larger = Sizing.of(RocksDbOptions.DEFAULTS.withMemtables(256 << 20, 6), 100L << 30);
        assertThat(larger.memtableBytes()).isEqualTo(256 << 20);
        assertThat(Sizing.of(RocksDbOptions.DEFAULTS.withReserveBytes(7 << 20), 100L << 30)
                        .reserveBytes())
                .isEqualTo(7 << 20);
    }
}
