package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("MSG-11: the clock of shards, when the machine's clock is set")
class SteadyClockTest {
    private static final long START = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final AtomicLong machine = new AtomicLong(START);
    private final AtomicLong nanos = new AtomicLong(-5);
    private final SteadyClock clock = new SteadyClock(machine::get, nanos::get, Long.MIN_VALUE);

    private void pass(long ms) {
        for (long i = 0; i < ms; i++) {
            machine.incrementAndGet();
            nanos.addAndGet(1_000_000);
            clock.nowMs();
        }
    }

    @Test
    @DisplayName("it follows the machine's clock, also when that is set forward")
    void forward() {
        pass(100);
        assertThat(clock.nowMs()).isEqualTo(START + 100);
        machine.addAndGet(HOUR);
        assertThat(clock.nowMs()).isEqualTo(START + 100 + HOUR);
        pass(100);
        assertThat(clock.nowMs()).isEqualTo(START + 200 + HOUR);
    }

    @Test
    @DisplayName("when the machine's clock is set back, it continues a tenth slower until the machine has caught up")
    void back() {
        pass(100);
        machine.addAndGet(-50_000);
        assertThat(clock.nowMs()).isEqualTo(START + 100);
        pass(9_000);
        assertThat(clock.nowMs()).isBetween(START + 100 + 8_099, START + 100 + 8_100);
        pass(600_000);
        assertThat(clock.nowMs()).isEqualTo(machine.get());
    }

    @Test
    @DisplayName("jumps of a century forward and back do not stop it")
    void leap() {
        machine.addAndGet(876_000 * HOUR);
        long far = clock.nowMs();
        machine.addAndGet(-876_000 * HOUR);
        pass(1_000);
        assertThat(clock.nowMs()).isBetween(far + 899, far + 900);
    }

    @Test
    @DisplayName("after a sleep of the machine it continues with the machine's time, and frequent reads do not"
            + " slow it down")
    void slept() {
        machine.addAndGet(HOUR); // while the other clock stood still
        assertThat(clock.nowMs()).isEqualTo(START + HOUR);
        machine.addAndGet(-HOUR);
        for (int i = 0; i < 1_000_000; i++) {
            nanos.addAndGet(1_000);
            clock.nowMs();
        }
        assertThat(clock.nowMs()).isBetween(START + HOUR + 899, START + HOUR + 900);
    }
}
