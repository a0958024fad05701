package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("LOCK-13, SCHED-4: requests about messages of several fragments, over four stores")
class TwoPhaseRequestTest {
    private BrokerFixture f;
    private Entity pq;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(4).toList());
        pq = f.create(QueueDescription.named("pq").enablePartitioning(true).build());
    }

    /** Tokens of that many messages in as many fragments. */
    private List<UUID> locked(Entity entity, int count) {
        for (int i = 0; i < count; i++) {
            f.send(entity, "m" + i);
        }
        f.settle();
        Listening listening = f.listen(entity, count);
        f.settle();
        List<UUID> tokens = new ArrayList<>(listening.messages.stream()
                .map(m -> Objects.requireNonNull(m.lockToken()))
                .toList());
        assertThat(tokens).hasSize(count);
        return tokens;
    }

    private List<Long> scheduled(Entity entity, int count, long dueInMs) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IncomingMessage m = message("later " + i);
            Answer answer = f.submit(
                    entity,
                    new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                            .timeToLiveMs(m.timeToLiveMs())
                            .sizes(m.encodedSizeBytes(), 0, 0)
                            .sent(null, f.nowMs + dueInMs)
                            .build())));
            f.settle();
            numbers.add(((Reply.Sent) answer.reply()).sequenceNumbers()[0]);
        }
        return numbers;
    }

    private Answer done(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        return answer;
    }

    private Partitions fragments() {
        return Objects.requireNonNull(((ServedEntity) pq).fragments());
    }

    @Test
    @DisplayName("LOCK-13: one dead token of many, and none is settled or renewed; each goes on as it was")
    void oneIsDead() {
        List<UUID> tokens = locked(pq, 8);
        done(pq, new Command.CompleteMessages(List.of(tokens.get(3))));
        for (Command all : List.of(
                new Command.CompleteMessages(tokens),
                new Command.RenewLocks(tokens),
                new Command.ReleaseMessages(tokens))) {
            assertThat(done(pq, all).rejection().code()).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
            assertThat(f.counts(pq).locked()).isEqualTo(7);
        }
        tokens.remove(3);
        tokens.add(FragmentTokens.of(UUID.randomUUID(), 500));
        assertThat(done(pq, new Command.CompleteMessages(tokens)).rejection().code())
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        tokens.set(7, tokens.get(0));
        assertThat(done(pq, new Command.CompleteMessages(tokens)).rejection().code())
                .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
        tokens.remove(7);
        assertThat(done(pq, new Command.CompleteMessages(tokens)).isDone()).isTrue();
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName(
            "LOCK-13: locks whose time ends while the fragments agree are settled or renewed all the same, all of them")
    void timePassesMeanwhile() {
        List<UUID> tokens = locked(pq, 16);
        f.nowMs += 59_999;
        f.settle();
        Answer renewed = f.submit(pq, new Command.RenewLocks(tokens));
        f.turn();
        f.nowMs += 1_000;
        f.settle();
        long[] untilMs = ((Reply.LocksRenewed) renewed.reply()).lockedUntilMs();
        assertThat(untilMs).hasSize(16);
        assertThat(LongStream.of(untilMs)).allMatch(until -> until >= f.nowMs + 59_000);
        f.nowMs += 58_999;
        f.settle();
        Answer completed = f.submit(pq, new Command.CompleteMessages(tokens));
        f.turn();
        f.nowMs += 1_001;
        f.settle();
        assertThat(completed.isDone()).isTrue();
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-13: of two requests that name the same lock one settles all of its messages, the other one none")
    void twoAtATime() {
        List<UUID> tokens = locked(pq, 12);
        List<UUID> first = tokens.subList(0, 8);
        List<UUID> second = new ArrayList<>(tokens.subList(4, 12));
        Collections.reverse(second);
        Answer one = f.submit(pq, new Command.CompleteMessages(first));
        Answer other = f.submit(pq, new Command.CompleteMessages(second));
        f.settle();
        assertThat(List.of(one.isDone(), other.isDone())).containsExactlyInAnyOrder(true, false);
        assertThat(f.counts(pq).total()).isEqualTo(4);
        assertThat(f.counts(pq).locked()).isEqualTo(4);
    }

    @Test
    @DisplayName("LOCK-13: if a store fails when all have agreed, the answer says for which partitions it is not done")
    void halfDone() {
        List<UUID> tokens = locked(pq, 16);
        Answer answer = f.submit(pq, new Command.CompleteMessages(tokens));
        f.turn(); // all have agreed; the last store of a turn has carried out its share perhaps
        f.stores.get(1).failNextCommit(Reason.IO, false);
        f.settle();
        assertThat(answer.rejection().code().retryable()).isTrue();
        assertThat(answer.rejection().description())
                .matches("Done for 12 of 16 messages, not or not certainly for those of partition [\\d, ]+: .*");
        String[] named = answer.rejection()
                .description()
                .replaceAll(".*partition ([\\d, ]+):.*", "$1")
                .split(", ");
        assertThat(Stream.of(named).map(Integer::valueOf))
                .hasSize(4)
                .allMatch(fragment -> fragments().part(fragment).shard().index() == 1);
        f.letPass(3_000);
        assertThat(f.counts(pq).active()).isEqualTo(4);
    }

    @Test
    @DisplayName("LOCK-13: if a store is away, nothing is settled anywhere, and all can be settled later")
    void oneIsAway() {
        List<UUID> tokens = locked(pq, 16);
        f.stores.get(1).setGone(true);
        f.letPass(3_000);
        Answer answer = done(pq, new Command.CompleteMessages(tokens));
        assertThat(answer.rejection().code().retryable()).isTrue();
        List<UUID> others = tokens.stream()
                .filter(token ->
                        fragments().part(FragmentTokens.fragment(token)).shard().index() != 1)
                .toList();
        assertThat(done(pq, new Command.CompleteMessages(others)).isDone()).isTrue();
    }

    @Test
    @DisplayName("SCHED-4: one number that is not there, and none is cancelled")
    void cancelsAllOrNone() {
        List<Long> numbers = scheduled(pq, 8, 60_000);
        List<Long> more = new ArrayList<>(numbers);
        more.add(FragmentNumbers.of(3, 4_711));
        assertThat(done(pq, new Command.CancelScheduledMessages(more))
                        .rejection()
                        .code())
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        assertThat(f.counts(pq).scheduled()).isEqualTo(8);
        assertThat(done(pq, new Command.CancelScheduledMessages(numbers)).isDone())
                .isTrue();
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName("SCHED-4: messages that become due while the fragments agree are cancelled all the same, all of them")
    void dueMeanwhile() {
        List<Long> numbers = scheduled(pq, 16, 10_000);
        Answer answer = f.submit(pq, new Command.CancelScheduledMessages(numbers));
        f.turn();
        f.nowMs += 20_000;
        f.settle();
        assertThat(answer.isDone()).isTrue();
        assertThat(f.counts(pq).total()).isZero();
    }

    @Test
    @DisplayName(
            "PART-15, MET-1: renewing, cancelling and settling over many fragments is one operation, as on an ordinary queue")
    void metered() {
        Entity q = f.create("q");
        for (Entity entity : List.of(q, pq)) {
            List<UUID> tokens = locked(entity, 16);
            assertThat(done(entity, new Command.RenewLocks(tokens)).isDone()).isTrue();
            assertThat(done(entity, new Command.CompleteMessages(tokens)).isDone())
                    .isTrue();
            assertThat(done(entity, new Command.CancelScheduledMessages(scheduled(entity, 16, 60_000)))
                            .isDone())
                    .isTrue();
        }
        assertThat(pq.meter().operations()).isEqualTo(q.meter().operations()).isEqualTo(16 + 16 + 1 + 16 + 1);
    }
}
