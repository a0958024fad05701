package dev.jitney.comparison.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.process.ProcessCost;
import org.junit.jupiter.api.Test;

/** The division of a fill or a drain into tenths. */
final class TenthsTest {
    private final ProcessCost self = new ProcessCost(ProcessHandle.current().pid());

    @Test
    void hasOneRateForEachTenth() {
        Tenths tenths = new Tenths(100, self);
        for (int moved = 0; moved <= 120; moved++) {
            tenths.accept(moved);
        }

        assertThat(tenths.perSecond()).hasSize(10).allMatch(rate -> rate > 0);
        assertThat(tenths.cpuMicros()).hasSize(10);
    }

    @Test
    void doesNotDivideByNothingWhenAskedLate() {
        Tenths tenths = new Tenths(100, self);
        tenths.accept(35);
        tenths.accept(35);
        tenths.accept(35);

        assertThat(tenths.perSecond()).hasSize(1);
    }
}
