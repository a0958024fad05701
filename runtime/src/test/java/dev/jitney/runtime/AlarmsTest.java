package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private final Alarms alarms = new Alarms();
    private EntitySlot a;
    private EntitySlot b;

    private EntitySlot c;

    @BeforeEach
    void open() throws StoreException {
        IdleScenario s = new IdleScenario();
        a = slot(s.queue("a"));
        b = slot(s.queue("b"));
        s.at("1:00");
        c = slot(s.queue("c"));
        for (EntitySlot slot : List.of(a, b, c)) {
            slot.armedAtMs = Long.MAX_VALUE; // their shard does nothing any more
        }
    }

    private static EntitySlot slot(Entity entity) {
        ServedEntity served = (ServedEntity) entity;
        return Objects.requireNonNull(served.shard().work().participant(served.id()));
    }

    @Test
    @DisplayName("alarms come in the order of time, each entity once, those of the same time too")
    void order() {
        alarms.arm(c);
        alarms.arm(a);
        alarms.arm(b);
        alarms.arm(b);
        long first = a.nextTimerMs();
        assertThat(c.nextTimerMs()).isEqualTo(first + 60_000);
        assertThat(alarms.nextMs()).isEqualTo(first);
        assertThat(alarms.pollDue(first - 1)).isNull();
        assertThat(List.of(due(first), due(first))).containsExactlyInAnyOrder(a, b);
        assertThat(alarms.pollDue(first)).isNull();
        alarms.arm(a);
        assertThat(due(first)).isSameAs(a);
        assertThat(due(first + 60_000)).isSameAs(c);
        assertThat(alarms.nextMs()).isEqualTo(Long.MAX_VALUE);
    }

    private EntitySlot due(long nowMs) {
        return Objects.requireNonNull(alarms.pollDue(nowMs));
    }

    @Test
    @DisplayName("an entity that goes is forgotten at once, however far its alarm is away")
    void disarmed() {
        alarms.arm(a);
        alarms.arm(b);
        alarms.disarm(a);
        alarms.disarm(a);
        assertThat(due(Long.MAX_VALUE)).isSameAs(b);
        assertThat(alarms.nextMs()).isEqualTo(Long.MAX_VALUE);
    }
}
