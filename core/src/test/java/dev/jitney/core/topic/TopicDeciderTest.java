package dev.jitney.core.topic;

import static dev.jitney.core.topic.TopicFixture.START_MS;
import static dev.jitney.core.topic.TopicFixture.message;
import static dev.jitney.core.topic.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.queue.decide.ForwardDecisions;
import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Publishing: the copies of a message sent to a topic")
final class TopicDeciderTest {
    private final TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    private static List<String> texts(List<MessageView> messages) {
        return messages.stream().map(Sent::text).toList();
    }

    @Test
    @DisplayName("MSG-10: a message that matches no subscription is accepted, numbered and dropped")
    void nobodyWantsIt() {
        f.matcher.removeRule(f.subscribe("s").subscriber.entityId(), "$DEFAULT");
        FanOut fanOut = f.send(message("a"));
        assertThat(((Reply.Sent) fanOut.reply()).sequenceNumbers()).containsExactly(1);
        assertThat(f.topic.lastSequenceNumber()).isEqualTo(1);
        assertThat(f.topic.counts().total()).isZero();
        assertThat(f.rows.bodies).isEmpty();
    }

    @Test
    @DisplayName("One body for three subscriptions: stored once, deleted with its last reference")
    void bodyIsShared() {
        Subscription a = f.subscribe("a");
        Subscription b = f.subscribe("b");
        Subscription c = f.subscribe("c");
        f.send(message("one"), message("two"));
        assertThat(f.rows.bodies).hasSize(2);
        assertThat(f.topic.counts().sizeBytes()).isPositive();
        assertThat(a.state().counts().sizeBytes()).isZero();

        assertThat(texts(f.drain(a, SubQueue.MAIN))).containsExactly("one", "two");
        assertThat(texts(f.drain(b, SubQueue.MAIN))).containsExactly("one", "two");
        assertThat(f.rows.bodies).hasSize(2);
        assertThat(f.rows.bodyReleases).containsEntry(1L, 2).containsEntry(2L, 2);

        assertThat(texts(f.drain(c, SubQueue.MAIN))).containsExactly("one", "two");
        assertThat(f.rows.bodies).isEmpty();
        assertThat(f.rows.bodyReleases).isEmpty();
        assertThat(f.topic.counts().sizeBytes()).isZero();
    }

    @Test
    @DisplayName("A single copy has its own body, and nothing is shared")
    void singleCopyOwnsItsBody() {
        Subscription only = f.subscribe("only");
        f.send(message("one"));
        assertThat(f.rows.bodies).isEmpty();
        assertThat(only.state().counts().sizeBytes()).isPositive();
        assertThat(texts(f.drain(only, SubQueue.MAIN))).containsExactly("one");
    }

    @Test
    @DisplayName("SEQ-5: a copy has the number of its subscription and keeps the number of the topic")
    void numbers() {
        Subscription a = f.subscribe("a", rule("r", "sys.MessageId = 'two'"));
        f.send(message("one"), message("two"));
        MessageView copy = f.drain(a, SubQueue.MAIN).get(0);
        assertThat(copy.sequenceNumber()).isEqualTo(1);
        assertThat(copy.enqueuedSequenceNumber()).isEqualTo(2);
    }

    @Test
    @DisplayName("TTL-20, TTL-21: a copy has the smallest time to live of message, topic and subscription")
    void smallestTimeToLive() {
        TopicFixture limited = new TopicFixture(
                TopicDescription.named("t").defaultMessageTimeToLiveMs(600_000).build());
        Subscription minute = limited.subscribe(SubscriptionDescription.of("t", "minute")
                .defaultMessageTimeToLiveMs(60_000)
                .build());
        Subscription hour = limited.subscribe(SubscriptionDescription.of("t", "hour")
                .defaultMessageTimeToLiveMs(3_600_000)
                .build());
        limited.send(message("long"), Sent.of("short").livingMs(1_000).message());
        assertThat(limited.drain(minute, SubQueue.MAIN))
                .extracting(MessageView::expiresAtMs)
                .containsExactly(START_MS + 60_000, START_MS + 1_000);
        assertThat(limited.drain(hour, SubQueue.MAIN))
                .extracting(MessageView::expiresAtMs)
                .containsExactly(START_MS + 600_000, START_MS + 1_000);
    }

