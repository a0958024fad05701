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

/** Undelivered messages that partitions have locked, when their locks expire at a critical moment. */
class PrefetchBufferTest extends PartitionedScenario {
    private static final long LOCK_MS = 60_000;

    private void becomes(EntityStatus status) {
        f.namespace().updateQueue(describe(pq).toBuilder().status(status).build());
        f.settle();
    }

    @Test
    @DisplayName("PART-60, STATE-5: a lock that expires before its message is completed does not count")
    void removedTooLate() {
        // given a message that a partition has locked for a receiver in receive-and-delete mode
        send(pq, keyed("a", null, "key"));
        Listening first = attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 0);
        first.receiver.setCredit(1, false);
        f.turn();
        // when the lock expires before the partition completes it
        f.nowMs += LOCK_MS + 1_000;
        f.settle();
        // then it is delivered again as if it had never been delivered
        assertThat(first.messages).extracting(MessageView::deliveryCount).containsExactly(0);
    }

    @Test
    @DisplayName("PART-60, STATE-5: nor does a lock count if the refusal arrives before the lock is ended")
    void refusalComesFirst() {
        // given a message that a partition has locked for a receiver in receive-and-delete mode
        send(pq, keyed("a", null, "key"));
        Listening first = attach(pq, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 0);
        first.receiver.setCredit(1, false);
        f.turn();
        // when the lock expires, and a client peeks, so that answers are sent in the middle of a turn
        f.nowMs += LOCK_MS + 1_000;
        f.submit(pq, new Command.PeekMessages(SubQueue.MAIN, 0, 1, null));
        f.settle();
        // then the message is delivered again as if it had never been delivered
        assertThat(first.messages).extracting(MessageView::deliveryCount).containsExactly(0);
    }

    @Test
    @DisplayName("PART-60, STATE-5: a lock that expires before its message is released does not count")
    void givenBackTooLate() {
        // given a receiver that detaches while messages are kept for it
        sendPlain(pq, 20);
        Listening first = attach(pq, 1);
        first.receiver.detach();
        // when their locks expire before the partitions process that
        f.nowMs += LOCK_MS + 1_000;
        f.settle();
        // then others get them as if they had never been delivered
        List<MessageView> messages = attach(pq, 30).messages;
        String delivered = body(first.messages.get(0));
        assertThat(messages).hasSize(20).allMatch(m -> m.deliveryCount() == (body(m).equals(delivered) ? 1 : 0));
    }

    @Test
    @DisplayName("PART-60, SUSP-1: messages kept when the entity is disabled are released immediately, and do"
            + " not count")
    void disabled() {
        // given a message that is kept for a receiver, of the first partition that processes the change
        Listening first = attach(pq, 1);
        f.submit(pq, new Command.SendMessages(List.of(keyed("given out", null, keyOf(5)))));
        f.submit(pq, new Command.SendMessages(List.of(keyed("kept", null, keyOf(1)))));
        f.settle();
        assertThat(first.messages).extracting(PartitionedScenario::body).containsExactly("given out");
        // when the entity is disabled and enabled again
        becomes(EntityStatus.RECEIVE_DISABLED);
        becomes(EntityStatus.ACTIVE);
        // then others get it immediately
        List<MessageView> messages = attach(pq, 30).messages;
        assertThat(messages).extracting(PartitionedScenario::body).containsExactly("kept");
        assertThat(messages.get(0).deliveryCount()).isZero();
    }

    @Test
    @DisplayName("RECV-2, SUSP-1: a message being completed for a receiver when the entity is disabled arrives"
            + " before its end")
    void removedAndClosed() {
        // given a message that is being completed for a receiver
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
