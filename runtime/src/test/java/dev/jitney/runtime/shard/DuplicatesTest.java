package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Duplicate detection in a shard")
class DuplicatesTest {
    private static final long WINDOW = 600_000;

    private BrokerFixture f;
    private Entity q;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        q = f.create(detecting(WINDOW));
    }

    private static QueueDescription detecting(long windowMs) {
        return QueueDescription.named("q")
                .requiresDuplicateDetection(true)
                .duplicateDetectionHistoryTimeWindowMs(windowMs)
                .build();
    }

    private <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private static IncomingMessage withId(String id) {
        IncomingMessage m = message("m");
        return IncomingMessage.of(m.content())
                .messageId(id)
                .timeToLiveMs(m.timeToLiveMs())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .build();
    }

    private Answer submit(Entity to, String... ids) {
        return f.submit(
                to,
                new Command.SendMessages(
                        Arrays.stream(ids).map(DuplicatesTest::withId).toList()));
    }

    private List<Integer> duplicates(Entity to, String... ids) {
        Answer answer = submit(to, ids);
        f.settle();
        return ((Reply.Sent) answer.reply()).duplicates();
    }

    private void crash() throws StoreException {
        f.crash();
        q = f.entity("q");
    }

    @Test
    @DisplayName("DUP-2, DUP-9: of equal sends in one turn and in later ones exactly one is stored")
    void oneIsStored() {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(submit(q, "X"));
        }
        f.settle();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(((Reply.Sent) answer.reply()).sequenceNumbers())
                        .containsExactly(1));
        assertThat(duplicates(q, "X")).containsExactly(0);
        assertThat(f.counts(q).active()).isEqualTo(1);
        assertThat(q.figures().duplicates()).isEqualTo(100);
        assertThat(q.figures().incomingMessages()).isEqualTo(1);
    }

    @Test
    @DisplayName("DUP-11: after kill -9 an acknowledged id is dropped, until its window ends")
    void crashInsideTheWindow() throws StoreException {
        duplicates(q, "X");
        f.nowMs += WINDOW / 2 + 1;
        duplicates(q, "Y");
        crash();
        assertThat(duplicates(q, "X", "Y", "Z")).containsExactly(0, 1);
        f.nowMs += WINDOW / 2 - 1;
        crash();
        assertThat(duplicates(q, "X", "Y", "Z")).containsExactly(1, 2);
    }

    @Test
    @DisplayName("DUP-11: the id of a failed commit is not remembered, that of an uncertain one as its message is")
    void failedCommits() {
        f.store.failNextCommit(Reason.IO, false);
        Answer first = submit(q, "X");
        Answer second = submit(q, "X");
        f.settle();
        assertThat(first.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(second.rejection().code())
                .as("a duplicate of what was not stored is not acknowledged")
                .isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(duplicates(q, "X")).isEmpty();
        assertThat(f.counts(q).active()).isEqualTo(1);

        f.store.failNextCommit(Reason.IO, true);
        Answer uncertain = submit(q, "Y");
        f.settle();
        assertThat(uncertain.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(duplicates(q, "Y")).containsExactly(0);
        assertThat(f.counts(q).active())
                .as("MSG-1: the retry made no second copy")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("ids that left the window go from the store by themselves, which is no activity of the queue")
    void forgetting() {
        duplicates(q, "X");
        for (int i = 0; i < 3_000; i++) {
            submit(q, "id-" + i);
        }
        f.settle();
        long accessedAtMs = q.accessedAtMs();
        f.nowMs += WINDOW - 1;
        f.settle();
        assertThat(f.store.size(Table.DUPLICATE_IDS)).isEqualTo(3_001);
        f.nowMs++;
        f.settle();
        assertThat(f.store.size(Table.DUPLICATE_IDS)).isZero();
        assertThat(f.counts(q).active()).isEqualTo(3_001);
        assertThat(q.accessedAtMs()).isEqualTo(accessedAtMs);
    }

    @Test
    @DisplayName("after a stop that was longer than the window the old ids go too")
    void forgettingAfterAStop() throws StoreException {
        for (int i = 0; i < 20; i++) {
            duplicates(q, "X" + i);
            f.nowMs += WINDOW / 10;
        }
        f.nowMs += 10 * WINDOW;
        crash();
        f.settle();
        f.nowMs += WINDOW;
        f.settle();
        assertThat(f.store.size(Table.DUPLICATE_IDS)).isZero();
        assertThat(duplicates(q, "X19")).isEmpty();
    }

    @Test
    @DisplayName("DUP-3: an update of the window counts at once")
    void updatedWindow() {
        duplicates(q, "X");
        f.nowMs += 30_000;
        ask(f.namespace().updateQueue(detecting(20_000)));
        assertThat(duplicates(q, "X")).isEmpty();
        f.nowMs += 19_999;
        assertThat(duplicates(q, "X")).containsExactly(0);
        ask(f.namespace().updateQueue(detecting(WINDOW)));
        f.nowMs += 500_000;
        assertThat(duplicates(q, "X")).containsExactly(0);
    }

    @Test
    @DisplayName("a deleted queue takes its ids along; one of the same name starts without any")
    void deletedQueue() {
        duplicates(q, "X", "Y");
        ask(f.namespace().deleteEntity("q"));
        assertThat(f.store.size(Table.DUPLICATE_IDS)).isZero();
        q = f.create(detecting(WINDOW));
        assertThat(duplicates(q, "X")).isEmpty();
    }

    @Test
    @DisplayName("DUP-10: a topic drops duplicates before any subscription sees them, also after kill -9")
    void topic() throws StoreException {
        Entity topic = ask(f.namespace()
                .createTopic(TopicDescription.named("t")
                        .requiresDuplicateDetection(true)
                        .build()));
        ask(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything()));
        assertThat(duplicates(topic, "X", "Y", "X")).containsExactly(2);
        assertThat(topic.figures().incomingMessages()).isEqualTo(2);
        assertThat(topic.figures().duplicates()).isEqualTo(1);
        f.crash();
        assertThat(duplicates(f.entity("t"), "X", "Z")).containsExactly(0);
        assertThat(f.counts(f.entity("t/Subscriptions/s")).active()).isEqualTo(3);
    }

    @Test
    @DisplayName("a topic that is disabled, or whose disk is full, forgets ids nevertheless")
    void idleTopic() {
        TopicDescription.Builder detecting = TopicDescription.named("t")
                .requiresDuplicateDetection(true)
                .duplicateDetectionHistoryTimeWindowMs(WINDOW);
        Entity topic = ask(f.namespace().createTopic(detecting.build()));
        duplicates(topic, "X");
        ask(f.namespace().updateTopic(detecting.status(EntityStatus.DISABLED).build()));
        f.store.setAcceptsGrowth(false);
        f.nowMs += WINDOW;
        f.settle();
        assertThat(f.store.size(Table.DUPLICATE_IDS)).isZero();
    }
}
