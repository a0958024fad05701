package dev.jitney.core.topic;

import static dev.jitney.core.topic.TopicFixture.START_MS;
import static dev.jitney.core.topic.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.PropertyField;
import dev.jitney.codec.Unsigned;
import dev.jitney.core.Lane;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Actions: changed copies as receivers see them")
final class RuleActionsTest {
    /** The expiry time of a message without an expiry (MSG-11, wire 4.2). */
    private static final Instant NEVER = Instant.parse("9999-12-31T23:59:59.999Z");

    private final TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    /** Returns the copy that a subscription with only this action receives. */
    private MessageView copy(String action, Sent sent) {
        Subscription s = f.subscribe("s" + f.subscriptions.size(), rule("r", "1=1", action));
        assertThat(f.send(sent.message()).rejection()).isNull();
        List<MessageView> copies = f.drain(s, SubQueue.MAIN);
        assertThat(copies).hasSize(1);
        return copies.get(0);
    }

    private Match match(IncomingMessage message, String action) {
        Subscription s = f.subscribe("s" + f.subscriptions.size(), rule("r", "1=1", action));
        List<Match> matches = f.matcher.matches(message, 1, f.nowMs);
        f.matcher.removeSubscriber(s.subscriber.entityId());
        return matches.get(matches.size() - 1);
    }

    private Failure failure(String action, Sent sent) {
        Match match = match(sent.message(), action);
        assertThat(match.changed()).isEmpty();
        return match.failure();
    }

    @Test
    @DisplayName("RULE-7: SET in any case replaces the property, under the sender's spelling and with its type")
    void replacesInAnyCase() {
        MessageView copy = copy(
                "SET COLOR = 'red'; SET count = '7'",
                Sent.of("m").with("Color", "blue").with("Count", 1));
        assertThat(Sent.properties(copy))
                .containsOnly(Map.entry("Color", "red"), Map.entry("Count", 7), Map.entry("RuleName", "r"));
    }

    @Test
    @DisplayName("RULE-7, RULE-9: of names that differ only by case, SET leaves one and REMOVE none")
    void namesThatDifferByCase() {
        Sent twice = Sent.of("m").with("a", 1).with("A", 2).with("b", 3);
        assertThat(Sent.properties(copy("SET a = 5", twice)))
                .containsOnly(Map.entry("A", 5), Map.entry("b", 3), Map.entry("RuleName", "r"));
        assertThat(Sent.properties(copy("REMOVE a", twice)))
                .containsOnly(Map.entry("b", 3), Map.entry("RuleName", "r"));
    }

    @Test
    @DisplayName("RULE-5: RuleName is the name of the rule, regardless of sender and action")
    void ruleNameIsTheRules() {
        Sent sent = Sent.of("m").with("rulename", "mine").with("a", 1);
        for (String action : List.of("SET RuleName = 'other'", "REMOVE rulename", "SET a = 1")) {
            assertThat(Sent.properties(copy(action, sent)))
                    .as(action)
                    .containsOnly(Map.entry("a", 1), Map.entry("RuleName", "r"));
        }
        assertThat(Sent.properties(copy("SET a = 1", Sent.of("m").with("RuleName", "mine"))))
                .containsOnly(Map.entry("RuleName", "r"), Map.entry("a", 1L));
    }

    @Test
    @DisplayName("RULE-9: REMOVE deletes a property and ignores a missing one")
    void removes() {
        assertThat(Sent.properties(
                        copy("REMOVE b; REMOVE c", Sent.of("m").with("a", 1).with("B", 2))))
                .containsOnly(Map.entry("a", 1), Map.entry("RuleName", "r"));
    }

    @Test
    @DisplayName("RULE-8: every system property of type text can be set; others keep their types")
    void setsTexts() {
        UUID correlation = new UUID(1, 2);
        MessageView copy = copy(
                "SET sys.ContentType='c'; SET sys.Label='l'; SET sys.PartitionKey='p'; SET sys.ReplyTo='r';"
                        + " SET sys.ReplyToSessionId='rs'; SET sys.To='t'; SET sys.ViaPartitionKey='v'",
                Sent.of("m")
                        .with(PropertyField.MESSAGE_ID, Unsigned.ofLong(7))
                        .with(PropertyField.CORRELATION_ID, correlation)
                        .annotated("x-mine", 1));
        assertThat(Sent.fields(copy))
                .containsOnly(
                        Map.entry(PropertyField.MESSAGE_ID, Unsigned.ofLong(7)),
                        Map.entry(PropertyField.CORRELATION_ID, correlation),
                        Map.entry(PropertyField.CONTENT_TYPE, "c"),
                        Map.entry(PropertyField.SUBJECT, "l"),
                        Map.entry(PropertyField.REPLY_TO, "r"),
                        Map.entry(PropertyField.REPLY_TO_GROUP_ID, "rs"),
                        Map.entry(PropertyField.ABSOLUTE_EXPIRY_TIME, NEVER),
                        Map.entry(PropertyField.CREATION_TIME, Instant.ofEpochMilli(START_MS)),
                        Map.entry(PropertyField.TO, "t"));
        assertThat(new ContentReader(copy.content()).annotations())
                .containsOnly(
                        Map.entry("x-mine", 1),
                        Map.entry("x-opt-partition-key", "p"),
                        Map.entry("x-opt-via-partition-key", "v"));
        assertThat(Sent.text(copy)).isEqualTo("m");
    }

