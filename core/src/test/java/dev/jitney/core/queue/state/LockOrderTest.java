package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Lane;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("LOCK-7: the order in which locks end")
class LockOrderTest {
    private final LockOrder order = new LockOrder();
    private final List<MessageLock> expected = new ArrayList<>();

    @Test
    @DisplayName("locks that a rollback adds far from the end, in any order, end in the order of their times")
    void anyOrder() {
        long seed = 20_261_201L;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int action = random.nextInt(10);
            if (action < 5 || expected.isEmpty()) {
                add(lock(i, i + random.nextInt(5)));
            } else if (action < 7) {
                add(lock(i, random.nextInt(i)));
            } else {
                MessageLock lock = expected.remove(random.nextInt(expected.size()));
                order.remove(lock);
            }
            if (i % 100 == 0) {
                check(i, seed);
            }
        }
        check(20_000, seed);
        for (MessageLock lock : List.copyOf(expected)) {
            order.remove(lock);
        }
        assertThat(order.first()).isNull();
    }

    private void check(long nowMs, long seed) {
        List<Long> times = expected.stream()
                .map(MessageLock::lockedUntilMs)
                .filter(until -> until <= nowMs)
                .sorted(Comparator.naturalOrder())
                .limit(50)
                .toList();
        assertThat(order.ended(nowMs, 50))
                .as("seed %d", seed)
                .extracting(MessageLock::lockedUntilMs)
                .containsExactlyElementsOf(times);
        MessageLock first = order.first();
        assertThat(first == null ? -1 : first.lockedUntilMs())
                .as("seed %d", seed)
                .isEqualTo(expected.stream()
                        .mapToLong(MessageLock::lockedUntilMs)
                        .min()
                        .orElse(-1));
    }

    private void add(MessageLock lock) {
        expected.add(lock);
        order.add(lock);
    }

    private static MessageLock lock(long number, long untilMs) {
        QueuedMessage message =
                new QueuedMessage(Admission.stored(message("m").build(), number, 0, MessageView.NEVER), null);
        return new MessageLock(new UUID(1, number), Lane.MAIN, message, untilMs, MessageLock.NO_RECEIVER, null);
    }
}
