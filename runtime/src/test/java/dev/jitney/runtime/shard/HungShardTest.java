package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PART-41: a store that neither works nor fails")
class HungShardTest {
    private final CountDownLatch hang = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile boolean hangs;

    /** A store whose commits do not return for a while. */
    private MessagingStore hanging(MessagingStore store) {
        return (MessagingStore) Proxy.newProxyInstance(
                MessagingStore.class.getClassLoader(), new Class<?>[] {MessagingStore.class}, (proxy, method, args) -> {
                    if (hangs && method.getName().equals("commit")) {
                        entered.countDown();
                        hang.await();
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    @DisplayName(
            "messages without a key that wait for it go to other fragments; it takes up its work when it can again")
    void redirected() throws Exception {
        AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
        Clock clock = new Clock() {
            @Override
            public long nowMs() {
                return nowMs.get();
            }

            @Override
            public long lookAgainMs() {
                return 20;
            }
        };
        ShardedBroker broker = BrokerFixture.load(
                BrokerFixture.options("ns"),
                List.of(new InMemoryMessagingStore(), hanging(new InMemoryMessagingStore())),
                clock);
        BrokerFixture.start(broker);
        try {
            Entity queue = broker.namespace(null)
                    .createQueue(QueueDescription.named("pq")
                            .enablePartitioning(true)
                            .build())
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            hangs = true;
            AtomicInteger done = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            for (int i = 0; i < 16; i++) { // one at least gets the store to hang
                send(queue, "key" + i, done, refused);
            }
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
            int keyed = 16;
            for (int i = 0; i < 320; i++) {
                send(queue, null, done, refused);
            }
            until(() -> done.get() >= 160);
            assertThat(done.get()).isLessThan(keyed + 320);
            nowMs.addAndGet(11_000);
            until(() -> queue.availability() == EntityAvailability.LIMITED);
            nowMs.addAndGet(1_500);
            until(() -> done.get() >= 320); // all without a key, although the store still hangs
            assertThat(done.get()).isLessThan(keyed + 320);
            hangs = false;
            hang.countDown();
            until(() -> done.get() == keyed + 320);
            assertThat(refused.get()).isZero();
            until(() -> queue.counts().active() == keyed + 320);
            until(() -> queue.availability() == EntityAvailability.AVAILABLE);
        } finally {
            hangs = false;
            hang.countDown();
            broker.close();
        }
    }

    private static void send(Entity queue, @Nullable String key, AtomicInteger done, AtomicInteger refused) {
        IncomingMessage m = message("m");
        IncomingMessage keyed = IncomingMessage.of(m.content())
                .partitionKey(key)
                .timeToLiveMs(m.timeToLiveMs())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .build();
        queue.submit(new Command.SendMessages(List.of(keyed)), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                done.incrementAndGet();
            }

            @Override
            public void onRejected(Rejection rejection) {
                refused.incrementAndGet();
            }
        });
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