    @Test
    @DisplayName("RULE-8: ids, keys and times of a copy are the values of the action, also for the broker")
    void fieldsOfTheMessageFollow() {
        IncomingMessage message = Sent.of("m")
                .with(PropertyField.GROUP_ID, "s")
                .annotated("x-opt-partition-key", "s")
                .with("a", 1)
                .message();
        IncomingMessage changed = match(
                        message,
                        "SET sys.MessageId='id'; SET sys.CorrelationId='c'; SET sys.SessionId='session';"
                                + " SET sys.PartitionKey='session'; SET sys.TimeToLive='00:00:05';"
                                + " SET sys.ScheduledEnqueueTimeUtc='2023-11-14T22:13:20Z';"
                                + " SET sys.ForcePersistence='true'; REMOVE a")
                .changed()
                .get(0)
                .message();
        assertThat(changed.messageId()).isEqualTo("id");
        assertThat(changed.sessionId()).isEqualTo("session");
        assertThat(changed.partitionKey()).isEqualTo("session");
        assertThat(changed.timeToLiveMs()).isEqualTo(5_000);
        assertThat(changed.scheduledEnqueueTimeMs()).isEqualTo(START_MS);
        assertThat(changed.content().durable()).isTrue();
        assertThat(changed.content().applicationProperties().hasRemaining()).isFalse();
        assertThat(changed.headerSizeBytes())
                .isEqualTo(changed.content().properties().remaining());
        assertThat(changed.encodedSizeBytes() - message.encodedSizeBytes())
                .isEqualTo(changed.content().sizeBytes() - message.content().sizeBytes());
        assertThat(new ContentReader(changed.content()).properties())
                .containsEntry(PropertyField.MESSAGE_ID, "id")
                .containsEntry(PropertyField.CORRELATION_ID, "c")
                .containsEntry(PropertyField.GROUP_ID, "session");
    }

    @Test
    @DisplayName("RULE-8, TTL-21: a copy has the time to live that the action sets, within the limits of topic and"
            + " subscription")
    void timeToLive() {
        Sent minute = Sent.of("m").livingMs(60_000);
        MessageView shorter = copy("SET sys.TimeToLive = '00:00:05'", minute);
        assertThat(shorter.expiresAtMs()).isEqualTo(START_MS + 5_000);
        assertThat(Sent.received(shorter).timeToLiveMs()).isEqualTo(5_000);
        MessageView forEver = copy("SET sys.TimeToLive = NULL", minute);
        assertThat(forEver.expiresAtMs()).isEqualTo(MessageView.NEVER);
        assertThat(Sent.received(forEver).timeToLiveMs()).isEqualTo(MessageView.NEVER);
        assertThat(Sent.fields(forEver)).containsEntry(PropertyField.ABSOLUTE_EXPIRY_TIME, NEVER);
    }

    @Test
    @DisplayName("SCHED-7: a copy that an action schedules has the scheduled time and is available immediately")
    void schedulingACopyDoesNotDelayIt() {
        MessageView copy = copy("SET sys.ScheduledEnqueueTimeUtc = '2123-11-14T22:13:20Z'", Sent.of("m"));
        long then = Instant.parse("2123-11-14T22:13:20Z").toEpochMilli();
        assertThat(copy.scheduledEnqueueTimeMs()).isEqualTo(then);
        assertThat(Sent.received(copy).scheduledEnqueueTimeMs()).isEqualTo(then);
    }

    @Test
    @DisplayName("RULE-13, DLQ-17: without a session id a copy goes to the dead-letter queue of a session subscription")
    void sessionIdOfACopy() {
        SubscriptionDescription sessions =
                SubscriptionDescription.of("t", "s").requiresSession(true).build();
        Subscription s = f.subscribe(
                sessions,
                rule("none", "1=1", "SET sys.SessionId = NULL"),
                rule("new", "1=1", "SET sys.SessionId = 'n'"));
        f.send(Sent.of("m").with(PropertyField.GROUP_ID, "old").message());
        assertThat(s.state().counts().active()).isEqualTo(1);
        assertThat(s.rows.messages(Lane.MAIN).firstEntry().getValue().sessionId())
                .isEqualTo("n");
        MessageView dead = f.drain(s, SubQueue.DEAD_LETTER).get(0);
        assertThat(Sent.properties(dead))
                .containsEntry("DeadLetterReason", "Session id is null.")
                .containsEntry("RuleName", "none");
        assertThat(Sent.fields(dead)).doesNotContainKey(PropertyField.GROUP_ID);
    }

