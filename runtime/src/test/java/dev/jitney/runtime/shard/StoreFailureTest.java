package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("STATE-2, MSG-1: what a failing store leads to")
class StoreFailureTest {
    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void createQueue() throws Exception {
        f = new BrokerFixture();
        q = f.create("q");
    }

    @Test
    @DisplayName("a send of a failed commit is refused as retryable and is not stored")
    void failedSend() {
        f.store.failNextCommit(Reason.IO, false);
        Answer answer = f.send(q, "a");
        f.settle();
        assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(answer.rejection().code().retryable()).isTrue();
        assertThat(f.counts(q).active()).isZero();
    }

    @Test
    @DisplayName("MSG-1: a send whose commit gave no certain answer is refused, and the message may be there")
    void uncertainSend() {
        f.store.failNextCommit(Reason.IO, true);
        Answer answer = f.send(q, "a");
        f.settle();
        assertThat(answer.rejection().code().retryable()).isTrue();
        assertThat(f.counts(q).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("deliveries of a failed commit never happen, receivers are closed and may come again")
    void failedDelivery() {
        f.send(q, "a");
        f.settle();
        f.store.failNextCommit(Reason.IO, false);
        f.send(q, "b");
        Listening listening = f.listen(q, 10);
        f.settle();
        assertThat(listening.messages).isEmpty();
        Listening next = f.listen(q, 10);
        f.settle();
        assertThat(next.messages).hasSize(1);
        assertThat(next.messages.get(0).sequenceNumber()).isEqualTo(1);
    }

    @Test
    @DisplayName("a receiver whose attaching was not committed hears so once, and nothing of its end")
    void refusedReceiver() {
        f.store.failNextCommit(Reason.IO, false);
        f.send(q, "a");
        Listening listening = f.listen(q, 10);
        f.settle();
        assertThat(listening.attached.rejection().code().retryable()).isTrue();
        assertThat(listening.closed).isNull();
    }

    @Test
    @DisplayName("an attached receiver hears that it is closed")
    void receiversAreClosed() {
        Listening listening = f.listen(q, 10);
        f.settle();
        f.store.failNextCommit(Reason.IO, false);
        f.send(q, "a");
        f.settle();
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(listening.messages).isEmpty();
    }

    @Test
    @DisplayName("QUOTA-3: while the disk is full sends are refused, settlements work, and service resumes by itself")
    void fullDisk() {
        f.send(q, "a");
        Listening listening = f.listen(q, 1);
        f.settle();
        f.store.setAcceptsGrowth(false);
        Answer refused = f.send(q, "b");
        Answer settled = f.submit(
                q,
                new Command.CompleteMessages(
                        List.of(Objects.requireNonNull(listening.messages.get(0).lockToken()))));
        f.settle();
        assertThat(refused.rejection().code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(settled.reply()).isNotNull();
        assertThat(f.broker.trouble()).contains("full");
        f.store.setAcceptsGrowth(true);
        Answer accepted = f.send(q, "c");
        f.settle();
        assertThat(accepted.reply()).isNotNull();
        assertThat(f.broker.trouble()).isNull();
    }

    @Test
    @DisplayName("a commit that fails for a full disk refuses sends as quota, others as busy")
    void diskFullCommit() {
        f.send(q, "a");
        Listening listening = f.listen(q, 1);
        f.settle();
        f.store.failNextCommit(Reason.DISK_FULL, false);
        Answer send = f.send(q, "b");
        Answer complete = f.submit(
                q,
                new Command.CompleteMessages(
                        List.of(Objects.requireNonNull(listening.messages.get(0).lockToken()))));
        f.settle();
        assertThat(send.rejection().code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(complete.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }

    @Test
    @DisplayName("queues survive a store that takes several attempts to come back")
    void slowRecovery() {
        f.send(q, "a");
        f.settle();
        f.store.failNextCommit(Reason.IO, false);
        f.store.refuseReopens(3);
        f.send(q, "b");
        f.turn();
        assertThat(f.broker.trouble()).isNotNull();
        Answer meanwhile = f.send(q, "c");
        f.settle();
        f.letPass(1_000);
        assertThat(meanwhile.rejection().code().retryable()
                        || meanwhile.rejection().code() == ErrorCode.QUOTA_EXCEEDED)
                .isTrue();
        assertThat(f.broker.trouble()).isNull();
        assertThat(f.counts(q).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("a store that opens and then refuses every batch is tried again in growing pauses")
    void refusesEveryBatch() {
        IncomingMessage m = BrokerFixture.message("due");
        f.submit(
                q,
                new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .sent(null, f.nowMs + 1_000)
                        .build())));
        f.settle();
        f.store.refuseCommits(true);
        int before = f.store.reopens();
        f.letPass(60_000);
        // At once, after 250 ms, 500 ms, 1 s, 2 s and 4 s, then every 8 s.
        assertThat(f.store.reopens() - before).isBetween(8, 14);
        f.store.refuseCommits(false);
        f.letPass(RetryPause.PAUSE_MAX_MS);
        assertThat(f.broker.trouble()).isNull();
        assertThat(f.counts(q).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("a store that has taken a batch since its last failure is tried again at once")
    void failsNowAndThen() {
        for (int i = 0; i < 3; i++) {
            f.store.failNextCommit(Reason.IO, false);
            f.send(q, "refused");
            f.settle();
            Answer answer = f.send(q, "taken");
            f.settle();
            assertThat(answer.reply()).isNotNull();
        }
        assertThat(f.counts(q).active()).isEqualTo(3);
    }

    @Test
    @DisplayName("a queue whose deletion failed is still there")
    void failedDeletion() {
        f.send(q, "a");
        f.settle();
        f.store.failNextCommit(Reason.IO, false);
        CompletionStage<Void> deleted = f.namespace().deleteEntity("q");
        f.settle();
        assertThat(failure(deleted)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("AMQP checklist 86: a receiver of a queue whose deletion failed hears of its end nevertheless")
    void failedDeletionWithReceiver() {
        Listening listening = f.listen(q, 10);
        f.settle();
        f.store.failNextCommit(Reason.IO, false);
        f.namespace().deleteEntity("q");
        f.settle();
        assertThat(Objects.requireNonNull(listening.closed).code()).isEqualTo(ErrorCode.DETACH_FORCED);
        assertThat(f.counts(f.entity("q")).active()).isZero();
    }

    @Test
    @DisplayName("a deletion that gave no certain answer but happened leaves no name behind")
    void uncertainDeletion() {
        f.store.failNextCommit(Reason.IO, true);
        CompletionStage<Void> deleted = f.namespace().deleteEntity("q");
        f.settle();
        assertThat(failure(deleted)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.namespace().entity("q")).isNull();
        f.create("q");
        f.send(f.entity("q"), "a");
        assertThat(f.counts(f.entity("q")).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("a creation that failed leaves no name behind")
    void failedCreation() {
        f.store.failNextCommit(Reason.IO, false);
        CompletionStage<Entity> created =
                f.namespace().createQueue(QueueDescription.named("r").build());
        f.settle();
        assertThat(failure(created)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.namespace().entity("r")).isNull();
        f.create("r");
    }

    @Test
    @DisplayName("a creation that gave no certain answer but happened is listed")
    void uncertainCreation() throws Exception {
        f.store.failNextCommit(Reason.IO, true);
        CompletionStage<Entity> created =
                f.namespace().createQueue(QueueDescription.named("r").build());
        f.settle();
        assertThat(failure(created)).isEqualTo(ErrorCode.SERVER_BUSY);
        CompletionStage<Entity> again =
                f.namespace().createQueue(QueueDescription.named("R").build());
        f.settle();
        assertThat(failure(again)).isEqualTo(ErrorCode.ENTITY_EXISTS);
        f.send(f.entity("r"), "a");
        assertThat(f.counts(f.entity("r")).active()).isEqualTo(1);
        f.crash();
        assertThat(f.counts(f.entity("r")).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("an update that failed leaves the description as it was")
    void failedUpdate() {
        f.store.failNextCommit(Reason.IO, false);
        CompletionStage<Entity> updated = f.namespace()
                .updateQueue(QueueDescription.named("q").maxDeliveryCount(3).build());
        f.settle();
        assertThat(failure(updated)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(BrokerFixture.describe(f.entity("q")).maxDeliveryCount()).isEqualTo(10);
    }

    @ParameterizedTest(name = "stored: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("STATE-2: memory equals the store after a failure")
    void memoryEqualsTheStore(boolean stored) throws Exception {
        for (int i = 0; i < 50; i++) {
            f.send(q, "m" + i);
        }
        Listening listening = f.listen(q, 20);
        f.settle();
        for (int i = 0; i < 20; i += 2) {
            f.submit(
                    q,
                    new Command.CompleteMessages(List.of(
                            Objects.requireNonNull(listening.messages.get(i).lockToken()))));
        }
        f.send(q, "last");
        f.store.failNextCommit(Reason.IO, stored);
        f.settle();
        var counts = f.counts(q);
        assertThat(counts.locked()).isZero();
        assertThat(counts.active()).isEqualTo(stored ? 41 : 50);
        f.crash();
        assertThat(f.counts(f.entity("q"))).isEqualTo(counts);
    }

    @Test
    @DisplayName("style: every accepted request ends once, also after the broker is closed")
    void answersAfterClose() {
        Answer before = f.send(q, "a");
        f.broker.close();
        Answer after = f.send(q, "b");
        Answer settlement = f.submit(q, new Command.GetCounts());
        assertThat(before.isThere()).isTrue();
        assertThat(after.rejection().code().retryable()).isTrue();
        assertThat(settlement.rejection().code().retryable()).isTrue();
    }
}
