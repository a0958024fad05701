package dev.jitney.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
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
        assertThat(run(mode, "--count", "3000", "--duration", "60", "--json"))
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
    void createsQueues() {
        assertThat(run("create-queues", "--count", "20", "--existing", "5"))
                .as("%s%s", out, err)
                .isZero();

        assertThat(out.toString()).contains("(20 in ").contains("p99").contains("ms of processor time per queue");
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
    @ValueSource(strings = {"", "create-queues", "fanout", "forward", "partitioned", "sessions"})
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
