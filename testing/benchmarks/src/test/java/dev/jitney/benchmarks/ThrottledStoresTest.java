package dev.jitney.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.benchmarks.store.ThrottledStoresBenchmark;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ThrottledStoresTest {

    @Test
    @DisplayName("PART-2: four slow stores together take more of a partitioned queue than one of them takes of another")
    void addsUp() {
        StringWriter out = new StringWriter();

        int exit = new CommandLine(new ThrottledStoresBenchmark())
                .setOut(new PrintWriter(out, true))
                .execute("--stores=4", "--store-rate=500", "--seconds=1", "--rounds=1");

        assertThat(exit).isZero();
        assertThat(out.toString()).containsPattern("(?s)ordinary .*partitioned .*refused 0");
        String[] rates = out.toString()
                .replaceAll("(?s).*ordinary +([0-9,]+).*partitioned +([0-9,]+).*", "$1 $2")
                .split(" ");
        assertThat(rate(rates[1])).isGreaterThan(rate(rates[0]));
    }

    private static long rate(String text) {
        return Long.parseLong(text.replace(",", ""));
    }
}
