package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.ContentRewriter;
import dev.jitney.core.Command;
import dev.jitney.core.Command.TwoPhase.Step;
import dev.jitney.core.Record;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
        "QUOTA-6, QUOTA-8: the properties that settlements set, and the bytes that one settlement writes, are limited")
class SettlementSizeTest {
    private static final int COUNT = 50;
    private static final String BODY = "x".repeat(100_000); // 50 of them are more than 4 MiB, 40 are less

    /** The limits of an installation that allows messages of 100 MiB. */
    private static final Limits ANY_SIZE = anySize(Limits.of(TierProfile.PREMIUM));

    private QueueFixture q = given(queue());

    private static Limits anySize(Limits of) {
        return new Limits(
                of.tier(),
                100 << 20,
                of.maxQueueSizeInMegabytes(),
                of.maxTimeToLiveMs(),
                of.maxIdLength(),
                of.maxPropertySizeBytes(),
                of.maxHeaderSizeBytes(),
                of.maxEntities(),
                of.maxPartitionedEntities(),
                of.maxSubscriptions(),
                of.maxSqlFilters(),
                of.maxCorrelationFilters(),
                of.maxConnections(),
                of.maxReceivers(),
                of.maxLocks(),
                of.maxPeekCount(),
                of.maxPeekSizeBytes(),
                of.maxBatchDeleteCount());
    }

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private List<UUID> locked(int count, long timeToLiveMs) {
        for (int i = 0; i < count; i++) {
            q.send(message(BODY).timeToLiveMs(timeToLiveMs).build());
        }
        return lockedAgain(count);
    }

