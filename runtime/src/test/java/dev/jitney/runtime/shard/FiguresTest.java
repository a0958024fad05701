package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.DeadLetterReason;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The counters behind the metrics. */
class FiguresTest {
    private BrokerFixture fixture;
    private Entity queue;

    @BeforeEach
    void open() throws StoreException {
        fixture = new BrokerFixture();
        queue = fixture.create(QueueDescription.named("q")
                .maxDeliveryCount(2)
                .deadLetteringOnMessageExpiration(true)
                .build());
    }

    @Test
    @DisplayName("Messages and bytes in and out, completed and abandoned deliveries and receivers are counted")
    void countsTheOrdinaryWay() {
        fixture.send(queue, "one", "two");
        Listening receiver = fixture.listen(queue, 10);
        fixture.settle();
        UUID first = token(receiver, 0);
        UUID second = token(receiver, 1);
        fixture.submit(queue, new Command.CompleteMessages(List.of(first)));
        fixture.submit(queue, new Command.AbandonMessages(List.of(second), Map.of()));
        fixture.settle();

        EntityFigures figures = queue.figures();
        assertThat(figures.incomingMessages()).isEqualTo(2);
        assertThat(figures.incomingBytes())
                .isEqualTo(2L * BrokerFixture.message("one").encodedSizeBytes());
        assertThat(figures.outgoingMessages()).as("the abandoned one twice").isEqualTo(3);
        assertThat(figures.outgoingBytes()).isEqualTo(figures.incomingBytes() / 2 * 3);
        assertThat(figures.completed()).isEqualTo(1);
        assertThat(figures.abandoned()).isEqualTo(1);
        assertThat(figures.receivers()).isEqualTo(1);
        assertThat(figures.deadLettered()).isEmpty();
    }

    @Test
    @DisplayName("The last failed delivery counts as failed and as a dead-letter with its reason (DLQ-20)")
    void countsDeadLettersByReason() {
        fixture.send(queue, "abandoned twice", "given up", "left alone");
        Listening receiver = fixture.listen(queue, 3);
        fixture.settle();
        EntityFigures seen = queue.figures();
        fixture.submit(queue, new Command.AbandonMessages(List.of(token(receiver, 0)), Map.of()));
        fixture.submit(queue, new Command.DeadLetterMessages(List.of(token(receiver, 1)), "mine", null, Map.of()));
        fixture.settle();
        receiver.receiver.setCredit(4, false);
        fixture.settle();
        fixture.submit(queue, new Command.AbandonMessages(List.of(token(receiver, 3)), Map.of()));
        fixture.settle();
        assertThat(queue.figures().abandoned()).isEqualTo(2);
        assertThat(queue.figures().deadLettered())
                .isEqualTo(Map.of(DeadLetterReason.MAX_DELIVERY_COUNT_EXCEEDED, 1L, DeadLetterReason.OTHER, 1L));

        fixture.nowMs += 61_000; // the lock of the third expires; it is delivered again and expires a last time
        fixture.settle();
        receiver.receiver.setCredit(5, false);
        fixture.settle();
        fixture.nowMs += 61_000;
        fixture.settle();
        assertThat(queue.figures().lockExpiries()).isEqualTo(2);
        assertThat(queue.figures().deadLettered()).containsEntry(DeadLetterReason.MAX_DELIVERY_COUNT_EXCEEDED, 2L);
        assertThat(seen.deadLettered())
                .as("figures published before do not change")
                .isEmpty();
    }

    @Test
    @DisplayName("TTL-23: an expired message is counted as expired and as a dead-letter")
    void countsExpired() {
        Entity shortLived = fixture.create(QueueDescription.named("short")
                .defaultMessageTimeToLiveMs(1_000)
                .deadLetteringOnMessageExpiration(true)
                .build());
        fixture.send(shortLived, "late");
        fixture.settle();
        fixture.nowMs += 2_000;
        fixture.listen(shortLived, 1);
        fixture.settle();
        assertThat(shortLived.figures().expired()).isEqualTo(1);
        assertThat(shortLived.figures().deadLettered()).isEqualTo(Map.of(DeadLetterReason.TTL_EXPIRED, 1L));
    }

    @Test
    @DisplayName(
            "The oldest waiting message is known at run time, after a delivery and after a restart without receivers")
    void knowsTheOldest() throws StoreException {
        assertThat(queue.figures().oldestEnqueuedTimeMs()).isZero();
        long firstMs = fixture.nowMs;
        fixture.send(queue, "first");
        fixture.settle();
        fixture.nowMs += 5_000;
        fixture.send(queue, "second");
        fixture.settle();
        assertThat(queue.figures().oldestEnqueuedTimeMs()).isEqualTo(firstMs);

        fixture.crash();
        queue = fixture.entity("q");
        fixture.settle();
        assertThat(queue.figures().oldestEnqueuedTimeMs()).isEqualTo(firstMs);

        fixture.listen(queue, 1);
        fixture.settle();
        assertThat(queue.figures().oldestEnqueuedTimeMs())
                .as("the first is locked")
                .isEqualTo(firstMs + 5_000);
        fixture.listen(queue, 1);
        fixture.settle();
        assertThat(queue.figures().oldestEnqueuedTimeMs()).as("none waits").isZero();
    }

    @Test
    @DisplayName("Changes of a failed commit are not counted, and earlier counts stay")
    void forgetsWhatFailed() {
        fixture.send(queue, "stored");
        fixture.settle();
        fixture.store.failNextCommit(StoreException.Reason.IO, false);
        fixture.send(queue, "lost");
        fixture.settle();
        assertThat(queue.figures().incomingMessages()).isEqualTo(1);
        assertThat(shard().failures()).isEqualTo(1);
        assertThat(shard().serving()).isTrue();
        fixture.send(queue, "stored again");
        fixture.settle();
        assertThat(queue.figures().incomingMessages()).isEqualTo(2);
    }

    @Test
    @DisplayName("A shard reports its commits, and a namespace its meter and its throttled requests")
    void tellsShardAndNamespace() {
        long before = sum(shard().commitRows().counts());
        fixture.send(queue, "one", "two", "three");
        fixture.settle();
        ShardFigures after = shard();
        assertThat(sum(after.commitRows().counts())).isEqualTo(before + 1);
        assertThat(sum(after.commitSeconds().counts())).isEqualTo(before + 1);
        assertThat(after.commitBytes().sum()).isPositive();
        assertThat(after.trackedMessages()).isEqualTo(3);
        assertThat(after.mailboxCommands()).isZero();
        fixture.namespace().deleteEntity("q");
        fixture.settle();
        assertThat(fixture.namespace().meter().operations())
                .as("stays after the queue is deleted; its creation and deletion count too")
                .isEqualTo(5);
        assertThat(fixture.namespace().throttledRequests()).isZero();
    }

    private ShardFigures shard() {
        return fixture.broker.shards().get(0);
    }

    private static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    private static UUID token(Listening receiver, int index) {
        return java.util.Objects.requireNonNull(receiver.messages.get(index).lockToken());
    }
}
