package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that are unpacked once, and only used if nothing has changed them. */
class BrokerJarsTest {
    private static final String NESTED = "META-INF/jitney/broker/";

    @TempDir
    Path dir;

    private Path temporary;
    private Path bundle;

    @BeforeEach
    void bundle() throws IOException {
        temporary = Files.createDirectory(dir.resolve("tmp"));
        bundle = zip("bundle.jar", Map.of(NESTED + "b.jar", "second", NESTED + "a.jar", "first", "other.txt", "no"));
    }

    @Test
    @DisplayName("The jars are unpacked once into a folder that only its owner can use")
    void once() throws IOException {
        List<Path> first = BrokerJars.unpacked(bundle, temporary);

        assertThat(first).extracting(file -> file.getFileName().toString()).containsExactly("a.jar", "b.jar");
        assertThat(first.get(0)).hasContent("first");
        Path folder = first.get(0).getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(BrokerJars.unpacked(bundle, temporary)).isEqualTo(first);
        assertThat(folders()).containsExactly(folder);
    }

    @Test
    @DisplayName("Another release has a folder of its own")
    void release() throws IOException {
        Path other = zip("other.jar", Map.of(NESTED + "a.jar", "fresh"));

        assertThat(BrokerJars.unpacked(other, temporary).get(0).getParent())
                .isNotEqualTo(BrokerJars.unpacked(bundle, temporary).get(0).getParent());
    }

    @Test
    @DisplayName("A jar with other content or of another size, or a missing one, is replaced")
    void changed() throws IOException {
        Path kept = BrokerJars.unpacked(bundle, temporary).get(0);
        for (String content : List.of("First", "longer than before")) {
            Files.writeString(kept, content);
            assertThat(BrokerJars.unpacked(bundle, temporary).get(0))
                    .isEqualTo(kept)
                    .hasContent("first");
        }
        Files.delete(kept);
        assertThat(BrokerJars.unpacked(bundle, temporary).get(0))
                .isEqualTo(kept)
                .hasContent("first");
        assertThat(folders()).containsExactly(kept.getParent());
    }

    @Test
    @DisplayName("Each user has a folder, and a jar that cannot be replaced is not used")
    void userAndFolder() throws IOException {
        Path kept = BrokerJars.unpacked(bundle, temporary).get(0);
        assertThat(kept.getParent().getFileName().toString())
                .startsWith("jitney-testkit-" + System.getProperty("user.name") + "-");
        Files.delete(kept);
        Files.createDirectories(kept.resolve("folder"));
        assertThat(BrokerJars.unpacked(bundle, temporary).get(0))
                .isNotEqualTo(kept)
                .hasContent("first");
    }

    @Test
    @DisplayName("Folders of killed processes are deleted after a day")
    void leftovers() throws IOException {
        Path old = Files.createDirectory(temporary.resolve("jitney-testkit.new-1"));
        Files.writeString(old.resolve("a.jar"), "part");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Path recent = Files.createDirectory(temporary.resolve("jitney-testkit.new-2"));
        Path kept = BrokerJars.unpacked(bundle, temporary).get(0).getParent();
        assertThat(folders()).containsExactlyInAnyOrder(recent, kept);
    }

    @Test
    @DisplayName("A folder that others can use, or a link, is not used")
    void exposed() throws IOException {
        Path folder = BrokerJars.unpacked(bundle, temporary).get(0).getParent();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(BrokerJars.unpacked(bundle, temporary).get(0).getParent()).isNotEqualTo(folder);

        Path elsewhere = dir.resolve("elsewhere");
        Files.move(folder, elsewhere);
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(folder, elsewhere);
        assertThat(BrokerJars.unpacked(bundle, temporary).get(0).getParent()).isNotEqualTo(folder);
    }

    @Test
    @DisplayName("A nested jar with a path is refused, and so is a bundle without jars")
    void invalid() throws IOException {
        Path outside = zip("outside.jar", Map.of(NESTED + "../../a.jar", "x"));
        assertThatThrownBy(() -> BrokerJars.unpacked(outside, temporary))
                .hasMessageContaining("Expected a jar directly in META-INF/jitney/broker/");
        Path empty = zip("empty.jar", Map.of("other.txt", "x"));
        assertThatThrownBy(() -> BrokerJars.unpacked(empty, temporary))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Expected 1 to 1000 jars");
        assertThat(folders()).isEmpty();
    }

    @Test
    @DisplayName("An index that is in no jar is refused with the fix")
    void index() throws IOException {
        URL address = new URL("http://localhost/" + BrokerJars.INDEX);
        assertThatThrownBy(() -> BrokerJars.at(address))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Put jitney-testkit-broker on the class path as a jar of its own.");
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.toList();
        }
    }

    private Path zip(String name, Map<String, String> entries) throws IOException {
        Path file = dir.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return file;
    }
}
