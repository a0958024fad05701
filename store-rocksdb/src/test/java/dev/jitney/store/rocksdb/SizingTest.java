package dev.jitney.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizingTest {
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
