package dev.jitney.runtime.shard.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.IdleScenario;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityTimersTest {
    private final EntityTimers timers = new EntityTimers();
    private EntityInShard a;
    private EntityInShard b;

    private EntityInShard c;

    @BeforeEach
    void open() throws StoreException {
        IdleScenario s = new IdleScenario();
        a = inShard(s.queue("a"));
        b = inShard(s.queue("b"));
        s.at("1:00");
        c = inShard(s.queue("c"));
        for (EntityInShard inShard : List.of(a, b, c)) {
            inShard.armedAtMs = Long.MAX_VALUE; // their shard is stopped
        }
    }

    private static EntityInShard inShard(Entity entity) {
        ServedEntity served = (ServedEntity) entity;
        return Objects.requireNonNull(served.shard().context().find(served.id()));
    }

    @Test
    @DisplayName("timers fire in the order of time, once for each entity, also for equal times")
    void order() {
        timers.arm(c);
        timers.arm(a);
        timers.arm(b);
        timers.arm(b);
        long first = a.nextTimerMs();
        assertThat(c.nextTimerMs()).isEqualTo(first + 60_000);
        assertThat(timers.nextMs()).isEqualTo(first);
        assertThat(timers.pollDue(first - 1)).isNull();
        assertThat(List.of(due(first), due(first))).containsExactlyInAnyOrder(a, b);
        assertThat(timers.pollDue(first)).isNull();
        timers.arm(a);
        assertThat(due(first)).isSameAs(a);
        assertThat(due(first + 60_000)).isSameAs(c);
        assertThat(timers.nextMs()).isEqualTo(Long.MAX_VALUE);
    }

    private EntityInShard due(long nowMs) {
        return Objects.requireNonNull(timers.pollDue(nowMs));
    }

    @Test
    @DisplayName("a deleted entity is removed at once, however distant its timer is")
    void disarmed() {
        timers.arm(a);
        timers.arm(b);
        timers.disarm(a);
        timers.disarm(a);
        assertThat(due(Long.MAX_VALUE)).isSameAs(b);
        assertThat(timers.nextMs()).isEqualTo(Long.MAX_VALUE);
    }
}
