package dev.jitney.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.comparison.broker.Broker;
import dev.jitney.comparison.broker.BrokerServer;
import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.broker.JitneyBroker;
import dev.jitney.comparison.result.Failure;
import dev.jitney.comparison.result.Results;
import dev.jitney.comparison.result.ResultsFile;
import dev.jitney.comparison.result.Run;
import dev.jitney.comparison.result.Setting;
import dev.jitney.comparison.scenario.Rates;
import dev.jitney.comparison.scenario.Scenario;
import dev.jitney.comparison.scenario.Sizes;
import dev.jitney.comparison.scenario.Trial;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Failed runs, with brokers that follow a script. */
final class BrokerComparisonTest {
    private static final Sizes SIZES = new Sizes(2, 1, 1, 0, 1, 0, List.of(), "2G", "512M");
    private static final String HOLDS = "";

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void repeatsAFailedRunOfAPeerOnce() throws Exception {
        assertThat(compare(new Scripted("Artemis", HOLDS, "broken", HOLDS))).isZero();

        assertThat(results().failures()).containsExactly(new Failure("told", "Artemis", 2, "broken", true));
        assertThat(results().scenarios().get(0).runs()).extracting(Run::round).containsExactly(1, 2);
        assertThat(out.toString()).contains("Artemis  2/2  failed and is repeated once: broken");
    }

    @Test
    void leavesOutARunOfAPeerThatFailsTwice() throws Exception {
        assertThat(compare(new Scripted("Artemis", "broken", "once more", HOLDS)))
                .isEqualTo(1);

        assertThat(results().failures()).extracting(Failure::repeated).containsExactly(true, false);
    }

    @Test
    void neverRepeatsAFailedRunOfJitney() throws Exception {
        assertThat(compare(new Scripted(JitneyBroker.NAME, "broken", HOLDS))).isEqualTo(1);

        assertThat(results().failures()).containsExactly(new Failure("told", JitneyBroker.NAME, 1, "broken", false));
        assertThat(directory).isDirectoryNotContaining("glob:**/run-*");
    }

    private int compare(Scripted broker) throws IOException, InterruptedException {
        Holder holder = new Holder();
        new CommandLine(holder).setOut(new PrintWriter(out, true));
        ResultsFile file = new ResultsFile(directory);
        file.append(new Setting("now", true, List.of(), List.of(), Map.of()));
        return new BrokerComparison(
                        List.of(broker), List.of(new Told()), SIZES, new Rates(0), directory, holder.terminal, file)
                .run();
    }

    private Results results() throws IOException {
        return new ResultsFile(directory).read();
    }

    @Command
    private static final class Holder {
        @Mixin
        private Terminal terminal = new Terminal();
    }

    /** A scenario that lets the broker decide its result. */
    private static final class Told implements Scenario {
        @Override
        public String id() {
            return "told";
        }

        @Override
        public String title() {
            return "as told";
        }

        @Override
        public Entities entities() {
            return new Entities(1, 0);
        }

        @Override
        public void run(Trial trial) throws IOException {
            trial.server().launch();
        }
    }

    /** A broker whose launches succeed or fail with given messages. */
    private static final class Scripted implements Broker, BrokerServer {
        private final String name;
        private final Deque<String> script;

        Scripted(String name, String... script) {
            this.name = name;
            this.script = new ArrayDeque<>(List.of(script));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public List<String> settings() {
            return List.of();
        }

        @Override
        public BrokerServer prepare(Path directory, Entities entities, String heap) {
            return this;
        }

        @Override
        public void launch() throws IOException {
            String next = script.remove();
            if (!next.equals(HOLDS)) {
                throw new IOException(next);
            }
        }

        @Override
        public Endpoint endpoint() {
            return notRunning();
        }

        @Override
        public WatchedProcess process() {
            return notRunning();
        }

        @Override
        public String subscription(String subscription) {
            return subscription;
        }

        @Override
        public Path data() {
            return notRunning();
        }

        @Override
        public String said() {
            return "";
        }

        @Override
        public void close() {
            // there is no process
        }

        private static <T extends @Nullable Object> T notRunning() {
            throw new UnsupportedOperationException("Expected only a launch, but got another call.");
        }
    }
}
