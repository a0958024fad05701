package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 21.1: what is metered")
class MeterTest {
    private static final int UNIT_BYTES = 64 * 1024;

    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void createQueue() throws StoreException {
        f = new BrokerFixture();
        q = f.create("q");
    }

    /** What a call adds to the count of operations. */
    private void costs(long operations, String call, Runnable action) {
        long before = q.meter().operations();
        action.run();
        f.settle();
        assertThat(q.meter().operations() - before).as(call).isEqualTo(operations);
    }

    private void submit(Command command) {
        f.submit(q, command);
    }

    private static List<UUID> token(MessageView message) {
        return List.of(Objects.requireNonNull(message.lockToken()));
    }

    private IncomingMessage scheduled(String body) {
        IncomingMessage m = BrokerFixture.message(body);
        return new IncomingMessage(
                null, null, null, MessageView.NEVER, f.nowMs + 60_000, false, m.encodedSizeBytes(), 0, 0, m.content());
    }

    private static IncomingMessage ping(int sizeBytes) {
        return new IncomingMessage(
                null,
                null,
                null,
                1_000,
                0,
                true,
                sizeBytes,
                0,
                0,
                BrokerFixture.message("").content());
    }

    private static IncomingMessage ofSize(int encodedSizeBytes) {
        return new IncomingMessage(
                null,
                null,
                null,
                MessageView.NEVER,
                0,
                false,
                encodedSizeBytes,
                0,
                0,
                BrokerFixture.message("").content());
    }

    @Test
    @DisplayName("MET-1: the exact count of a script of twenty calls")
    void script() {
        Listening receiver = new Listening();
        receiver.receiver = q.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, receiver, receiver.attached);
        costs(1, "receive that ends empty", () -> receiver.receiver.setCredit(1, true));
        costs(1, "send", () -> f.send(q, "1"));
        costs(3, "send a batch of three", () -> f.send(q, "2", "3", "4"));
        costs(2, "peek that shows two messages", () -> submit(new Command.PeekMessages(SubQueue.MAIN, 1, 2, null)));
        costs(1, "peek that shows none", () -> submit(new Command.PeekMessages(SubQueue.MAIN, 9, 2, null)));
        costs(4, "receive that gets four", () -> receiver.receiver.setCredit(5, false));
        costs(1, "renew two locks", () -> {
            List<UUID> both = List.of(
                    token(receiver.messages.get(0)).get(0),
                    token(receiver.messages.get(1)).get(0));
            submit(new Command.RenewLocks(both));
        });
        costs(0, "complete", () -> submit(new Command.CompleteMessages(token(receiver.messages.get(0)))));
        costs(0, "defer", () -> submit(new Command.DeferMessages(token(receiver.messages.get(1)), Map.of())));
        costs(
                1,
                "receive by number",
                () -> submit(new Command.ReceiveDeferredMessages(
                        SubQueue.MAIN, List.of(2L), ReceiveMode.RECEIVE_AND_DELETE)));
        costs(
                0,
                "dead-letter",
                () -> submit(new Command.DeadLetterMessages(token(receiver.messages.get(2)), "r", null, Map.of())));
        costs(0, "abandon", () -> submit(new Command.AbandonMessages(token(receiver.messages.get(3)), Map.of())));
        costs(1, "receive it again", () -> receiver.receiver.setCredit(6, true));
        costs(1, "receive that ends empty", () -> receiver.receiver.setCredit(8, true));
        costs(1, "schedule", () -> submit(new Command.SendMessages(List.of(scheduled("5")))));
        costs(1, "cancel", () -> submit(new Command.CancelScheduledMessages(List.of(5L))));
        costs(1, "ping", () -> submit(new Command.SendMessages(List.of(ping(20)))));
        costs(1, "send 64 KB", () -> submit(new Command.SendMessages(List.of(ofSize(UNIT_BYTES)))));
        costs(2, "send 64 KB and an octet", () -> submit(new Command.SendMessages(List.of(ofSize(UNIT_BYTES + 1)))));
        costs(1, "batch delete", () -> {
            f.nowMs++;
            submit(new Command.BatchDeleteMessages(SubQueue.MAIN, 10, f.nowMs));
        });
        assertThat(q.meter().operations()).isEqualTo(23);
    }

    @Test
    @DisplayName("MET-1: a receive that ends with fewer messages than asked for has not ended empty")
    void partialReceive() {
        Listening receiver = new Listening();
        receiver.receiver =
                q.attach(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, receiver, receiver.attached);
        costs(0, "credit", () -> receiver.receiver.setCredit(5, false));
        costs(2, "a message sent and delivered", () -> f.send(q, "1"));
        costs(0, "end of that receive", () -> receiver.receiver.setCredit(5, true));
        assertThat(receiver.drained).containsExactly(5L);
        costs(0, "credit", () -> receiver.receiver.setCredit(6, false));
        costs(2, "a message that uses up the credit", () -> f.send(q, "2"));
        costs(1, "the next receive ends empty", () -> receiver.receiver.setCredit(7, true));
    }

    @Test
    @DisplayName("MET-1: what the broker does by itself is free: activation, lock expiry, sweeps")
    void ownWorkIsFree() {
        submit(new Command.SendMessages(List.of(scheduled("a"))));
        f.settle();
        costs(0, "activation", () -> f.nowMs += 60_000);
        assertThat(f.counts(q).active()).isEqualTo(1);
        f.listen(q, 1);
        f.settle();
        costs(0, "lock expiry", () -> f.nowMs += 60_000);
    }

    @Test
    @DisplayName("MET-2: every queue of every namespace has a meter of its own, which begins at zero")
    void perEntity() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("one", "two"), new InMemoryMessagingStore());
        q = f.create("q");
        Entity other = f.create("other");
        var second = f.broker.namespace("two").createQueue(BrokerFixture.describe(q));
        f.settle();
        f.send(q, "a");
        f.settle();
        assertThat(q.meter().operations()).isEqualTo(1);
        assertThat(other.meter().operations()).isZero();
        assertThat(BrokerFixture.get(second).meter().operations()).isZero();
    }

    @Test
    @DisplayName("MET-3: bytes in and out are counted, those of pings too")
    void bandwidth() {
        submit(new Command.SendMessages(List.of(ping(123))));
        f.settle();
        assertThat(q.meter().bytesIn()).isEqualTo(123);
        assertThat(q.meter().bytesOut()).isZero();
        int size = BrokerFixture.message("body").encodedSizeBytes();
        f.send(q, "body", "body");
        f.settle();
        assertThat(q.meter().bytesIn()).isEqualTo(123 + 2 * size);
        f.listen(q, 1);
        f.settle();
        assertThat(q.meter().bytesOut()).isEqualTo(size);
        submit(new Command.PeekMessages(SubQueue.MAIN, 1, 1, null));
        f.settle();
        assertThat(q.meter().bytesOut()).isEqualTo(2 * size);
    }
}
