package dev.jitney.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.benchmarks.store.ThrottledStoresBenchmark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ThrottledStoresTest {

    @Test
    @DisplayName("A partitioned queue on four slow stores is faster than an ordinary queue on one of them (PART-2)")
    void addsUp() {
        StringWriter out = new StringWriter();

        int exit = new CommandLine(new ThrottledStoresBenchmark())
                .setOut(new PrintWriter(out, true))
                .execute("--stores=4", "--store-rate=500", "--seconds=1", "--rounds=3");

        assertThat(exit).isZero();
        assertThat(out.toString()).containsPattern("(?s)ordinary .*partitioned .*refused 0");
        assertThat(best("partitioned", out.toString())).isGreaterThan(best("ordinary", out.toString()));
    }

    /** Returns the best of several rounds, since the machine may have other work in one of them. */
    private static long best(String queue, String text) {
        return Pattern.compile(queue + " +([0-9,]+) messages/s")
                .matcher(text)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1).replace(",", "")))
                .max()
                .orElseThrow();
    }
}
