package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A settlement whose reply may be delayed")
class DelayedCommitTest {
    private static final int MANY = 5_000;

    private final List<Reply> replies = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private BrokerFixture f;
    private Entity q;
    private Listening listening;
    private long before;

    private final ReplyListener patient = new ReplyListener() {
        @Override
        public void onReply(Reply reply) {
            replies.add(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            rejections.add(rejection);
        }

        @Override
        public boolean allowsDelay() {
            return true;
        }
    };

    @BeforeEach
    void receive() throws StoreException {
        f = new BrokerFixture();
        q = f.create("q");
        for (int i = 0; i < 3; i++) {
            f.send(q, "m" + i);
        }
        listening = f.listen(q, 3);
        f.settle();
        before = f.store.commits();
    }

    private static Command complete(MessageView message) {
        return new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken())));
    }

    private void completePatiently(int message) {
        q.submit(complete(listening.messages.get(message)), Runnable::run, patient);
        f.settle();
    }

    private long commits() {
        return f.store.commits() - before;
    }

    @Test
    @DisplayName("is committed with the next commit and causes no commit of its own")
    void isCommittedWithWhatComesNext() {
        completePatiently(0);
        completePatiently(1);
        assertThat(commits()).isZero();
        Answer sent = f.send(q, "next");
        f.settle();
        assertThat(sent.isDone()).isTrue();
        assertThat(commits()).isEqualTo(1);
        assertThat(replies).hasSize(2);
        assertThat(f.counts(q).active()).isEqualTo(2);
    }

    @Test
    @DisplayName("is committed after a short time if no other commit follows")
    void isCommittedByItselfAfterAMoment() {
        completePatiently(0);
        f.nowMs += 1;
        f.settle();
        assertThat(commits()).isZero();
        f.nowMs += 1;
        f.settle();
        assertThat(commits()).isEqualTo(1);
        assertThat(replies).hasSize(1);
        f.nowMs += 10;
        f.settle();
        assertThat(commits()).isEqualTo(1);
    }

    @Test
    @DisplayName("MSG-1: gets no reply before it is durable, and is lost if the process ends before")
    void hasNotHappenedBeforeItIsDurable() throws StoreException {
        completePatiently(0);
        assertThat(replies).isEmpty();
        f.crash();
        f.settle();
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(3);
    }

    @Test
    @DisplayName("is visible to queries")
    void isKnownToWhoeverAsks() {
        completePatiently(0);
        assertThat(f.counts(q).active()).isEqualTo(2);
        assertThat(commits()).isEqualTo(1);
    }

    @Test
    @DisplayName("is refused at the time of the delayed commit, because the refusal may be delayed too")
    void aRefusalWaitsToo() {
        completePatiently(0);
        completePatiently(0);
        assertThat(rejections).isEmpty();
        f.nowMs += 2;
        f.settle();
        assertThat(replies).hasSize(1);
        assertThat(rejections)
                .singleElement()
                .satisfies(rejection -> assertThat(rejection.code()).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST));
    }

    @Test
    @DisplayName("is not delayed if many of them would make the commit large")
    void manyDoNotWait() {
        for (int i = 0; i < MANY; i++) {
            f.send(q, "m" + i);
        }
        Listening all = f.listen(q, MANY);
        f.settle();
        before = f.store.commits();
        List<MessageView> messages = all.messages;
        messages.forEach(message -> q.submit(complete(message), Runnable::run, patient));
        f.settle();
        assertThat(commits()).isPositive();
        assertThat(replies).hasSizeGreaterThan(MANY / 2);
    }

    @Test
    @DisplayName("is committed by the shard's own thread, independent of the clock and of its polling interval")
    void theShardWakesByItself() throws Exception {
        completePatiently(0);
        InMemoryMessagingStore committed = f.store.crash(); // three messages and no lock
        Clock standing = new Clock() {
            @Override
            public long nowMs() {
                return f.nowMs;
            }

            @Override
            public long lookAgainMs() {
                return TimeUnit.HOURS.toMillis(1);
            }
        };
        ShardedBroker broker = BrokerFixture.load(BrokerFixture.options("ns"), List.of(committed), standing);
        BrokerFixture.start(broker);
        try {
            Entity queue = Objects.requireNonNull(broker.namespace(null).entity("q"));
            CompletableFuture<MessageView> delivered = new CompletableFuture<>();
            Receiver receiver = queue.attach(
                    SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, new FirstDelivery(delivered), new Answer());
            receiver.setCredit(1, false);
            CountDownLatch done = new CountDownLatch(1);
            queue.submit(complete(delivered.get(60, TimeUnit.SECONDS)), Runnable::run, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    done.countDown();
                }

                @Override
                public void onRejected(Rejection rejection) {}

                @Override
                public boolean allowsDelay() {
                    return true;
                }
            });
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            broker.close();
        }
    }

    /** @param delivery completed with the first delivery */
    private record FirstDelivery(CompletableFuture<MessageView> delivery) implements ReceiverListener {
        @Override
        public void onDelivered(MessageView message) {
            delivery.complete(message);
        }

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onClosed(Rejection reason) {}
    }

    @Test
    @DisplayName("fails if the store fails, and can be repeated when the store works")
    void failsWithTheStore() {
        completePatiently(0);
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.send(q, "next");
        f.settle();
        assertThat(replies).isEmpty();
        assertThat(rejections)
                .singleElement()
                .satisfies(rejection -> assertThat(rejection.code()).isEqualTo(ErrorCode.SERVER_BUSY));
    }
}
