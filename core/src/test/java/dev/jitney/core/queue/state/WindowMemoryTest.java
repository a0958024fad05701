package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The memory of a queue in use")
class WindowMemoryTest {
    private static final int SMALL = 100;
    private static final int LARGE = 8_192;

    private final MemoryBudget budget = new MemoryBudget(1 << 20, 10_000, 1_000);
    private final QueueFixture q =
            given(queue(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER, budget);

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private List<String> send(int count, int bytes) {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String body = i + "-" + "x".repeat(bytes);
            q.send(body);
            sent.add(body);
        }
        return sent;
    }

    private List<String> receiveAll(int count) {
        return bodies(q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, count));
    }

    @Test
    void smallMessagesAtTheEndAreReadInPagesLater() {
        List<String> sent = send(40, SMALL);
        long before = budget.contentBytes();
        q.state.halve();
        assertThat(budget.contentBytes()).isBetween(before / 3, before / 2);
        assertThat(budget.entries()).isBetween(15, 20);
        assertThat(receiveAll(40)).isEqualTo(sent);
    }

    @Test
    void largeMessagesStayWithoutTheirContent() {
        List<String> sent = send(20, LARGE);
        long before = budget.contentBytes();
        q.state.halve();
        assertThat(budget.contentBytes()).isBetween(before / 3, before / 2);
        assertThat(budget.entries()).isEqualTo(20);
        assertThat(receiveAll(20)).isEqualTo(sent);
    }

    @Test
    void messagesThatReturnAreReadAgainInTheirOrder() {
        List<String> sent = send(20, SMALL);
        var locked = q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 15);
        q.after(q.state.description().lockDurationMs() + 1);
        q.state.halve();
        q.state.halve();
        assertThat(locked).hasSize(15);
        assertThat(receiveAll(20)).isEqualTo(sent);
    }

    @Test
    void nothingHappensWithoutContent() {
        q.state.halve();
        List<String> sent = send(3, SMALL);
        q.state.trim(3);
        q.state.halve();
        assertThat(budget.contentBytes()).isZero();
        assertThat(budget.entries()).isEqualTo(3);
        assertThat(receiveAll(3)).isEqualTo(sent);
    }
}