    @Test
    @DisplayName("DLQ-15, FILTER-24: a filter that fails dead-letters the copy; other subscriptions are unaffected")
    void failingFilter() {
        Subscription failing = f.subscribe("failing", rule("r", "a/b = 1"));
        Subscription silent = f.subscribe(
                SubscriptionDescription.of("t", "silent")
                        .deadLetteringOnFilterEvaluationExceptions(false)
                        .build(),
                rule("r", "a/b = 1"));
        Subscription fine = f.subscribe("fine");
        assertThat(f.send(Sent.of("one").with("a", 1).with("b", 0).message()).rejection())
                .isNull();
        assertThat(failing.state().counts().deadLetter()).isEqualTo(1);
        assertThat(silent.state().counts().total()).isZero();
        assertThat(texts(f.drain(fine, SubQueue.MAIN))).containsExactly("one");
        MessageView dead = f.drain(failing, SubQueue.DEAD_LETTER).get(0);
        assertThat(Sent.properties(dead))
                .containsEntry("DeadLetterReason", "FilterException")
                .containsEntry("DeadLetterErrorDescription", "Expected a divisor other than zero, but '/' got 0.");
        assertThat(f.rows.bodies).isEmpty();
    }

    @Test
    @DisplayName(
            "DLQ-25: a failing rule results in one dead letter beside the copies of the other rules, or in nothing at all"
                    + " without dead letters of failures")
    void failingBesideMatching() {
        Subscription both =
                f.subscribe("both", rule("fails", "a/b = 1"), rule("fails too", "a = '1'"), rule("plain", "a = 1"));
        Subscription tagged = f.subscribe("tagged", rule("fails", "a/b = 1"), rule("tags", "a = 1", "SET t = 2"));
        Subscription silent = f.subscribe(
                SubscriptionDescription.of("t", "silent")
                        .deadLetteringOnFilterEvaluationExceptions(false)
                        .build(),
                rule("fails", "a/b = 1"),
                rule("plain", "a = 1"),
                rule("tags", "a = 1", "SET t = 2"));
        assertThat(f.send(Sent.of("one").with("a", 1).with("b", 0).message()).rejection())
                .isNull();
        for (Subscription subscription : List.of(both, tagged)) {
            assertThat(texts(f.drain(subscription, SubQueue.MAIN))).containsExactly("one");
            List<MessageView> dead = f.drain(subscription, SubQueue.DEAD_LETTER);
            assertThat(texts(dead)).containsExactly("one");
            assertThat(Sent.properties(dead.get(0)))
                    .containsEntry("DeadLetterReason", "FilterException")
                    .containsEntry("DeadLetterErrorDescription", "Expected a divisor other than zero, but '/' got 0.")
                    .doesNotContainKey("t");
        }
        assertThat(silent.state().counts().total()).isZero();
        assertThat(f.rows.bodies)
                .as("shared by copy and dead letter, and deleted with them")
                .isEmpty();
    }

    @Test
    @DisplayName("FILTER-24, FILTER-25: filtering before publishing reports failures to the sender")
    void filteringBeforePublishing() {
        TopicFixture strict = new TopicFixture(TopicDescription.named("t")
                .enableFilteringMessagesBeforePublishing(true)
                .build());
        Subscription s = strict.subscribe("s", rule("r", "1/a = 1"));
        assertThat(strict.send(message("a")).rejection().code()).isEqualTo(ErrorCode.NO_MATCHING_SUBSCRIPTION);
        FanOut failed = strict.send(Sent.of("a").with("a", 0).message());
        assertThat(failed.rejection().code()).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(s.state().counts().total()).isZero();
        assertThat(strict.topic.lastSequenceNumber())
                .as("refused sends consume no number")
                .isZero();
    }

    @Test
    @DisplayName("DLQ-17: a session subscription dead-letters a copy without a session id; the sender succeeds")
    void missingSessionId() {
        Subscription s = f.subscribe(
                SubscriptionDescription.of("t", "s").requiresSession(true).build());
        assertThat(f.send(message("one")).rejection()).isNull();
        assertThat(f.drain(s, SubQueue.DEAD_LETTER).get(0).propertyOverrides())
                .containsEntry("DeadLetterReason", EncodedValue.ofString("Session id is null."));
    }

    @Test
    @DisplayName("DLQ-14: an action that exceeds the header quota dead-letters the copy")
    void headerTooLarge() {
        Subscription s = f.subscribe("s", rule("r", "1=1", "SET p = 'x" + "y".repeat(900) + "'"));
        Sent large = Sent.of("one").with("a", "x".repeat(32_000)).with("b", "x".repeat(32_000));
        f.send(large.message());
        assertThat(s.state().counts().deadLetter()).as("fits").isZero();
        f.send(large.with("c", "x".repeat(1_300)).message());
        assertThat(s.state().counts().deadLetter()).isEqualTo(1);
        assertThat(s.rows.messages(Lane.DEAD_LETTER).get(2L).propertyOverrides())
                .containsEntry("DeadLetterReason", EncodedValue.ofString("HeaderSizeExceeded"));
    }

