package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the file that a node gives up when the disk of its log is full. */
final class SpareSpaceTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "is given up in parts, because another program that fills the disk takes the first ones, and is made again (CL-42)")
    void parts() throws IOException {
        SpareSpace spare = new SpareSpace(directory);
        Path file = directory.resolve(SpareSpace.FILE);
        spare.release();
        assertThat(file).doesNotExist();
        spare.hold();
        assertThat(file).hasSize(SpareSpace.BYTES);
        spare.release();
        assertThat(file).hasSize(SpareSpace.BYTES - SpareSpace.BYTES / SpareSpace.PARTS);
        spare.hold();
        assertThat(file).hasSize(SpareSpace.BYTES);
        assertThat(Files.readAllBytes(file)).containsOnly(0);
        for (int i = 0; i < SpareSpace.PARTS; i++) {
            assertThat(file).exists();
            spare.release();
        }
        assertThat(file).doesNotExist();
    }
}