    @Test
    @DisplayName("Copies share the body unless an action changes more than user properties")
    void sharesContent() {
        IncomingMessage message =
                Sent.of("m").with("a", 1).with(PropertyField.SUBJECT, "l").message();
        for (String action :
                List.of("SET a = 2; SET b = 3", "REMOVE c", "SET sys.TimeToLive = '00:01:00'", "SET sys.Label = 'l'")) {
            assertThat(match(message, action).changed().get(0).message().content())
                    .as(action)
                    .isSameAs(message.content());
        }
        for (String action : List.of("REMOVE a", "SET sys.Label = 'm'", "SET sys.ForcePersistence = 'true'")) {
            assertThat(match(message, action).changed().get(0).message().content())
                    .as(action)
                    .isNotSameAs(message.content());
        }
    }

    @Test
    @DisplayName("DLQ-14: a property that an action replaces counts towards the header once")
    void replacedPropertyCountsOnce() {
        IncomingMessage message = Sent.of("m").with("a", "x".repeat(30_000)).message();
        ChangedCopy copy = match(message, "SET a = 'y'").changed().get(0);
        assertThat(copy.message().headerSizeBytes()).isLessThan(1_000);
        assertThat(copy.message().content()).isSameAs(message.content());
    }

    @Test
    @DisplayName("RULE-10, FILTER-24: an invalid change by an action is a failure of the rule with a description")
    void refusesWhatMayNotBe() {
        Sent sent = Sent.of("m").with("long", "x".repeat(129)).with("half", "x".repeat(16_383));
        for (String id : List.of("MessageId", "SessionId", "PartitionKey")) {
            assertThat(failure("SET sys." + id + " = long", sent))
                    .isEqualTo(new Failure(
                            "RuleActionException",
                            "Expected a " + id + " of at most 128 characters, but the action sets one of 129."));
        }
        assertThat(failure("SET sys.ContentType = 'täxt'", sent).description())
                .isEqualTo("Expected ASCII for sys.ContentType, but got other characters.");
        assertThat(failure("SET p = half + half + 'x'", sent).description())
                .isEqualTo("Expected application properties of at most 32768 bytes each, but the action sets one of"
                        + " 32775.");
        assertThat(failure("SET p = 1/0", sent).reason()).isEqualTo("RuleActionException");
    }

    @Test
    @DisplayName("DLQ-25: a failing rule does not affect the other rules, and the first failure is reported")
    void otherRulesCount() {
        Subscription s = f.subscribe(
                "s",
                rule("plain", "a=1"),
                rule("fails", "1=1", "SET x = 1/0"),
                rule("fails too", "a='1'"),
                rule("works", "1=1", "SET x = 1"));
        List<Match> matches = f.matcher.matches(Sent.of("m").with("a", 1).message(), 1, f.nowMs);
        assertThat(matches).hasSize(1);
        assertThat(matches.get(0).subscriber()).isSameAs(s.subscriber);
        assertThat(matches.get(0).plain()).isTrue();
        assertThat(matches.get(0).changed())
                .extracting(copy -> copy.propertyOverrides().keySet())
                .containsExactly(Set.of("RuleName", "x"));
        assertThat(matches.get(0).failure().reason()).isEqualTo("RuleActionException");
    }

    @Test
    @DisplayName("A rule that this version cannot compile fails for every message and affects nothing else")
    void unknownLanguage() {
        Subscription filter = f.subscribe("filter", rule("r", "a ~ b"));
        Subscription action = f.subscribe("action", rule("r", "a=1", "FROB a"), rule("p", "1=1"));
        for (int round = 0; round < 2; round++) {
            f.send(Sent.of("m").with("a", 1).message());
        }
        assertThat(f.drain(action, SubQueue.MAIN)).hasSize(2);
        List<MessageView> dead = f.drain(filter, SubQueue.DEAD_LETTER);
        assertThat(dead).hasSize(2);
        assertThat((String) Sent.properties(dead.get(0)).get("DeadLetterErrorDescription"))
                .startsWith("Expected a rule that this version of Jitney supports. ");
        f.matcher.removeRule(filter.subscriber.entityId(), "R");
        f.matcher.removeRule(action.subscriber.entityId(), "R");
        assertThat(f.matcher.matches(Sent.of("m").message(), 3, f.nowMs)).hasSize(1);
    }

    @Test
    @DisplayName("FILTER-6: filters see the number, times and size that the broker sets")
    void brokerValues() {
        MessageView copy = copy(
                "SET n = sys.SequenceNumber; SET e = sys.EnqueuedTimeUtc; SET x = sys.ExpiresAtUtc;"
                        + " SET d = sys.DeliveryCount; SET id = newid()",
                Sent.of("m").livingMs(1_000));
        assertThat(Sent.properties(copy))
                .containsEntry("n", 1L)
                .containsEntry("e", Instant.ofEpochMilli(START_MS))
                .containsEntry("x", Instant.ofEpochMilli(START_MS + 1_000))
                .containsEntry("d", 0)
                .containsEntry("id", new UUID(0x4000, 1));
    }
}
