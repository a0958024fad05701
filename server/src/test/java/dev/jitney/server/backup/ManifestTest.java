package dev.jitney.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {
    private static final String SUM = "ab".repeat(32);
    private static final Manifest MANIFEST = new Manifest(
            "20261128T184500123Z",
            1_795_891_500_123L,
            "0.4.0-SNAPSHOT",
            7,
            List.of(new Manifest.Store(
                    -2, 17, List.of(new Manifest.File("commits", 0, SUM), new Manifest.File("db/CURRENT", 16, SUM)))));

    private static String text() {
        return new String(MANIFEST.encoded(), StandardCharsets.UTF_8);
    }

    /** Returns a manifest with another first line, and the right checksum of that. */
    private static byte[] signed(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return (line + "\n" + ContentFiles.hex(ContentFiles.sha256().digest(bytes)) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        assertThat(Manifest.parse(MANIFEST.encoded())).isEqualTo(MANIFEST);
        assertThat(text())
                .startsWith("{\"version\":1,\"id\":\"20261128T184500123Z\",\"moment\":1795891500123,"
                        + "\"program\":\"0.4.0-SNAPSHOT\",\"newBytes\":7,\"stores\":[{\"log\":\"fffffffffffffffe\","
                        + "\"lastCommit\":17,\"files\":[{\"name\":\"commits\",\"bytes\":0,\"sha256\":\"" + SUM + "\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "db/CURRENT, ../../etc/passwd",
        "db/CURRENT, /etc/passwd",
        "db/CURRENT, db/../x",
        "db/CURRENT, db/..",
        "db/CURRENT, db/a/b",
        "db/CURRENT, db/.hidden",
        "db/CURRENT, db/",
        "db/CURRENT, commits",
        "commits, Commits",
        "20261128T184500123Z, ../20261128T184500123Z",
        "ab, AB",
        "ab, a/",
        "0.4.0-SNAPSHOT, 0.4 \\u001b[2J",
        "fffffffffffffffe, fffffffffffffffff",
        "\"bytes\":16, \"bytes\":-1",
        "\"bytes\":16, \"bytes\":1e99",
        "\"bytes\":16, \"bytes\":16.5",
        "\"bytes\":16, \"bytes\":99999999999999999999999999999999",
        "\"bytes\":16, \"bytes\":9223372036854775807",
        "\"lastCommit\":17, \"lastCommit\":null",
        "'\"newBytes\":7,', '\"newBytes\":7,\"newBytes\":8,'",
        "1795891500123, 9223372036854775807",
        "'\"version\":1,', '\"version\":0,'",
    })
    void refusesWhatABackupNeverHas(String from, String to) {
        String line = text().lines().findFirst().orElseThrow();
        assertThat(line).contains(from);
        assertThatThrownBy(() -> Manifest.parse(signed(line.replace(from, to))))
                .isInstanceOf(BackupException.class)
                .hasMessageStartingWith("The manifest is damaged: Expected");
    }

    @Test
    void refusesANewerVersionByName() {
        assertThatThrownBy(() -> Manifest.parse(
                        signed(text().lines().findFirst().orElseThrow().replace("\"version\":1", "\"version\":2"))))
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer version");
    }

    @Test
    void refusesDeepAndEndlessDocuments() {
        assertThatThrownBy(() -> Manifest.parse(signed("[".repeat(1_000_000)))).isInstanceOf(BackupException.class);
        assertThatThrownBy(() -> Manifest.parse(signed("\"" + "x".repeat(1_000_000) + "\"")))
                .isInstanceOf(BackupException.class);
        assertThatThrownBy(() -> Manifest.parse(new byte[Manifest.BYTES_MAX + 1]))
                .hasMessageContaining("at most");
    }

    @Test
    void everyChangedByteIsFound() {
        byte[] good = MANIFEST.encoded();
        Random random = new Random(7);
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> Manifest.parse(bad)).isInstanceOf(BackupException.class);
        }
        for (int length = 0; length < good.length; length++) {
            byte[] shorter = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> Manifest.parse(shorter)).isInstanceOf(BackupException.class);
        }
    }
}
