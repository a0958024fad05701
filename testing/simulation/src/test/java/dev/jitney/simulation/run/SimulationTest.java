package dev.jitney.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.simulation.cli.JitneySimulate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulation runs of the build. Set {@code -Djitney.simulation.seeds=N} and {@code -Djitney.simulation.cluster.seeds=N}
 * for longer runs.
 */
class SimulationTest {
    private static final int EVENTS = 5_000;

    @Test
    @DisplayName("every history passes")
    void everyHistoryHolds() {
        String seeds = System.getProperty("jitney.simulation.seeds", "1000");
        StringWriter out = new StringWriter();
        int code = JitneySimulate.run(
                new PrintWriter(out), new PrintWriter(out), "--seeds", seeds, "--events", String.valueOf(EVENTS));
        assertThat(code).as(out.toString()).isZero();
    }

    @Test
    @DisplayName("every history of a cluster passes (CL-1 to CL-14, CL-24, CL-25)")
    void everyHistoryOfAClusterHolds() {
        String seeds = System.getProperty("jitney.simulation.cluster.seeds", "500");
        StringWriter out = new StringWriter();
        int code = JitneySimulate.run(
                new PrintWriter(out),
                new PrintWriter(out),
                "--cluster",
                "--seeds",
                seeds,
                "--events",
                String.valueOf(EVENTS));
        assertThat(code).as(out.toString()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_680, 1_000_783, 1_001_123})
    @DisplayName("SEQ-7: histories pass in which a kept message was delivered too late after a store failure")
    void historiesThatFailedOnce(long seed) {
        Simulation.run(seed, StoreKind.SINGLE, EVENTS);
    }

    @Test
    @DisplayName("CL-45: a leader becomes ready with a node that was killed between the stores of a later checkpoint")
    void historyOfAClusterThatFailedOnce() {
        Simulation.run(469, StoreKind.CLUSTER, EVENTS);
    }

    @Test
    @DisplayName("the same seed gives the same history, in the same process and in another one")
    void sameSeedSameHistory() throws Exception {
        Simulation.run(1, StoreKind.SINGLE, EVENTS); // advances the counters of the process
        String here = String.format(
                "%016x", Simulation.run(7, StoreKind.SINGLE, EVENTS).hash());
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JitneySimulate.class.getName(),
                        "--seed",
                        "7",
                        "--events",
                        String.valueOf(EVENTS))
                .redirectErrorStream(true)
                .start();
        String told = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).as(told).isZero();
        assertThat(told).contains(here);
    }

    @Test
    @DisplayName(
            "the same seed gives the same history of partitioned entities, independent of the state of the process")
    void sameSeedSameHistoryOfPartitions() {
        for (int seed : new int[] {1, 4, 9, 11, 20, 63, 66}) { // two, four and sixteen fragments
            assertThat(Simulation.run(seed, StoreKind.SINGLE, EVENTS).hash())
                    .as("seed " + seed)
                    .isEqualTo(Simulation.run(seed, StoreKind.SINGLE, EVENTS).hash());
        }
    }

    @Test
    @DisplayName("the same seed gives the same history of a cluster, independent of the state of the process")
    void sameSeedSameHistoryOfACluster() {
        for (int seed : new int[] {1, 2, 6, 9}) { // one and two stores, throttled, partitioned
            assertThat(Simulation.run(seed, StoreKind.CLUSTER, EVENTS).hash())
                    .as("seed " + seed)
                    .isEqualTo(Simulation.run(seed, StoreKind.CLUSTER, EVENTS).hash());
        }
    }

    @Test
    @DisplayName("another seed gives another history")
    void otherSeedOtherHistory() {
        assertThat(Simulation.run(1, StoreKind.SINGLE, 500).hash())
                .isNotEqualTo(Simulation.run(2, StoreKind.SINGLE, 500).hash());
    }
}
