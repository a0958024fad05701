package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Changes of a receiver's credit on their way to the shard")
class ReceiverCreditTest {
    private static final int CHANGES = 1_000;
    private static final int FRAGMENTS = 16;

    /** More tasks than a turn runs. */
    private static final int LONG_TURN = 1_100;

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    /** Withdraws and gives credit many times, and leaves a credit of two messages in all. */
    private static void flood(Listening listening) {
        for (int i = 0; i < CHANGES; i++) {
            listening.receiver.setCredit(0, false);
            listening.receiver.setCredit(1_000, false);
        }
        listening.receiver.setCredit(2, false);
    }

    private int waiting() {
        return f.shard(0).mailbox().count();
    }

    private static List<String> bodies(Listening listening) {
        return listening.messages.stream()
                .map(m -> StandardCharsets.UTF_8.decode(m.content().body()).toString())
                .toList();
    }

    @Test
    @DisplayName("QUOTA-8: any number of changes is one task in the mailbox, and the newest of them counts")
    void oneTask() {
        Entity q = f.create("q");
        Listening listening = f.listen(q, 0);
        f.settle();
        flood(listening);
        assertThat(waiting()).isOne();
        f.send(q, "a", "b", "c");
        f.settle();
        assertThat(bodies(listening)).containsExactly("a", "b");
        listening.receiver.setCredit(3, false);
        f.settle();
        assertThat(bodies(listening)).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("QUOTA-8: a receiver of a partitioned entity has one such task for each fragment")
    void oneTaskForEachFragment() {
        Entity q = f.create(QueueDescription.named("q").enablePartitioning(true).build());
        Listening listening = f.listen(q, 0);
        f.settle();
        flood(listening);
        assertThat(waiting()).isLessThanOrEqualTo(FRAGMENTS);
        f.send(q, "a", "b", "c");
        f.settle();
        assertThat(listening.messages).hasSize(2);
    }

    @Test
    @DisplayName("RECV-5: a change does not overtake a settlement, even if an earlier change still waits before that")
    void order() {
        Entity q = f.create("q");
        f.send(q, "a", "b");
        Listening listening = f.listen(q, 1);
        f.settle();
        MessageView a = listening.messages.get(0);
        listening.receiver.setCredit(1, false);
        for (int i = 0; i < LONG_TURN; i++) {
            f.submit(q, new Command.GetCounts());
        }
        f.submit(q, new Command.AbandonMessages(List.of(Objects.requireNonNull(a.lockToken())), Map.of()));
        listening.receiver.setCredit(2, false);
        f.settle();
        assertThat(bodies(listening)).containsExactly("a", "a");
    }

    @Test
    @DisplayName("RECV-3: a drain after many changes is answered once, with the messages that are there")
    void drain() {
        Entity q = f.create("q");
        Listening listening = f.listen(q, 0);
        f.settle();
        flood(listening);
        listening.receiver.setCredit(5, true);
        f.send(q, "a");
        f.settle();
        assertThat(bodies(listening)).containsExactly("a");
        assertThat(listening.drained).containsExactly(5L);
    }

    @Test
    @DisplayName("A receiver that has ended gets nothing, even if changes of its credit still wait")
    void detached() {
        Entity q = f.create("q");
        Listening listening = f.listen(q, 0);
        f.settle();
        flood(listening);
        listening.receiver.detach();
        f.send(q, "a");
        f.settle();
        assertThat(listening.messages).isEmpty();
        assertThat(q.figures().receivers()).isZero();
        assertThat(f.counts(q).active()).isOne();
    }
}