    private List<UUID> lockedAgain(int count) {
        return q.receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, count).stream()
                .map(message -> token(message).get(0))
                .toList();
    }

    private List<UUID> locked(int count) {
        return locked(count, 1_000_000);
    }

    private static Command deadLetter(List<UUID> tokens) {
        return new Command.DeadLetterMessages(tokens, "because", null, Map.of());
    }

    private static Command abandon(List<UUID> tokens) {
        return new Command.AbandonMessages(tokens, Map.of());
    }

    @Test
    @DisplayName("QUOTA-8, LOCK-13: a dead-lettering of messages with more than 4 MiB changes nothing")
    void deadLettersNoMoreThanFitsIntoMemory() {
        List<UUID> tokens = locked(COUNT);
        Rejection refusal = q.refused(deadLetter(tokens));
        assertThat(refusal.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(refusal.description()).contains("4194304 bytes", "50 messages");
        assertThat(q.records()).isEmpty();
        q.thenCounts(COUNT, 0, 0);
        q.accepted(deadLetter(tokens.subList(0, 40)));
        q.accepted(deadLetter(tokens.subList(40, COUNT)));
        q.thenCounts(0, COUNT, 0);
    }

    @Test
    @DisplayName("QUOTA-8: a single message of any size is settled")
    void oneMessageMayBeLarge() {
        q = given(queue(), ANY_SIZE);
        q.send("x".repeat(5 << 20));
        q.deadLetter(q.receiveOne());
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("QUOTA-8: an abandonment is refused only if it moves the messages")
    void abandonsAnyNumberThatStays() {
        q = given(queue().maxDeliveryCount(2));
        q.accepted(abandon(locked(COUNT)));
        List<UUID> again = lockedAgain(COUNT);
        assertThat(q.refusedAs(abandon(again))).isEqualTo(ErrorCode.OUT_OF_RANGE);
        q.accepted(abandon(again.subList(0, 40)));
        q.thenCounts(10, 40, 0);
    }

    @Test
    @DisplayName("QUOTA-8: properties count for each message that they change")
    void countsProperties() {
        List<UUID> tokens = locked(100);
        Map<String, EncodedValue> properties = Map.of("p", text(25_000), "q", text(25_000));
        assertThat(q.refusedAs(new Command.DeferMessages(tokens, properties))).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(q.refusedAs(new Command.AbandonMessages(tokens, properties))).isEqualTo(ErrorCode.OUT_OF_RANGE);
        q.accepted(new Command.DeferMessages(tokens.subList(0, 80), properties));
    }

    /** Returns a message with one application property in its content. */
    private static IncomingMessage withProperty(String name, int valueLength) {
        ContentRewriter content = new ContentRewriter(message("m").build().content());
        content.setApplicationProperty(name, text(valueLength));
        return IncomingMessage.of(content.rewritten()).build();
    }

    private static EncodedValue text(int length) {
        return EncodedValue.ofString("x".repeat(length));
    }

    private static List<Command> settlements(List<UUID> tokens, Map<String, EncodedValue> properties) {
        return List.of(
                new Command.AbandonMessages(tokens, properties),
                new Command.DeferMessages(tokens, properties),
                new Command.DeadLetterMessages(tokens, "because", null, properties));
    }

    @Test
    @DisplayName("QUOTA-6: a settlement sets properties of at most 32 KB each")
    void limitsEachProperty() {
        List<UUID> tokens = locked(1);
        int most = 32 * 1_024 - 8; // without the name and the sizes of name and value
        for (Command settlement : settlements(tokens, Map.of("p", text(most + 1)))) {
            Rejection refusal = q.refused(settlement);
            assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
            assertThat(refusal.description()).contains("32768 bytes each", "one has 32769");
        }
        q.accepted(new Command.AbandonMessages(tokens, Map.of("p", text(most))));
    }

    @Test
    @DisplayName("QUOTA-6: the properties of a message and those of its settlements have at most 64 KB together")
    void limitsAllProperties() {
        q.send(withProperty("own", 30_000));
        List<UUID> tokens = lockedAgain(1);
        Map<String, EncodedValue> more = Map.of("a", text(20_000), "b", text(20_000));
        for (Command settlement : settlements(tokens, more)) {
            Rejection refusal = q.refused(settlement);
            assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
            assertThat(refusal.description()).contains("at most 65536 bytes of properties");
        }
        q.accepted(new Command.AbandonMessages(tokens, Map.of("a", text(20_000))));
        tokens = lockedAgain(1);
        assertThat(q.refusedAs(new Command.AbandonMessages(tokens, Map.of("b", text(20_000)))))
                .as("with the properties of the settlement before")
                .isEqualTo(ErrorCode.ARGUMENT);
        q.accepted(new Command.AbandonMessages(tokens, Map.of("own", text(32_000), "a", text(32_000))));
        assertThat(lockedAgain(1)).as("replaced properties do not count").hasSize(1);
    }

    @Test
    @DisplayName("QUOTA-6, DLQ-13: the reason of a dead letter is never too large, because clients ignore the refusal")
    void reasonsAreNotLimited() {
        q.send(withProperty("a", 32_000));
        q.accepted(new Command.AbandonMessages(lockedAgain(1), Map.of("b", text(32_000))));
        q.accepted(new Command.DeadLetterMessages(lockedAgain(1), "x".repeat(4_096), "y".repeat(4_096), Map.of()));
        q.thenCounts(0, 1, 0);
    }

    @Test
    @DisplayName("QUOTA-6, QUOTA-8: the check of the properties of several messages reads a limited number of bytes")
    void readsNoMoreThanAllowed() {
        q = given(queue(), ANY_SIZE);
        for (int i = 0; i < 7; i++) {
            q.send("x".repeat(10 << 20));
        }
        List<UUID> tokens = lockedAgain(7);
        Map<String, EncodedValue> property = Map.of("p", text(1));
        assertThat(q.refusedAs(new Command.AbandonMessages(tokens, property))).isEqualTo(ErrorCode.OUT_OF_RANGE);
        q.accepted(new Command.AbandonMessages(tokens.subList(0, 6), property));
    }

    @Test
    @DisplayName("QUOTA-8, STATE-7: a release moves some of many expired messages, and the others expire as usual")
    void releasesAnyNumber() {
        q = given(queue().deadLetteringOnMessageExpiration(true).lockDurationMs(60_000));
        List<UUID> tokens = locked(COUNT, 1_000);
        q.at(2_000);
        q.accepted(new Command.ReleaseMessages(tokens));
        assertThat(q.records().stream().filter(Record.MessageReleased.class::isInstance))
                .hasSize(8);
        assertThat(q.receive()).isNull();
        q.thenCounts(0, COUNT, 0);
    }

    @Test
    @DisplayName("QUOTA-8, LOCK-13: a prepared settlement is executed, even if messages have expired since")
    void whatIsPreparedIsExecuted() {
        q = given(queue().deadLetteringOnMessageExpiration(true).lockDurationMs(60_000));
        Command.Shareable abandon = new Command.AbandonMessages(locked(COUNT, 1_000), Map.of());
        q.accepted(new Command.TwoPhase(Step.PREPARE, abandon, 77));
        q.at(2_000);
        q.accepted(new Command.TwoPhase(Step.COMMIT, abandon, 77));
        q.thenCounts(0, COUNT, 0);
    }

    @Test
    @DisplayName("QUOTA-8, DEFER-7: a request for many expired deferred messages moves some of them")
    void expiresSomeDeferredMessages() {
        q = given(queue().deadLetteringOnMessageExpiration(true));
        for (UUID token : locked(COUNT, 1_000)) {
            q.accepted(new Command.DeferMessages(List.of(token), Map.of()));
        }
        List<Long> numbers = LongStream.rangeClosed(1, COUNT).boxed().toList();
        q.at(2_000);
        Command request = new Command.ReceiveDeferredMessages(SubQueue.MAIN, numbers, ReceiveMode.PEEK_LOCK);
        assertThat(q.refusedAs(request)).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        q.thenCounts(8, 42, 0);
        assertThat(q.refusedAs(request)).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        q.thenCounts(0, COUNT, 0);
    }
}
