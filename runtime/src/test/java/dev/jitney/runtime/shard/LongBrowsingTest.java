package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PEEK-8: a peek that has to pass many messages leaves turns to the other entities of the shard")
class LongBrowsingTest {
    private static final int MESSAGES = 20_000;
    private static final Command PEEK = new Command.PeekMessages(SubQueue.MAIN, 0, 10, "no such session");

    private BrokerFixture f;
    private Entity deep;
    private Entity other;

    @BeforeEach
    void fill() throws StoreException {
        f = new BrokerFixture();
        deep = f.create("deep");
        other = f.create("other");
        for (int i = 0; i < MESSAGES / 1_000; i++) {
            f.submit(deep, new Command.SendMessages(Collections.nCopies(1_000, BrokerFixture.message("m"))));
        }
        f.settle();
    }

    @Test
    @DisplayName("clients of another queue get replies in each turn, and the peek gets its answer")
    void takesTurns() {
        List<Answer> peeks = List.of(f.submit(deep, PEEK), f.submit(deep, PEEK), f.submit(deep, PEEK));
        int turns = 0;
        while (!peeks.stream().allMatch(Answer::isThere)) {
            Answer sent = f.send(other, "m");
            f.turn();
            assertThat(sent.isDone()).isTrue();
            turns++;
        }
        assertThat(turns).isBetween(MESSAGES / 1_000, 3 * MESSAGES / 1_000);
        assertThat(peeks).allSatisfy(peek -> assertThat(peek.reply()).isEqualTo(new Reply.Messages(List.of())));
    }

