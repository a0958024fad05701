package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A shard of a node that leads no more")
class LeadershipTest {
    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        q = f.create("q");
        f.send(q, "m");
        f.settle();
    }

    @Test
    @DisplayName(
            "delivers nothing under a lock without its lease, and closes the receiver with a retryable error (CL-9)")
    void deliversNothing() {
        Listening listening = f.listen(q, 0);
        f.settle();
        f.store.refuseConfirmation(true);
        listening.receiver.setCredit(1, false);
        f.settle();
        assertThat(listening.messages).isEmpty();
        assertThat(Objects.requireNonNull(listening.closed).code().retryable()).isTrue();
    }

    @Test
    @DisplayName("whose commit lasted longer than its lease answers sends, and releases nothing else (CL-9, CL-1)")
    void answersSendsAfterALongCommit() {
        Listening listening = f.listen(q, 0);
        f.settle();
        f.store.refuseConfirmationAfterCommit();
        listening.receiver.setCredit(5, false);
        Answer counted = f.submit(q, new Command.GetCounts());
        Answer sent = f.send(q, "committed");
        f.settle();
        assertThat(sent.reply()).isNotNull();
        assertThat(counted.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(listening.messages).isEmpty();
        assertThat(Objects.requireNonNull(listening.closed).code().retryable()).isTrue();
    }

    @Test
    @DisplayName("answers no query without its lease (CL-9)")
    void answersNoQuery() {
        f.store.refuseConfirmation(true);
        Answer answer = f.submit(q, new Command.GetCounts());
        f.settle();
        assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }

    @Test
    @DisplayName("does not report a partitioned queue as empty without its lease, nor later (CL-9, PEEK-9, PART-57)")
    void reportsNoEmptyQueue() {
        Entity partitioned =
                f.create(QueueDescription.named("pq").enablePartitioning(true).build());
        f.send(partitioned, "m");
        f.settle();
        Command peek = new Command.PeekMessages(SubQueue.MAIN, 0, 10, null);
        f.store.refuseConfirmation(true);
        Answer peeked = f.submit(partitioned, peek);
        f.settle();
        assertThat(peeked.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        Answer counted = f.submit(partitioned, new Command.GetCounts());
        Answer waits = f.submit(partitioned, peek);
        f.broker.abandon();
        Answer late = f.submit(partitioned, peek);
        Answer countedLate = f.submit(partitioned, new Command.GetCounts());
        for (Answer refused : List.of(counted, waits, late, countedLate)) {
            assertThat(refused.rejection().code().retryable()).isTrue();
        }
    }

    @Test
    @DisplayName("commits nothing more once it is abandoned, and refuses what waits with a retryable error (CL-12)")
    void commitsNothing() {
        Listening listening = f.listen(q, 1);
        f.settle();
        long before = f.store.commits();
        Answer settled = f.submit(
                q,
                new Command.CompleteMessages(
                        List.of(Objects.requireNonNull(listening.messages.get(0).lockToken()))));
        Answer sent = f.send(q, "waits in the mailbox");
        f.broker.abandon();
        f.broker.close();
        assertThat(f.store.commits()).isEqualTo(before);
        assertThat(settled.rejection().code().retryable()).isTrue();
        assertThat(sent.rejection().code().retryable()).isTrue();
        assertThat(Objects.requireNonNull(listening.closed).code().retryable()).isTrue();
        assertThat(f.send(q, "later").rejection().code().retryable()).isTrue();
    }
}
