package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Chapter 6: expiration on the whole broker")
class ExpirationSweepTest {
    private static final int COUNT = 10_000;
    private static final long TIME_TO_LIVE_MS = 10_000;

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    /** A queue with ten thousand expired messages that nobody has looked at. */
    private Entity expired() {
        Entity q = f.create(QueueDescription.named("q")
                .defaultMessageTimeToLiveMs(TIME_TO_LIVE_MS)
                .deadLetteringOnMessageExpiration(true)
                .build());
        String[] batch = new String[100];
        Arrays.fill(batch, "m");
        for (int i = 0; i < COUNT / batch.length; i++) {
            f.send(q, batch);
            f.settle();
        }
        f.nowMs += TIME_TO_LIVE_MS;
        f.settle();
        assertThat(f.counts(q).active()).isEqualTo(COUNT);
        return q;
    }

    private void thenAllAreThereOnce() {
        Entity q = f.entity("q");
        MessageCounts counts = f.counts(q);
        assertThat(counts.active() + counts.deadLetter()).isEqualTo(COUNT);
        assertThat(f.store.size(Table.MESSAGES)).isEqualTo(COUNT);
        Listening nobody = f.listen(q, 1);
        f.settle();
        assertThat(nobody.messages).isEmpty();
        assertThat(f.counts(q).active()).isZero();
        assertThat(f.counts(q).deadLetter()).isEqualTo(COUNT);
        Listening dead = attach(q, SubQueue.DEAD_LETTER, ReceiveMode.RECEIVE_AND_DELETE, COUNT);
        f.settle();
        for (int i = 0; i < COUNT; i++) {
            assertThat(dead.messages.get(i).sequenceNumber()).isEqualTo(i + 1L);
        }
        assertThat(f.store.size(Table.MESSAGES)).isZero();
    }

    private Listening attach(Entity entity, SubQueue subQueue, ReceiveMode mode, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.attach(subQueue, mode, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(credit, false);
        return listening;
    }

    @Test
    @DisplayName("TTL-26: a crash in the middle of a sweep leaves every message in exactly one place")
    void crashDuringASweep() throws StoreException {
        Entity q = expired();
        f.listen(q, 1);
        for (int turns = 0; turns < 5; turns++) {
            f.turn();
        }
        f.crash();
        assertThat(f.counts(f.entity("q")).deadLetter()).isBetween(1L, COUNT - 1L);
        thenAllAreThereOnce();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TTL-26: so does a commit that fails in the middle of a sweep, whether it was stored or not")
    void failedCommitDuringASweep(boolean stored) {
        Entity q = expired();
        f.listen(q, 1);
        for (int turns = 0; turns < 5; turns++) {
            f.turn();
        }
        f.store.failNextCommit(Reason.IO, stored);
        f.settle();
        thenAllAreThereOnce();
    }

    @Test
    @DisplayName("TTL-27: each job with a deadline ends once: done in time, or dead-lettered, told, and done by mail")
    void jobsWithADeadline() {
        Entity jobs = f.create(QueueDescription.named("jobs")
                .deadLetteringOnMessageExpiration(true)
                .build());
        Entity results = f.create("results");
        Entity late = f.create("late-jobs");
        Entity mail = f.create("mail");

        // The web front end sends ten jobs, and waits for their results.
        for (int i = 0; i < 10; i++) {
            f.submit(jobs, new Command.SendMessages(List.of(job(i))));
        }
        Listening front = listenAll(results);

        // The back end does six of them before their deadline, and comes back for the others after it.
        Listening back = f.listen(jobs, 6);
        f.settle();
        back.messages.forEach(m -> finish(jobs, m, results));
        f.nowMs += TIME_TO_LIVE_MS;
        back.receiver.setCredit(20, false);
        f.settle();
        assertThat(back.messages).hasSize(6);

        // The reader of the dead letters tells the user, and hands the job on.
        Listening dead = attach(jobs, SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 20);
        f.settle();
        List<String> told = new ArrayList<>();
        for (MessageView message : dead.messages) {
            assertThat(message.propertyOverrides().get("DeadLetterReason"))
                    .isEqualTo(EncodedValue.ofString("TTLExpiredException"));
            told.add(body(message));
            finish(jobs, message, late);
        }
        assertThat(told).containsExactly("job 6", "job 7", "job 8", "job 9");

        // What comes late goes out by mail.
        Listening slow = f.listen(late, 20);
        f.settle();
        slow.messages.forEach(m -> finish(late, m, mail));
        Listening mailbox = listenAll(mail);
        f.settle();

        Map<String, Integer> ends = new TreeMap<>();
        front.messages.forEach(m -> ends.merge(body(m), 1, Integer::sum));
        mailbox.messages.forEach(m -> ends.merge(body(m), 1, Integer::sum));
        assertThat(ends)
                .hasSize(10)
                .allSatisfy((job, times) -> assertThat(times).isEqualTo(1));
        assertThat(front.messages).hasSize(6);
        assertThat(f.counts(jobs).total()).isZero();
        assertThat(f.counts(late).total()).isZero();
    }

    private Listening listenAll(Entity entity) {
        return attach(entity, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 100);
    }

    private static IncomingMessage job(int number) {
        IncomingMessage m = BrokerFixture.message("job " + number);
        return IncomingMessage.of(m.content())
                .messageId("job-" + number)
                .timeToLiveMs(TIME_TO_LIVE_MS)
                .sizes(m.encodedSizeBytes(), 0, 0)
                .build();
    }

    /** Sends what came of a message first, and completes it then. */
    private void finish(Entity from, MessageView message, Entity to) {
        Answer sent = f.send(to, body(message));
        f.settle();
        assertThat(sent.reply()).isInstanceOf(Reply.Sent.class);
        f.submit(from, new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken()))));
        f.settle();
    }

    private static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }
}
