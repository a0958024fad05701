package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.describe;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What partitions have locked and nobody has got, when its lock ends at the wrong moment. */
class PrefetchBufferTest extends PartitionedScenario {
    private static final long LOCK_MS = 60_000;

    private void becomes(EntityStatus status) {
        f.namespace().updateQueue(describe(pq).toBuilder().status(status).build());
        f.settle();
    }

    @Test
    @DisplayName("PART-60, STATE-5: a lock that ends before its message is removed for good does not count")
    void removedTooLate() {
        // given a message that a partition has locked for a receiver that takes it for good
        send(pq, keyed("a", null, "key"));
        Listening first = attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 0);
        first.receiver.setCredit(1, false);
        f.turn();
        // when the lock ends before the partition removes it
        f.nowMs += LOCK_MS + 1_000;
        f.settle();
        // then it comes again as if nobody had ever had it
        assertThat(first.messages).extracting(MessageView::deliveryCount).containsExactly(0);
    }

    @Test
    @DisplayName("PART-60, STATE-5: nor does it if the refusal is told before the lock is ended")
    void refusalComesFirst() {
        // given a message that a partition has locked for a receiver that takes it for good
        send(pq, keyed("a", null, "key"));
        Listening first = attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 0);
        first.receiver.setCredit(1, false);
        f.turn();
        // when the lock ends, and somebody peeks, so that answers are told in the middle of a turn
        f.nowMs += LOCK_MS + 1_000;
        f.submit(pq, new Command.PeekMessages(SubQueue.MAIN, 0, 1, null));
        f.settle();
        // then the message comes again as if nobody had ever had it
        assertThat(first.messages).extracting(MessageView::deliveryCount).containsExactly(0);
    }

    @Test
    @DisplayName("PART-60, STATE-5: a lock that ends before its message is given back does not count")
    void givenBackTooLate() {
        // given a receiver that goes while messages are kept for it
        sendPlain(pq, 20);
        Listening first = attach(pq, 1);
        first.receiver.detach();
        // when their locks end before the partitions hear of it
        f.nowMs += LOCK_MS + 1_000;
        f.settle();
        // then they come to others as if nobody had ever had them
        List<MessageView> messages = attach(pq, 30).messages;
        String delivered = body(first.messages.get(0));
        assertThat(messages).hasSize(20).allMatch(m -> m.deliveryCount() == (body(m).equals(delivered) ? 1 : 0));
    }

    @Test
    @DisplayName("PART-60, SUSP-1: what is kept when the entity is disabled is given back at once, and does not count")
    void disabled() {
        // given a message that is kept for a receiver, of the first partition that hears of the change
        Listening first = attach(pq, 1);
        f.submit(pq, new Command.SendMessages(List.of(keyed("given out", null, keyOf(5)))));
        f.submit(pq, new Command.SendMessages(List.of(keyed("kept", null, keyOf(1)))));
        f.settle();
        assertThat(first.messages).extracting(PartitionedScenario::body).containsExactly("given out");
        // when the entity is disabled and enabled again
        becomes(EntityStatus.RECEIVE_DISABLED);
        becomes(EntityStatus.ACTIVE);
        // then others get it at once
        List<MessageView> messages = attach(pq, 30).messages;
        assertThat(messages).extracting(PartitionedScenario::body).containsExactly("kept");
        assertThat(messages.get(0).deliveryCount()).isZero();
    }

    @Test
    @DisplayName("RECV-2, SUSP-1: what is removed for a receiver when the entity is disabled comes before its end")
    void removedAndClosed() {
        // given a message that is being removed for a receiver
        send(pq, keyed("a", null, "key"));
        List<String> told = new ArrayList<>();
        Receiver receiver = pq.attach(
                SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, telling(told), ReplyListener.IGNORE);
        f.settle();
        receiver.setCredit(1, false);
        f.turn();
        assertThat(told).isEmpty();
        // when the receiver ends
        f.namespace()
                .updateQueue(
                        describe(pq).toBuilder().status(EntityStatus.DISABLED).build());
        f.settle();
        // then it gets the message first
        assertThat(told).containsExactly("a", ErrorCode.ENTITY_DISABLED.toString());
        assertThat(f.counts(pq).active()).isZero();
    }

    private static ReceiverListener telling(List<String> told) {
        return new ReceiverListener() {
            @Override
            public void onDelivered(MessageView message) {
                told.add(body(message));
            }

            @Override
            public void onDrained(long deliveryLimit) {
                told.add("drained");
            }

            @Override
            public void onClosed(Rejection reason) {
                told.add(reason.code().toString());
            }
        };
    }
}