    @Test
    @DisplayName("the peek is refused if the store fails meanwhile")
    void storeFails() {
        Answer peek = f.submit(deep, PEEK);
        f.turn();
        assertThat(peek.isThere()).isFalse();
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.send(other, "m");
        f.turn();
        assertThat(peek.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }

    @Test
    @DisplayName(
            "FILTER-24: topics and transactions of the store work as before, because peeks have a budget of their own")
    void topicsGoOn() {
        Entity topic =
                settled(f.namespace().createTopic(TopicDescription.named("t").build()));
        settled(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything()));
        List<Answer> peeks = List.of(f.submit(deep, PEEK), f.submit(deep, PEEK), f.submit(deep, PEEK));
        f.turn();
        List<Answer> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sent.add(f.send(topic, "m"));
        }
        Transaction transaction = f.namespace().beginTransaction();
        Answer committed = new Answer();
        transaction.submit(
                Work.on(other, new Command.SendMessages(List.of(BrokerFixture.message("m")))),
                Runnable::run,
                new Answer());
        transaction.commit(Runnable::run, committed);
        f.turn();
        assertThat(sent).allMatch(Answer::isDone);
        assertThat(committed.isDone()).isTrue();
        assertThat(peeks).noneMatch(Answer::isThere);
    }

    @Test
    @DisplayName("TX-2: a peek in a transaction takes turns too, and is not part of the transaction")
    void inTransaction() {
        Transaction transaction = f.namespace().beginTransaction();
        Answer peek = new Answer();
        transaction.submit(Work.on(deep, PEEK), Runnable::run, peek);
        f.turn();
        assertThat(peek.isThere()).isFalse();
        Answer sent = new Answer();
        transaction.submit(
                Work.on(deep, new Command.SendMessages(List.of(BrokerFixture.message("m")))), Runnable::run, sent);
        f.settle();
        assertThat(peek.reply()).isEqualTo(new Reply.Messages(List.of()));
        Answer committed = new Answer();
        transaction.commit(Runnable::run, committed);
        f.settle();
        assertThat(committed.isDone()).isTrue();
        assertThat(deep.counts().active()).isEqualTo(MESSAGES + 1);
    }

    @Test
    @DisplayName("TX-16: a refused peek ends its transaction, also one that needs no other turn")
    void refusedInTransaction() {
        Transaction transaction = f.namespace().beginTransaction();
        Answer peek = new Answer();
        transaction.submit(Work.on(other, new Command.PeekMessages(SubQueue.MAIN, 0, 0, null)), Runnable::run, peek);
        f.settle();
        assertThat(peek.rejection().code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        Answer committed = new Answer();
        transaction.commit(Runnable::run, committed);
        f.settle();
        assertThat(committed.rejection().code()).isEqualTo(ErrorCode.TRANSACTION_ROLLBACK);
    }

    @Test
    @DisplayName("a peek ends when its client has gone")
    void clientGoes() {
        boolean[] gone = {false};
        Answer peek = new Answer();
        deep.submit(PEEK, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                peek.onReply(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                peek.onRejected(rejection);
            }

            @Override
            public boolean isAbandoned() {
                return gone[0];
            }
        });
        f.turn();
        f.turn();
        assertThat(peek.isThere()).isFalse();
        gone[0] = true;
        f.turn();
        assertThat(peek.rejection().description()).isEqualTo("The client does not wait for the answer any more.");
    }

    @Test
    @DisplayName("at most 1,000 peeks wait for another turn, more are refused, and short ones wait with them")
    void bounded() {
        List<Answer> peeks = new ArrayList<>();
        for (int i = 0; i < 1_010; i++) {
            peeks.add(f.submit(deep, PEEK));
        }
        f.turn();
        assertThat(peeks.stream().filter(Answer::isThere))
                .hasSize(10)
                .allSatisfy(peek -> assertThat(peek.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY));
    }

    @Test
    @DisplayName("PURGE-1: a batch delete that the store interrupts reports the messages that are deleted")
    void reportsDeleted() {
        Answer deletion = f.submit(deep, new Command.BatchDeleteMessages(SubQueue.MAIN, 4_000, Long.MAX_VALUE, null));
        f.turn();
        int parts = 0;
        while (!deletion.isThere()) {
            if (++parts == 2) {
                f.store.failNextCommit(StoreException.Reason.IO, false);
            }
            f.turn();
        }
        f.letPass(1_000);
        int deleted = ((Reply.Deleted) deletion.reply()).count();
        assertThat(deleted).isBetween(1, 3_999);
        assertThat(deep.counts().active()).isEqualTo(MESSAGES - deleted);
    }

    @Test
    @DisplayName("a server that stops does not wait for long peeks, and answers all of them")
    void stops() {
        List<Answer> peeks = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            peeks.add(f.submit(deep, PEEK));
        }
        BrokerFixture.start(f.broker);
        f.broker.close();
        assertThat(peeks).allMatch(Answer::isThere);
        assertThat(peeks)
                .anySatisfy(
                        peek -> assertThat(peek.rejection().description()).contains("The server is shutting down."));
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return BrokerFixture.get(stage);
    }

    @Test
    @DisplayName("SESS-17: lists of sessions take turns too, also in a transaction, and get complete answers")
    void sessionLists() throws Exception {
        Entity sessions = f.create(
                QueueDescription.named("sessions").requiresSession(true).build());
        for (int i = 0; i < 4_500; i += 500) {
            List<IncomingMessage> batch = new ArrayList<>();
            for (int n = i; n < i + 500; n++) {
                batch.add(IncomingMessage.of(BrokerFixture.message("m").content())
                        .sent("s%04d".formatted(n), 0)
                        .build());
            }
            f.submit(sessions, new Command.SendMessages(batch));
        }
        f.settle();
        Command none = new Command.ListSessions(Long.MAX_VALUE - 1, null, 0, 10);
        Command last = new Command.ListSessions(MessageView.NEVER, null, 4_495, 10);
        List<Answer> lists = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lists.add(f.submit(sessions, none));
        }
        Answer skipping = f.submit(sessions, last);
        Transaction transaction = f.namespace().beginTransaction();
        Answer inTransaction = new Answer();
        transaction.submit(Work.on(sessions, last), Runnable::run, inTransaction);
        f.turn();
        assertThat(lists).noneMatch(Answer::isThere);
        int turns = 1;
        while (!skipping.isThere()
                || !inTransaction.isThere()
                || !lists.stream().allMatch(Answer::isThere)) {
            Answer sent = f.send(other, "m");
            f.turn();
            assertThat(sent.isDone()).isTrue();
            turns++;
        }
        assertThat(turns).isBetween(25, 40); // twelve lists of five parts, two parts in a turn
        assertThat(lists)
                .allSatisfy(list -> assertThat(list.reply()).isEqualTo(new Reply.Sessions(List.of(), 0, false)));
        Reply.Sessions expected =
                new Reply.Sessions(List.of("s4495", "s4496", "s4497", "s4498", "s4499"), 4_500, false);
        assertThat(skipping.reply()).isEqualTo(expected);
        assertThat(inTransaction.reply()).isEqualTo(expected);
    }

    @Test
    @DisplayName("QUOTA-8: a client with hundreds of long peeks leaves others their places and their turns")
    void oneClientWithMany() {
        Object greedy = new Object();
        List<Answer> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(peek(greedy));
        }
        f.turn();
        assertThat(many.stream().filter(answer -> !answer.isThere())).hasSize(500);
        assertThat(many.get(999).rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        Answer one = peek(new Object());
        int turns = 0;
        while (!one.isThere()) {
            f.turn();
            turns++;
        }
        assertThat(one.reply()).isEqualTo(new Reply.Messages(List.of()));
        // a peek reads about a mebibyte at a time, and each second part is of this client
        assertThat(turns).isLessThan(30);
        assertThat(many.stream().filter(answer -> !answer.isThere())).hasSizeGreaterThan(490);
    }

    private Answer peek(Object client) {
        Answer answer = new Answer();
        deep.submit(PEEK, Runnable::run, new ClientListener(client, answer));
        return answer;
    }

    /** Receives the answer for a client. */
    private record ClientListener(Object client, Answer answer) implements ReplyListener {
        @Override
        public void onReply(Reply reply) {
            answer.onReply(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            answer.onRejected(rejection);
        }
    }
}
