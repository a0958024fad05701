package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server as a process of its own: what it prints, and how it ends. */
@Timeout(120)
class ServerProcessTest {
    /** The lines below an event of a thread that got no time, the first of which has no indent. */
    private static final Pattern TRACE = Pattern.compile("\t.*|Caused by: .*|io\\.vertx\\..*: Thread blocked");

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path dir;

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    @DisplayName("It prints one connection string line, and SIGTERM drains and exits 0, leaving nothing behind")
    void printsAndStops() throws Exception {
        Process process = start("--data-dir", dir.resolve("data").toString(), "--config", "../samples/config.json");
        List<String> lines = untilConnectionString(process);
        assertThat(lines.get(0)).matches("Jitney \\S+ is ready\\.");
        assertThat(lines).anyMatch(line -> line.contains("orders"));
        assertThat(lines.get(lines.size() - 1))
                .matches("Endpoint=sb://localhost:[1-9]\\d*;SharedAccessKeyName=RootManageSharedAccessKey"
                        + ";SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;");
        process.destroy(); // SIGTERM
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(log(process))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("Jitney starts [version=", "java=" + System.getProperty("java.version")),
                        line -> assertThat(line).contains("5 entities created"),
                        line -> assertThat(line)
                                .contains(
                                        "Jitney is ready [listeners=amqp://127.0.0.1:",
                                        "entities=5",
                                        "stores=1",
                                        "recoverySeconds="),
                        line -> assertThat(line).contains("Jitney stops [reason=The process received a signal"),
                        line -> assertThat(line).contains("Jitney has stopped [stopSeconds="));

        Process again = start("--data-dir", dir.resolve("data").toString());
        assertThat(untilConnectionString(again)).anyMatch(line -> line.contains("orders"));
    }

    @Test
    @DisplayName(
            "With --exit-with-input it stops in an orderly way when the pipe of its input is closed, and not before")
    void exitsWithItsInput() throws Exception {
        Process process = start("--in-memory", "--exit-with-input");
        untilConnectionString(process);
        process.getOutputStream().write("ignored\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertThat(process.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
        process.getOutputStream().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(errors(process)))
                .contains("Jitney stops [reason=Standard input has ended", "Jitney has stopped");
    }

    @Test
    @DisplayName("A private key is never printed, not even at the most detailed log level")
    void printsNoKey() throws Exception {
        String key = "a-very-private-key-0123456789";
        Path file = Files.writeString(dir.resolve("key"), key);
        for (String format : List.of("TEXT", "JSON")) {
            Process process = start(
                    "--data-dir",
                    dir.resolve("data").toString(),
                    "--sas-key-file",
                    file.toString(),
                    "--log-level=TRACE",
                    "--log-format=" + format);
            List<String> lines = untilConnectionString(process);
            assertThat(lines.get(lines.size() - 1)).contains(";SharedAccessKey=<from --sas-key-file " + file + ">;");
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(lines).noneMatch(line -> line.contains(key));
            assertThat(errors(process)).content().doesNotContain(key);
        }
    }

    @Test
    @DisplayName("A second server on the same directory ends with status 1 and one line")
    void secondServer() throws Exception {
        Process first = start("--data-dir", dir.resolve("data").toString());
        untilConnectionString(first);
        Process second = start("--data-dir", dir.resolve("data").toString());
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(log(second))
                .singleElement()
                .asString()
                .startsWith("jitney: --data-dir ")
                .contains("Another server (process " + first.pid() + ")");
    }

    @Test
    @DisplayName("A server in memory writes no file, and runs without RocksDB on the class path")
    void inMemory() throws Exception {
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("rocksdb"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classes).isNotEqualTo(System.getProperty("java.class.path"));
        Path empty = Files.createDirectory(dir.resolve("empty"));
        Process process = start(
                classes,
                empty,
                "--in-memory",
                "--stores=2",
                "--config",
                Path.of("../samples/config.json").toRealPath().toString());
        List<String> lines = untilConnectionString(process);
        assertThat(lines).contains("  data      in memory, and lost when the server stops");
        assertThat(lines).anyMatch(line -> line.contains("orders"));
        process.destroy(); // SIGTERM
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(String.join("\n", log(process)))
                .contains(
                        "dataDirectory=none", "Everything is in memory and is lost when the server stops.", "stores=2")
                .doesNotContain("ERROR", "WARN", "rocksdb");
        assertThat(empty).isEmptyDirectory();
    }

    @ParameterizedTest
    @DisplayName("A server in memory refuses the options of a data directory and of a cluster")
    @CsvSource(
            delimiter = '|',
            value = {
                "--data-dir d|--data-dir: Expected no such option, because --in-memory keeps everything in memory.",
                "--store-dirs d|--store-dirs: Expected no such option",
                "--cluster-nodes a=127.0.0.1:1 --cluster-node a|--cluster-nodes: Expected no such option",
                "--cluster-leave|--cluster-leave: Expected no such option",
                "--amqps-port 0 --tls auto|--tls auto: Expected a data directory for the certificate",
                "--in-memory-size 1000k|--in-memory-size: Expected 1048576 bytes (1 MiB for each store) to 134217728 bytes",
                "--in-memory-size 1m --stores 2|--in-memory-size: Expected 2097152 bytes",
                "--in-memory-size 129m|--in-memory-size: Expected 1048576 bytes",
            })
    void refusedInMemory(String options, String error) throws Exception {
        Process process = start(("--in-memory " + options).split(" "));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(log(process)).last().asString().startsWith("jitney: " + error);
    }

    /** Returns the options of the launcher that prevent warnings about native code in newer Java versions. */
    private static List<String> platformOptions() {
        List<String> options = new ArrayList<>();
        if (Runtime.version().feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (Runtime.version().feature() >= 24) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    private Process start(String... options) throws IOException {
        return start(System.getProperty("java.class.path"), null, options);
    }

    private Process start(String classes, @Nullable Path directory, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(platformOptions());
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes,
                "dev.jitney.server.cli.JitneyCli",
                "server",
                "--amqp-port=0",
                "--http-port=0"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        builder.environment().keySet().removeIf(name -> name.startsWith("JITNEY_"));
        builder.redirectError(errors(processes.size()).toFile());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Each process has its own file, so that none writes between the lines of another one. */
    private Path errors(int number) {
        return dir.resolve("errors-" + number);
    }

    private Path errors(Process process) {
        return errors(processes.indexOf(process));
    }

    /** Returns what a process has logged, without the warnings of Vert.x about a slow machine and their stack traces. */
    private List<String> log(Process process) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean slow = false;
        for (String line : Files.readAllLines(errors(process))) {
            slow = line.contains(" BlockedThreadChecker: ")
                    || slow && TRACE.matcher(line).matches();
            if (!slow) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static List<String> untilConnectionString(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (line.startsWith("Endpoint=")) {
                return lines;
            }
        }
        throw new AssertionError("The server ended before it was ready: " + lines);
    }
}
