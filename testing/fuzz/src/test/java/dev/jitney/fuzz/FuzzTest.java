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
 * Every target with its corpus, which has everything that ever failed, and a second of inputs from one seed, so that a
 * build says the same about the same sources. {@code -Dfuzz.seconds=60} makes it longer, {@code -Dfuzz.seed=N} takes other
 * inputs; {@code ./jitney fuzz} looks for what nobody has seen yet.
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
