package dev.jitney.runtime.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.SessionSummary;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests for the next session of a partitioned queue, which go to all partitions, when some of them fail. */
class PartitionedSessionsTest extends PartitionedScenario {

    @Test
    @DisplayName(
            "SESS-23, PART-55: the holder of a session gets no events of a failed partition that also had a session")
    void anotherPartitionFails() throws StoreException {
        // given sessions in two partitions of one store, of which one is read from disk, and in one of another store
        create(QueueDescription.named("sq").requiresSession(true));
        send(f.entity("sq"), keyed("m", keyOf(4), null));
        f.crash();
        Entity sq = f.entity("sq");
        send(sq, keyed("m", keyOf(0), null));
        send(sq, keyed("m", keyOf(1), null));
        // when the read fails after the other partition has assigned its session
        f.stores.get(((ServedEntity) sq).shard().index()).failNextRead();
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession(null, ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        // then the receiver holds the session of the other store
        assertThat(((Reply.SessionAccepted) listening.attached.reply()).sessionId())
                .isEqualTo(keyOf(1));
        assertThat(listening.closed).isNull();
        listening.receiver.setCredit(1, false);
        f.settle();
        assertThat(listening.messages).hasSize(1);
    }

    private Reply.SessionPage page(Entity entity, SessionPlace from) {
        return (Reply.SessionPage)
                done(entity, new Command.BrowseSessions(from, "", 10)).reply();
    }

    @Test
    @DisplayName(
            "an operator finds the sessions of all partitions, one after the other, and gets the number of failed ones")
    void browsed() throws StoreException {
        // given a session in each partition
        create(QueueDescription.named("sq").requiresSession(true));
        Entity sq = f.entity("sq");
        for (int i = 0; i < 16; i++) {
            send(sq, keyed("m", keyOf(i), null));
        }
        // then each one is listed once, also from a session on
        List<String> found = new ArrayList<>();
        SessionPlace place = SessionPlace.START;
        while (place != null) {
            Reply.SessionPage page = page(sq, place);
            page.sessions().forEach(session -> found.add(session.sessionId()));
            assertThat(page.unavailable()).isZero();
            place = page.next();
        }
        assertThat(found)
                .isEqualTo(IntStream.range(0, 16)
                        .mapToObj(PartitionedScenario::keyOf)
                        .toList());
        assertThat(page(sq, SessionPlace.after(keyOf(3))).next()).isEqualTo(new SessionPlace(4, null));
        assertThat(page(sq, SessionPlace.after(keyOf(15))).next()).isNull();
        // when a read of the first partition fails, then it is left out
        f.stores.get(((ServedEntity) sq).shard().index()).failNextRead();
        Reply.SessionPage page = page(sq, SessionPlace.START);
        assertThat(page.unavailable()).isPositive();
        assertThat(page.sessions())
                .doesNotContain(page(sq, SessionPlace.START).sessions().toArray(SessionSummary[]::new));
    }

    private Answer of(Entity entity, Command command) {
        Answer answer = done(entity, command);
        assertThat(answer.isThere()).isTrue();
        return answer;
    }

    @Test
    @DisplayName(
            "SESS-9, SESS-14, SESS-15, PART-4: the holder of a session whose id a rule set renews its lock, sets its"
                    + " state and receives its deferred messages (PART-27, RULE-13)")
    void sessionOfRule() {
        // given a session in the partition of its message, not in the one that its id selects
        get(f.namespace()
                .createTopic(
                        TopicDescription.named("pt").enablePartitioning(true).build()));
        get(f.namespace()
                .createSubscription(
                        SubscriptionDescription.of("pt", "s")
                                .requiresSession(true)
                                .build(),
                        new RuleDescription(
                                "r",
                                new SqlRuleFilter("1=1", Map.of()),
                                new SqlRuleAction("SET sys.SessionId='" + keyOf(3) + "'", Map.of()))));
        send(f.entity("pt"), keyed("m", null, keyOf(5)));
        Entity subscription = f.entity("pt/subscriptions/s");
        Listening holder = accept(subscription);
        assertThat(((Reply.SessionAccepted) holder.attached.reply()).sessionId())
                .isEqualTo(keyOf(3));
        MessageView message = holder.messages.get(0);
        assertThat(FragmentNumbers.fragment(message.sequenceNumber())).isEqualTo(5);
        // then its holder can do everything
        SessionHold hold = new SessionHold(holder.receiver.id(), keyOf(3));
        assertThat(of(subscription, new Command.RenewSessionLock(hold)).isDone())
                .isTrue();
        assertThat(of(subscription, new Command.SetSessionState(hold, new byte[] {1}))
                        .isDone())
                .isTrue();
        Reply state =
                of(subscription, new Command.GetSessionState(keyOf(3), hold)).reply();
        assertThat(((Reply.SessionState) state).state()).containsExactly(1);
        Reply peeked = of(subscription, new Command.PeekMessages(SubQueue.MAIN, 0, 10, keyOf(3)))
                .reply();
        assertThat(((Reply.Messages) peeked).messages()).hasSize(1);
        of(subscription, new Command.DeferMessages(List.of(token(message)), Map.of()));
        Reply deferred = of(
                        subscription,
                        new Command.ReceiveDeferredMessages(
                                SubQueue.MAIN, List.of(message.sequenceNumber()), ReceiveMode.PEEK_LOCK, hold))
                .reply();
        MessageView again = ((Reply.Messages) deferred).messages().get(0);
        // and in a transaction
        Transaction transaction = f.namespace().beginTransaction();
        assertThat(in(transaction, subscription, new Command.SetSessionState(hold, new byte[] {2}))
                        .isDone())
                .isTrue();
        assertThat(in(transaction, subscription, new Command.GetSessionState(keyOf(3), hold))
                        .isDone())
                .isTrue();
        assertThat(in(transaction, subscription, new Command.CompleteMessages(List.of(token(again))))
                        .isDone())
                .isTrue();
        Answer committed = new Answer();
        transaction.commit(Runnable::run, committed);
        f.settle();
        assertThat(committed.isDone()).isTrue();
        assertThat(f.counts(subscription).total()).isZero();
        // but another receiver cannot claim it
        assertThat(of(subscription, new Command.RenewSessionLock(new SessionHold(holder.receiver.id() + 1, keyOf(3))))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.SESSION_LOCK_LOST);
    }

    private Listening accept(Entity entity) {
        Listening listening = new Listening();
        listening.receiver =
                entity.acceptSession(null, ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        listening.receiver.setCredit(1, false);
        f.settle();
        return listening;
    }

    private <T> T get(CompletionStage<T> stage) {
        f.settle();
        return BrokerFixture.get(stage);
    }

    private Answer in(Transaction transaction, Entity entity, Command command) {
        Answer answer = new Answer();
        transaction.submit(Transaction.Work.on(entity, command), Runnable::run, answer);
        f.settle();
        return answer;
    }
}
