package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a server are private to its user, with the usual umask (022). */
@Timeout(180)
class PrivateDataTest {
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path dir;

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    @DisplayName("MSG-1: files of a server have mode 0700 or 0600; directories from their creation on")
    void newDirectories() throws Exception {
        Path data = dir.resolve("new/data");
        Path other = dir.resolve("disk/stores");
        AtomicBoolean started = new AtomicBoolean();
        List<String> seen = new ArrayList<>();
        Thread watching = new Thread(() -> {
            while (!started.get()) {
                for (Path root : List.of(dir.resolve("new"), dir.resolve("disk"))) {
                    if (Files.exists(root)) {
                        // Other users cannot access any file in the directory.
                        seen.addAll(find(root, "-maxdepth", "0", "-perm", "/077"));
                    }
                }
            }
        });
        Process process = start(data, "--stores=2", "--store-dirs=" + data + "," + other);
        watching.start();
        try {
            untilConnectionString(process);
        } finally {
            started.set(true);
            watching.join();
        }
        assertThat(seen).as("open at any moment of the start").isEmpty();
        assertThat(find(data, "-name", "*.sst"))
                .as("there are files of RocksDB")
                .isNotEmpty();
        assertThat(openToOthers()).isEmpty();
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(openToOthers()).as("after the end").isEmpty();
    }

    @Test
    @DisplayName("MSG-1: an existing directory keeps its mode and causes a warning; files of an older version in"
            + " it become private")
    void olderDirectories() throws Exception {
        Path data = dir.resolve("data");
        Process first = start(data);
        untilConnectionString(first);
        first.destroy();
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Path foreign = Files.writeString(data.resolve("notes.txt"), "not ours");
        assertThat(run("chmod", "-R", "u=rwX,go=rX", data.toString())).isEmpty();
        assertThat(openToOthers()).isNotEmpty();

        Process second = start(data);
        untilConnectionString(second);
        assertThat(openToOthers()).containsExactlyInAnyOrder(data.toString(), foreign.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwxr-xr-x");
        assertThat(Files.readString(dir.resolve("errors")))
                .contains(
                        "WARN", "Other users of this machine can access this existing directory", "chmod 700 " + data);
    }

    /** Returns all files of the servers that other users may access. */
    private List<String> openToOthers() {
        return find(dir, "-mindepth", "1", "-not", "-name", "errors", "-perm", "/077");
    }

    private static List<String> find(Path root, String... conditions) {
        List<String> command = new ArrayList<>(List.of("find", root.toString()));
        command.addAll(List.of(conditions));
        return run(command.toArray(String[]::new));
    }

    private static List<String> run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD) // a file that was deleted in the meantime
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private Process start(Path data, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 022; exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.jitney.server.cli.JitneyCli",
                "server",
                "--amqp-port=0",
                "--http-port=0",
                "--amqps-port=0",
                "--tls=auto",
                "--config=../samples/config.json",
                "--data-dir=" + data));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("JITNEY_"));
        builder.redirectError(dir.resolve("errors").toFile());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static void untilConnectionString(Process process) throws Exception {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("Endpoint=")) {
                return;
            }
        }
        throw new AssertionError("The server ended before it was ready.");
    }
}
