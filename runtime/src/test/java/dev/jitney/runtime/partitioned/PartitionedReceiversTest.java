package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a partitioned queue tells of its receivers, and what they cost")
class PartitionedReceiversTest {
    private static final int FRAGMENTS = 16;

    private BrokerFixture f;
    private Entity queue;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(4).toList());
        queue = f.create(QueueDescription.named("q").enablePartitioning(true).build());
    }

    private Listening attach() {
        Listening listening = new Listening();
        listening.receiver =
                queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        f.settle();
        return listening;
    }

    private IncomingMessage later() {
        IncomingMessage m = message("later");
        long when = f.nowMs + 60_000;
        return IncomingMessage.of(m.content())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .sent(null, when)
                .build();
    }

    @Test
    @DisplayName("PART-15, MET-1: locks of several fragments renewed together are one call, and so are cancellations")
    void callsOfSeveralFragments() {
        List<UUID> locks = new ArrayList<>();
        for (int i = 0; i < FRAGMENTS; i++) {
            f.submit(queue, new Command.SendMessages(List.of(message("m"))));
        }
        Listening listening = attach();
        listening.receiver.setCredit(FRAGMENTS, false);
        f.settle();
        listening.messages.forEach(m -> locks.add(Objects.requireNonNull(m.lockToken())));
        assertThat(locks).hasSize(FRAGMENTS);
        assertThat(callsFor(new Command.RenewLocks(locks))).isEqualTo(1);
        assertThat(callsFor(new Command.RenewLocks(List.of(locks.get(0))))).isEqualTo(1);
        assertThat(callsFor(new Command.RenewLocks(List.of(locks.get(0), UUID.randomUUID()))))
                .as("refused")
                .isZero();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Answer answer = f.submit(queue, new Command.SendMessages(List.of(later())));
            f.settle();
            numbers.add(((Reply.Sent) answer.reply()).sequenceNumbers()[0]);
        }
        assertThat(callsFor(new Command.CancelScheduledMessages(numbers))).isEqualTo(1);
    }

    /** How many operations something adds to the meters of the queue and of the namespace alike. */
    private long callsFor(Command command) {
        long own = queue.meter().operations();
        long all = f.namespace().meter().operations();
        f.submit(queue, command);
        f.settle();
        assertThat(f.namespace().meter().operations() - all)
                .isEqualTo(queue.meter().operations() - own);
        return queue.meter().operations() - own;
    }

    @Test
    @DisplayName("PART-57, IDLE-2: receivers count once, and one that goes counts until its fragments know")
    void going() {
        Receiver first = attach().receiver;
        Receiver second = attach().receiver;
        assertThat(queue.figures().receivers()).isEqualTo(2);
        first.detach();
        assertThat(queue.figures().receivers()).isEqualTo(2);
        f.settle();
        assertThat(queue.figures().receivers()).isEqualTo(1);
        second.detach();
        f.settle();
        assertThat(queue.figures().receivers()).isZero();
    }
}
