package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The files of the log")
class LogFilesTest {
    @TempDir
    Path directory;

    private void file(String name, int bytes) throws IOException {
        Files.write(directory.resolve(name), new byte[bytes]);
    }

    @Test
    @DisplayName(
            "go when they exceed a size and no store needs them, and the last closed one never (CL-41, RATIS-2500)")
    void removable() throws IOException {
        file("log_0-9", 100);
        file("log_10-19", 100);
        file("log_20-29", 100);
        file("log_inprogress_30", 50);
        LogFiles files = new LogFiles(directory);
        assertThat(files.first()).isZero();
        Files.delete(directory.resolve("log_inprogress_30"));
        assertThat(files.last()).isEqualTo(29);
        file("log_inprogress_30", 50);
        assertThat(files.bytes()).isEqualTo(350);
        assertThat(files.removable(29, 1_000)).isEqualTo(-1);
        assertThat(files.removable(29, 250)).isEqualTo(9);
        assertThat(files.removable(29, 0)).isEqualTo(19);
        assertThat(files.removable(18, 0)).isEqualTo(9);
        assertThat(files.removable(8, 0)).isEqualTo(-1);
    }

    @Test
    @DisplayName("go also while no server runs, up to the place where a restart begins (CL-41)")
    void closed(@TempDir Path log) throws IOException {
        UUID cluster = new UUID(1, 2);
        Path current = Files.createDirectories(log.resolve(cluster.toString()).resolve("current"));
        for (String name : List.of("log_0-9", "log_10-19", "log_20-29", "log_30-39", "log_inprogress_40")) {
            Files.write(current.resolve(name), new byte[100]);
        }
        assertThat(ClosedLog.tidy(log, cluster, 0)).isFalse();
        new ReplayPoint(new LogPoint(3, 25), new long[] {25}).write(log);

        assertThat(ClosedLog.tidy(log, cluster, 1_000)).isFalse();
        assertThat(ClosedLog.tidy(log, cluster, 0)).isTrue();

        try (Stream<Path> left = Files.list(current)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("log_20-29", "log_30-39", "log_inprogress_40");
        }
        assertThat(ClosedLog.tidy(log, cluster, 0)).isFalse();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @Test
    @DisplayName("are refused while a closed one has no entries, because Ratis would remove it (CL-42)")
    void withoutEntries() throws IOException {
        LogFiles files = new LogFiles(directory);
        byte[] header = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
        byte[] entry = {3, 8, 1, 0, 1, 2, 3, 4}; // size, content, checksum
        Path file = directory.resolve("log_0-9");
        file("log_inprogress_10", 0);
        for (byte[] content : List.of(
                new byte[0],
                new byte[100],
                header,
                Arrays.copyOf(header, 100),
                joined(header, Arrays.copyOf(entry, entry.length - 1)))) {
            Files.write(file, content);
            assertThatExceptionOfType(IOException.class)
                    .as("%d bytes", content.length)
                    .isThrownBy(files::requireEntries)
                    .withMessageContaining("log_0-9 of the replicated log has no entries any more. Repair it");
            assertThat(file).hasBinaryContent(content);
        }
        Files.write(file, joined(header, entry));
        files.requireEntries();
    }

    @Test
    @DisplayName("are synced before Ratis reads them, because it takes everything that it reads for synced (CL-1)")
    void syncsTheOpenFile() throws IOException {
        file("log_0-9", 100);
        file("log_inprogress_10", 100);
        Path events = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            new LogFiles(directory).sync();
            recording.stop();
            recording.dump(events);
        }
        assertThat(RecordingFile.readAllEvents(events))
                .extracting(event -> event.getString("path"))
                .contains(directory.resolve("log_inprogress_10").toString(), directory.toString());
    }

    @Test
    @DisplayName("may be missing")
    void missing() throws IOException {
        assertThat(new LogFiles(directory.resolve("none")).first()).isEqualTo(-1);
        assertThat(new LogFiles(directory.resolve("none")).last()).isEqualTo(-1);
        new LogFiles(directory.resolve("none")).sync();
        assertThat(new LogFiles(directory.resolve("none")).removable(5, 0)).isEqualTo(-1);
    }

    @Test
    @DisplayName("have a replay point beside them that is read back, and refused when it is damaged (CL-50)")
    void replayPoint() throws IOException {
        assertThat(ReplayPoint.read(directory)).isNull();
        new ReplayPoint(new LogPoint(3, 70), new long[] {70, 5}).write(directory);
        ReplayPoint read = ReplayPoint.read(directory);
        assertThat(read.point()).isEqualTo(new LogPoint(3, 70));
        assertThat(read.flushed()).containsExactly(70, 5);
        Path file = directory.resolve("replay");
        Files.writeString(file, Files.readString(file).replace("70 70", "71 70"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ReplayPoint.read(directory))
                .withMessageContaining("damaged");
    }

    @Test
    @DisplayName("are read again from a place that is known, and thinned out when there are many")
    void safePoints() {
        SafePoints points = new SafePoints(LogPoint.START);
        for (long i = 0; i < 1_000_000; i++) {
            points.add(new LogPoint(1, i));
        }
        assertThat(points.latest()).isEqualTo(new LogPoint(1, 999_999));
        assertThat(points.floor(500_000).index()).isBetween(498_000L, 500_000L);
        assertThat(points.floor(2_000_000)).isEqualTo(new LogPoint(1, 999_999));
    }
}
