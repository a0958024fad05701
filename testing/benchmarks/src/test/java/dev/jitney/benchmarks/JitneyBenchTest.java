package dev.jitney.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every mode runs once with few messages, on a server that it starts. */
final class JitneyBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({"send, 3000, 0", "receive, 0, 3000", "both, 3000, 3000"})
    void movesAsManyMessagesAsAskedFor(String mode, int accepted, int completed) {
        assertThat(run(mode, "--count", "3000", "--duration", "60", "--warm-up", "1", "--json"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(lastLine())
                .startsWith("{\"mode\":\"" + mode + "\"")
                .endsWith("\"trouble\":false}")
                .contains("\"accepted\":" + accepted + ",")
                .contains("\"completed\":" + completed + ",")
                .contains("\"serverCpuMicrosPerMessage\":");
    }

    @Test
    void goesThroughWebSockets() {
        assertThat(run("both", "--count", "3000", "--duration", "60", "--json", "--web-socket"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("\"accepted\":3000,", "\"completed\":3000,");
    }

    @Test
    void keepsToTheRateItIsGiven() {
        assertThat(run("latency", "--rate", "200", "--duration", "2", "--warm-up", "1"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains("send to accepted")
                .contains("send to received")
                .contains("p99.9");
    }

    @Test
    void distributesMessagesWithPropertiesOverQueues() {
        assertThat(run(
                        "both",
                        "--count=3000",
                        "--queues=3",
                        "--senders=3",
                        "--receivers=3",
                        "--properties=5",
                        "--receive-and-delete",
                        "--json"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(lastLine()).contains("\"accepted\":3000,", "\"completed\":3000,");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void opensConnections(boolean tls) {
        String[] options = {"connections", "--count=30", "--warm-up=5", "--at-once=4"};
        assertThat(run(
                        tls
                                ? Stream.concat(Stream.of(options), Stream.of("--tls"))
                                        .toArray(String[]::new)
                                : options))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains("connections/s (30 in ", "of processor time per connection", "KiB per connection");
    }

    @Test
    void createsQueues() {
        assertThat(run("create-queues", "--count", "20", "--existing", "5"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("(20 in ").contains("p99").contains("ms of processor time per queue");
    }

    @Test
    void measuresTheJavaSdk() {
        assertThat(run("sdk", "--count=200", "--calls=4", "--prefetch=10"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains(
                        "send, batches of 100", "process, 4 calls, prefetch 10", "receiveMessages(100), complete each");
    }

    @Test
    void measuresTheTestKit() {
        assertThat(run("testkit", "--rounds", "1", "--tests", "3", "--namespaces", "3"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains("first start (ms)", "3 tests with the SDK (s)", "3 namespaces with a message (MB)");
    }

    @Test
    @DisplayName("The guard compares this build with an unpacked release, here with itself")
    void comparesWithARelease(@TempDir Path home) throws Exception {
        Path lib = Files.createDirectories(home.resolve("jitney-0.0.1/lib"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = lib.resolve(number++ + ".jar");
            if (Files.isDirectory(Path.of(entry))) {
                jar(Path.of(entry), jar);
            } else if (Files.exists(Path.of(entry))) {
                Files.createSymbolicLink(jar, Path.of(entry).toAbsolutePath());
            }
        }

        int status = run(
                "guard",
                "--baseline=" + home,
                "--workloads=receive,rate-2000",
                "--rounds=1",
                "--seconds=1",
                "--warm-up=0",
                "--count=2000",
                "--json");

        // The result of so short runs means nothing.
        assertThat(status).as("%s%s", out, err).isBetween(0, 1);
        assertThat(out.toString())
                .contains("This build over jitney-0.0.1", "receive    rate ", "rate-2000  rate given");
        assertThat(lastLine()).startsWith("{\"guard\":[{\"workload\":\"receive\",\"rate\":{\"median\":");
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            to.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                to.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, to);
                to.closeEntry();
            }
        }
    }

    @Test
    void theGuardNeedsARelease(@TempDir Path empty) {
        assertThat(run("guard")).isEqualTo(2);
        assertThat(err.toString()).contains("--baseline: Expected the archive of the last release");
        assertThat(run("guard", "--baseline=" + empty)).isEqualTo(1);
        assertThat(out.toString()).contains("--baseline: Expected a directory 'lib' of a release");
        assertThat(run("guard", "--baseline=" + empty, "--workloads=all")).isEqualTo(2);
    }

    @Test
    void showsTheLatencyOfEachSecond() {
        assertThat(run("latency", "--rate", "200", "--duration", "3", "--warm-up", "0", "--per-second"))
                .as("%s%s", out, err)
                .isZero();
        assertThat(out.toString()).contains("second   messages").containsPattern("p99 by second +[0-9.]+ ms");
    }

    @Test
    void comparesATopicWithAQueue() {
        assertThat(run(
                        "fanout",
                        "--count=500",
                        "--rounds=2",
                        "--warm-up=0",
                        "--subscriptions=3",
                        "--json",
                        "--rules=sql"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("messages/s", "us of server cpu/msg", "topic / queue");
        assertThat(lastLine())
                .startsWith("{\"mode\":\"fanout\",\"subscriptions\":3,\"rules\":\"sql\"")
                .contains("\"storeBytesPerMessage\":{\"queue\":{\"median\":1")
                .endsWith("]}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--subscriptions=0", "--rules=some", "--size=3", "--rounds=0"})
    void refusesAFanoutThatCannotWork(String argument) {
        assertThat(run("fanout", argument)).isEqualTo(2);

        assertThat(err.toString()).startsWith("jitney bench: " + argument.substring(0, argument.indexOf('=')) + ":");
    }

    @Test
    void comparesForwardsWithAQueue() {
        assertThat(run(
                        "forward",
                        "--count=500",
                        "--rounds=1",
                        "--warm-up=0",
                        "--hops=2",
                        "--json",
                        "--server-options=--stores 2"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains("messages/s", "us of server cpu/msg", "A forward costs", "Throughput of the chain");
        assertThat(lastLine())
                .startsWith("{\"mode\":\"forward\",\"hops\":2,")
                .contains("\"storeBytesPerMessage\":{\"queue\":{\"median\":", "\"costRatio\":{\"once\":{\"median\":")
                .endsWith("]}}");
    }

    @Test
    void comparesAPartitionedQueueWithAnOrdinaryOne() {
        assertThat(run(
                        "partitioned",
                        "--count=500",
                        "--rounds=1",
                        "--warm-up=0",
                        "--json",
                        "--server-options=--stores 2"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString())
                .contains("messages/s", "us of server cpu/msg", "Throughput of the fragments / of one sequence: ");
        assertThat(lastLine())
                .startsWith("{\"mode\":\"partitioned\",\"sizeBytes\":1024,")
                .contains("\"messagesPerSecond\":{\"ordinary\":{\"median\":", "\"partitioned\":{\"median\":")
                .endsWith("]}}}");
    }

    @Test
    @DisplayName(
            "CL-92, CL-95: a run on a cluster reports the processor time of each node and the heap of each follower")
    void measuresACluster() {
        assertThat(run("both", "--cluster=3", "--through=follower", "--count=500", "--duration=60", "--json"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString().lines().filter(line -> line.startsWith("follower ")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("us of processor time per message", "MiB of heap after a collection"));
        assertThat(lastLine())
                .contains("\"completed\":500,", "\"followers\":[{\"name\":\"", "\"liveHeapMiB\":")
                .endsWith("\"trouble\":false}");
    }

    @Test
    @DisplayName(
            "CL-63: a rolling restart under load loses nothing, and costs clients one change of the leader when followers go first")
    void restartsOneAfterTheOther() {
        // A busy machine may elect a leader more.
        String once = "\"leaderChanges\":1,";
        for (int attempt = 1; attempt <= 3 && !out.toString().contains(once); attempt++) {
            assertThat(run("rolling-restart", "--rate=100", "--warm-up=1", "--json"))
                    .as("%s%s", out, err)
                    .isZero();
            assertThat(out.toString()).contains("0 lost");
        }
        assertThat(out.toString()).contains(once);
    }

    @Test
    @DisplayName("CL-92: a node alone in its cluster can be measured")
    void measuresANodeAlone() {
        assertThat(run("send", "--cluster=1", "--count=500", "--duration=60"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("(500 in ").doesNotContain("follower");
    }

    @Test
    @DisplayName(
            "CL-90: a failover is measured from the kill of the leader to the first accepted send of a waiting client")
    void measuresAFailover() {
        assertThat(run("failover", "--rounds=1", "--backlog=500", "--json"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("leader ready", "send accepted", "round 1", "median", "max");
        assertThat(lastLine())
                .startsWith("{\"mode\":\"failover\",\"broker\":\"Jitney\",\"backlog\":500,")
                .containsPattern("\"acceptedMs\":\\{\"median\":[1-9]");
    }

    @Test
    @DisplayName("CL-93, CL-94: followers that come back are measured under load")
    void measuresFollowersThatComeBack() {
        assertThat(run("catch-up", "--backlog=500", "--rate=50", "--before=2", "--away=1", "--json"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("was away", "lost its disk", "while it caught up");
        assertThat(lastLine()).startsWith("{\"mode\":\"catch-up\",\"away\":{\"seconds\":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "both --queues=3",
                "both --properties=51",
                "connections --at-once=0",
                "sdk --calls=0",
                "both --cluster=6",
                "both --through=middle",
                "both --cluster=3 --rabbitmq=3",
                "both --cluster=3 --server=localhost:5672",
                "failover --cluster=2",
                "failover --rounds=0",
                "failover --sdk --rabbitmq=3",
                "rolling-restart --rate=0",
                "rolling-restart --clients=0",
                "rolling-restart --size=-1",
                "catch-up --rate=-1",
                "catch-up --before=0"
            })
    void refusesRunsThatCannotBeMeasured(String arguments) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);

        assertThat(err.toString()).startsWith("jitney bench: --").contains("Expected ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--hops=5", "--size=3", "--rounds=0", "--warm-up=-1"})
    void refusesForwardsThatCannotWork(String argument) {
        assertThat(run("forward", argument)).isEqualTo(2);

        assertThat(err.toString()).startsWith("jitney bench: " + argument.substring(0, argument.indexOf('=')) + ":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sideways", "--size=3", "--rate=0", "--count=0", "--server=::", "--nothing"})
    void refusesOptionsThatCannotWorkInOneLine(String argument) {
        assertThat(run(argument)).isEqualTo(2);

        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("jitney bench: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "catch-up",
                "create-queues",
                "failover",
                "fanout",
                "forward",
                "partitioned",
                "rolling-restart",
                "sessions"
            })
    void saysWhatCanBeAskedForAndWhatIsTakenForGranted(String command) {
        String[] args = (command + " --help").strip().split(" ");

        assertThat(run(args)).isZero();
        assertThat(out.toString())
                .contains("--server-java", "--server-options")
                .doesNotContain("null", "DEFAULT-VALUE");
    }

    private String lastLine() {
        return out.toString().lines().reduce((first, second) -> second).orElse("");
    }

    private int run(String... args) {
        return JitneyBench.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