    @Test
    @DisplayName("SCHED-7, CNT-2: a scheduled message waits in the topic and goes to the subscriptions that exist"
            + " when it is due")
    void scheduled() {
        f.send(Sent.of("later")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 1_000))
                .message());
        assertThat(f.topic.counts().scheduled()).isEqualTo(1);
        Subscription late = f.subscribe("late");
        f.publishDue();
        assertThat(late.state().counts().total()).isZero();
        f.nowMs += 1_000;
        f.publishDue();
        assertThat(f.topic.counts().total()).isZero();
        MessageView copy = f.drain(late, SubQueue.MAIN).get(0);
        assertThat(copy.enqueuedTimeMs()).isEqualTo(START_MS + 1_000);
        assertThat(copy.enqueuedSequenceNumber()).isEqualTo(1);
        assertThat(f.topic.lastSequenceNumber()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "FWD-10, FWD-13: a subscription forwards a scheduled message with its message id and its partition key")
    void forwardsScheduledMessages() {
        f.subscribe(SubscriptionDescription.of("t", "onward").forwardTo("q").build());
        f.send(Sent.of("id")
                .annotated("x-opt-partition-key", "key")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 1_000))
                .message());
        f.nowMs += 1_000;

        FanOut fanOut = f.publishDue();

        Record.MessagePassed passed =
                (Record.MessagePassed) fanOut.copies().get(0).record();
        IncomingMessage onItsWay = ForwardDecisions.passed(passed).message();
        assertThat(onItsWay.messageId()).isEqualTo("id");
        assertThat(onItsWay.partitionKey()).isEqualTo("key");
        assertThat(onItsWay.envelope().enqueuedSequenceNumber()).isEqualTo(1);
        assertThat(onItsWay.hops()).isEqualTo(1);
    }

    @Test
    @DisplayName("FILTER-6, SEQ-5: filters and actions see the first number of a scheduled or forwarded message")
    void firstNumberInRules() {
        Subscription s = f.subscribe(
                "s",
                rule("r", "sys.EnqueuedSequenceNumber < sys.SequenceNumber", "SET n = sys.EnqueuedSequenceNumber"));
        f.send(Sent.of("scheduled")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 1_000))
                .message());
        f.send(message("plain"));
        IncomingMessage forwarded = message("forwarded");
        f.send(forwarded.with(forwarded.envelope().handedOn(1, 2, null)));
        f.nowMs += 1_000;
        f.publishDue();

        List<MessageView> copies = f.drain(s, SubQueue.MAIN);

        assertThat(texts(copies)).containsExactly("forwarded", "scheduled");
        assertThat(copies)
                .allSatisfy(
                        copy -> assertThat(Sent.properties(copy)).containsEntry("n", copy.enqueuedSequenceNumber()));
        assertThat(copies).extracting(MessageView::enqueuedSequenceNumber).containsExactly(2L, 1L);
    }

    @Test
    @DisplayName("FILTER-6, TTL-15: filters and actions see the time to live that the topic allows")
    void loweredTimeToLiveInRules() {
        TopicFixture limited = new TopicFixture(
                TopicDescription.named("t").defaultMessageTimeToLiveMs(60_000).build());
        Subscription s = limited.subscribe("s", rule("r", "1=1", "SET x = sys.ExpiresAtUtc"));
        limited.send(message("none"), Sent.of("long").livingMs(3_600_000).message());
        limited.send(Sent.of("later")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 1_000))
                .message());
        limited.nowMs += 1_000;
        limited.publishDue();

        List<MessageView> copies = limited.drain(s, SubQueue.MAIN);

        assertThat(texts(copies)).containsExactly("none", "long", "later");
        assertThat(copies)
                .allSatisfy(copy -> assertThat(Sent.properties(copy))
                        .containsEntry("x", Instant.ofEpochMilli(copy.enqueuedTimeMs() + 60_000)));
        List<SendExplanation.Change> explained = limited.explain(message("now"))
                .get(0)
                .subscriptions()
                .get(0)
                .rules()
                .get(0)
                .changes();
        assertThat(explained)
                .extracting(SendExplanation.Change::after)
                .contains(copies.get(2).propertyOverrides().get("x"));
    }

    @Test
    @DisplayName("SCHED-7, SUSP-2: a disabled topic accepts no messages and publishes no due messages")
    void disabled() {
        TopicFixture disabled = new TopicFixture(
                TopicDescription.named("t").status(EntityStatus.DISABLED).build());
        assertThat(disabled.send(message("a")).rejection().code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
    }
}
