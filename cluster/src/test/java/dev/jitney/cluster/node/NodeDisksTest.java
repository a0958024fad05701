package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The disks of a node")
class NodeDisksTest {
    private static final long GIB = 1L << 30;

    private record FixedDisk(long usableBytes, long totalBytes) implements NodeDisks.Disk {
        @Override
        public Path directory() {
            return Path.of("log-disk");
        }
    }

    private static NodeDisks logOn(long usableBytes, long totalBytes) {
        return new NodeDisks(new FixedDisk(usableBytes, totalBytes), List.of());
    }

    @Test
    @DisplayName("hold a log of the size of the settings, or of a tenth of its disk if that is smaller (CL-41)")
    void boundsTheLog() {
        assertThat(logOn(100 * GIB, 100 * GIB).logBytesMax(GIB)).isEqualTo(GIB);
        assertThat(logOn(5 * GIB, 5 * GIB).logBytesMax(GIB)).isEqualTo(GIB / 2);
        assertThat(logOn(100 * GIB, 100 * GIB).logBytesMax(0)).isZero();
    }

    @Test
    @DisplayName("have room above 1 GiB or a fifth, and let the node take part above an eighth of that (CL-43)")
    void haveAReserve() {
        assertThat(logOn(GIB, 100 * GIB).logHasRoom()).isTrue();
        assertThat(logOn(GIB - 1, 100 * GIB).logHasRoom()).isFalse();
        assertThat(logOn(GIB / 8, 100 * GIB).full()).isNull();
        assertThat(logOn(GIB / 8 - 1, 100 * GIB).full()).contains("log-disk", "free bytes");
        assertThat(logOn(GIB / 4, 100 * GIB).stillFull()).isNull();
        assertThat(logOn(GIB / 4 - 1, 100 * GIB).stillFull()).contains("log-disk");
        assertThat(logOn(200 << 20, GIB).logHasRoom()).isFalse();
        assertThat(logOn(26 << 20, GIB).full()).isNull();
    }

    @Test
    @DisplayName("include those of the stores, and leave a disk that cannot be read to the stores (CL-42, CL-43)")
    void includeTheStores() {
        NodeDisks.Disk gone = new NodeDisks.Disk() {
            @Override
            public long usableBytes() throws IOException {
                throw new IOException("gone");
            }

            @Override
            public long totalBytes() {
                return GIB;
            }

            @Override
            public Path directory() {
                return Path.of("gone");
            }
        };
        NodeDisks.Disk full = new FixedDisk(1, GIB);
        assertThat(new NodeDisks(new FixedDisk(GIB, GIB), List.of(full)).full()).isNotNull();
        assertThat(new NodeDisks(new FixedDisk(GIB, GIB), List.of(full)).freeBytes())
                .isEqualTo(1);
        assertThat(new NodeDisks(gone, List.of()).full()).isNull();
        assertThat(new NodeDisks(gone, List.of()).logHasRoom()).isTrue();
        assertThat(new NodeDisks(gone, List.of()).freeBytes()).isEqualTo(-1);
    }

    @Test
    @DisplayName("are those of directories that do not exist yet (CL-43)")
    void areFound(@TempDir Path directory) throws IOException {
        NodeDisks disks = NodeDisks.of(
                directory.resolve("log"), List.of(directory.resolve("a").resolve("b")));
        assertThat(disks.freeBytes()).isPositive();
    }
}
