package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("CL-13: the clock of a broker that continues the work of another one")
class ContinuedClockTest {
    private static final long START = 1_700_000_000_000L;

    private final AtomicLong machine = new AtomicLong(START);
    private final AtomicLong nanos = new AtomicLong();

    @Test
    @DisplayName(
            "starts at the latest time of the broker before, and advances slowly until the machine's clock has passed it")
    void startsAtTheFloor() {
        SteadyClock clock = new SteadyClock(machine::get, nanos::get, START + 60_000);
        assertThat(clock.nowMs()).isEqualTo(START + 60_000);
        machine.addAndGet(10_000);
        nanos.addAndGet(10_000_000_000L);
        assertThat(clock.nowMs()).isEqualTo(START + 69_000);
        machine.addAndGet(3_600_000);
        assertThat(clock.nowMs()).isEqualTo(machine.get());
    }

    @Test
    @DisplayName("compares instants of other clocks, such as the expiry of tokens, with the machine's clock")
    void readsTheMachinesClock() {
        Clock manual = machine::get;
        Clock continued = manual.notBefore(START + 60_000);
        assertThat(continued.nowMs()).isEqualTo(START);
        assertThat(continued.steady().nowMs()).isEqualTo(START + 60_000);
        assertThat(continued.steady()).isSameAs(continued.steady());
        machine.addAndGet(61_000);
        assertThat(continued.steady().nowMs()).isEqualTo(machine.get());
    }

    @Test
    @DisplayName("is the clock of the machine on a node that no broker was on before")
    void withoutAFloor() {
        long before = System.currentTimeMillis();
        assertThat(Clock.system().notBefore(0).steady().nowMs()).isGreaterThanOrEqualTo(before);
    }
}
