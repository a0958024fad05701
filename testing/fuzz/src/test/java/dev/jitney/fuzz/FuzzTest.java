package dev.jitney.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.fuzz.engine.Corpus;
import dev.jitney.fuzz.engine.Finding;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.engine.Fuzzer;
import dev.jitney.fuzz.engine.LogWatch;
import dev.jitney.fuzz.target.Targets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A run of every target with its corpus, which has every input that ever failed, and for a second with inputs from a
 * fixed seed, so that a build gives the same result for the same sources. {@code -Dfuzz.seconds=60} makes it longer,
 * {@code -Dfuzz.seed=N} uses other inputs; {@code ./jitney fuzz} searches for new failures.
 */
class FuzzTest {
    private static final long SECONDS = Long.getLong("fuzz.seconds", 1);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final LogWatch LOG = LogWatch.listen();

    static Stream<String> targets() {
        return Targets.names().stream();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void takesWhateverComes(String name) throws Exception {
        try (FuzzTarget target = Targets.make(name)) {
            Corpus corpus = new Corpus(Path.of("corpus", name));
            Fuzzer.Report report = new Fuzzer(target, corpus, SEED, LOG).run(SECONDS * 1_000);
            Finding finding = report.finding();
            if (finding != null) {
                throw new AssertionError(finding.text(), finding.failure());
            }
            assertThat(report.executions())
                    .isGreaterThanOrEqualTo(corpus.entries().size());
        }
    }
}
