package dev.jitney.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShrinkingTest {

    @Test
    @DisplayName("leaving out events does not change the other events")
    void anyEventsAreAHistory() {
        int[] every = new int[400];
        for (int i = 0; i < every.length; i++) {
            every[i] = 3 * i;
        }
        long hash = Simulation.run(5, StoreKind.SINGLE, every, line -> {}).hash();
        assertThat(Simulation.run(5, StoreKind.SINGLE, every, line -> {}).hash())
                .isEqualTo(hash);
    }
}
