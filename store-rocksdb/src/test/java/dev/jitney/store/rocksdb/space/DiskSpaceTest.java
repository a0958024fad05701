package dev.jitney.store.rocksdb.space;

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
}
