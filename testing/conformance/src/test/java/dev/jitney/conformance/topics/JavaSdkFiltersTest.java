package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.PartitionedRun.KEY;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of filters and actions. */
class JavaSdkFiltersTest extends SdkTest {
    private Topics topics;
    private String topic;

    @BeforeEach
    void createTopic() {
        topics = broker.topics();
        topic = topics.create();
    }

    private static ServiceBusMessage message(String id, Object... keysAndValues) {
        ServiceBusMessage message = inOrder(id).setMessageId(id);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            message.getApplicationProperties().put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return message;
    }

    private void assertGot(Subscription subscription, String... ids) {
        assertThat(broker.counts(subscription.path()).active()).isEqualTo(ids.length);
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
        for (String id : ids) {
            assertThat(next(receiver).getMessageId()).isEqualTo(id);
        }
    }

    @Test
    @DisplayName("FILTER-1: SQL, true, false and correlation filters side by side")
    void kinds() {
        Subscription sql = topics.subscribe(topic, "amount > 10 AND region IN ('eu', 'us') AND note LIKE 'a%'");
        Subscription everything = topics.subscribeToNothing(topic);
        sdk.ruleManager(everything).createRule("all", new CreateRuleOptions(new TrueRuleFilter()));
        Subscription nothing = topics.subscribeToNothing(topic);
        sdk.ruleManager(nothing).createRule("none", new CreateRuleOptions(new FalseRuleFilter()));
        Subscription correlated = topics.subscribeToNothing(topic);
        sdk.ruleManager(correlated)
                .createRule("label", new CreateRuleOptions(new CorrelationRuleFilter().setLabel("order")));
        sdk.publish(topic, message("1", "amount", 11, "region", "eu", "note", "abc"));
        sdk.publish(
                topic,
                message("2", "amount", 10L, "region", "us", "note", "abc").setSubject("order"));
        sdk.publish(topic, message("3", "amount", 10.5, "region", "us", "note", "a"));
        sdk.publish(topic, message("4", "amount", 99, "region", "us"));
        assertGot(sql, "1", "3");
        assertGot(everything, "1", "2", "3", "4");
        assertGot(nothing);
        assertGot(correlated, "2");
    }

    @Test
    @DisplayName("FILTER-6: system properties are read under the names of the reference")
    void systemProperties() {
        Subscription everything = topics.subscribe(topic);
        sdk.publish(topic, "other");
        long other = next(sdk.deletingReceiver(everything)).getSequenceNumber();
        Subscription subscription = topics.subscribe(
                topic,
                "sys.Label = 'l' AND sys.MessageId LIKE 'm-%' AND sys.CorrelationId = 'c' AND sys.To = 't'"
                        + " AND sys.ReplyTo = 'r' AND sys.ContentType = 'ct' AND sys.SessionId = '" + KEY + "'"
                        + " AND sys.ReplyToSessionId = 'rs' AND sys.PartitionKey = '" + KEY + "'"
                        + " AND sys.SequenceNumber = " + (other + 1) + " AND sys.Size > 0 AND sys.DeliveryCount = 0");
        sdk.publish(
                topic,
                message("m-1")
                        .setSubject("l")
                        .setCorrelationId("c")
                        .setTo("t")
                        .setReplyTo("r")
                        .setContentType("ct")
                        .setSessionId(KEY)
                        .setPartitionKey(KEY)
                        .setReplyToSessionId("rs"));
        assertGot(subscription, "m-1");
    }

    @Test
    @DisplayName("FILTER-26, FILTER-27: all conditions of a correlation filter must be equal, with their types")
    void correlation() {
        UUID guid = UUID.randomUUID();
        Subscription two = topics.subscribeToNothing(topic);
        CorrelationRuleFilter both = new CorrelationRuleFilter().setLabel("x");
        both.getProperties().put("n", 1);
        sdk.ruleManager(two).createRule("both", new CreateRuleOptions(both));
        Subscription typed = topics.subscribeToNothing(topic);
        CorrelationRuleFilter types = new CorrelationRuleFilter();
        types.getProperties().put("guid", guid);
        types.getProperties().put("d", 1.5);
        types.getProperties().put("b", true);
        sdk.ruleManager(typed).createRule("types", new CreateRuleOptions(types));
        sdk.publish(topic, message("both", "n", 1).setSubject("x"));
        sdk.publish(topic, message("long", "n", 1L).setSubject("x"));
        sdk.publish(topic, message("label only").setSubject("x"));
        sdk.publish(topic, message("property only", "n", 1));
        sdk.publish(topic, message("text", "n", "1").setSubject("x"));
        sdk.publish(topic, message("case", "n", 1).setSubject("X"));
        sdk.publish(topic, message("types", "guid", guid, "d", 1.5, "b", true));
        sdk.publish(topic, message("guid as text", "guid", guid.toString(), "d", 1.5, "b", true));
        assertGot(two, "both", "long");
        assertGot(typed, "types");
    }

    @Test
    @DisplayName("RULE-4: several matching rules without action give one copy")
    void oneCopyForPlainRules() {
        Subscription subscription = topics.subscribe(topic, "a = 1");
        ServiceBusRuleManagerClient rules = sdk.ruleManager(subscription);
        rules.createRule("2", new CreateRuleOptions(new TrueRuleFilter()));
        CorrelationRuleFilter correlation = new CorrelationRuleFilter();
        correlation.getProperties().put("a", 1);
        rules.createRule("3", new CreateRuleOptions(correlation));
        sdk.publish(topic, message("m", "a", 1));
        assertGot(subscription, "m");
    }

    @Test
    @DisplayName("SCN-7, RULE-5, RULE-6: two rules with actions and three plain ones give three copies")
    void copyPerAction() {
        Subscription subscription = topics.subscribeToNothing(topic);
        topics.addRule(subscription, Topics.sql("r1", "a=1", "SET x = 1"));
        topics.addRule(subscription, Topics.sql("r2", "a=1", "SET x = 2"));
        for (String plain : List.of("p1", "p2", "p3")) {
            topics.addRule(subscription, Topics.sql(plain, "a=1", null));
        }
        Subscription other = topics.subscribe(topic);
        sdk.publish(topic, message("m", "a", 1));
        Map<Object, Object> copies = new LinkedHashMap<>();
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
        assertThat(broker.counts(subscription.path()).active()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            ServiceBusReceivedMessage copy = next(receiver);
            assertThat(copy.getMessageId()).isEqualTo("m");
            assertThat(copy.getBody().toString()).isEqualTo("m");
            copies.put(
                    copy.getApplicationProperties().getOrDefault("RuleName", "none"),
                    copy.getApplicationProperties().getOrDefault("x", "none"));
        }
        assertThat(copies).hasSize(3).containsKeys("r1", "r2", "none").containsEntry("none", "none");
        assertThat(((Number) copies.get("r1")).longValue()).isEqualTo(1);
        assertThat(((Number) copies.get("r2")).longValue()).isEqualTo(2);
        assertThat(next(sdk.receiver(other)).getApplicationProperties()).isEqualTo(Map.of("a", 1));
        assertThat(broker.counts(topic).sizeBytes()).as("one remaining body").isPositive();
    }

    @Test
    @DisplayName("RULE-7 to RULE-10: actions set and remove user and system properties, in order, and convert")
    void actions() {
        Subscription subscription = topics.subscribeToNothing(topic);
        topics.addRule(
                subscription,
                Topics.sql(
                        "act",
                        "1=1",
                        "SET a = 5; SET b = a + 1; SET text = 7; REMOVE gone; REMOVE never; SET sys.Label = 'l' + s;"
                                + " SET sys.CorrelationId = 'c'; SET sys.To = 't'; SET [new] = NULL;"
                                + " SET sys.ContentType = 'ct'; SET sys.ReplyTo = 'r'"));
        sdk.publish(
                topic,
                message("m", "a", 1, "text", "x", "gone", true, "s", "Abc").setSubject("old"));
        ServiceBusReceivedMessage copy = next(sdk.receiver(subscription));
        assertThat(copy.getSubject()).isEqualTo("lAbc");
        assertThat(copy.getCorrelationId()).isEqualTo("c");
        assertThat(copy.getTo()).isEqualTo("t");
        assertThat(copy.getContentType()).isEqualTo("ct");
        assertThat(copy.getReplyTo()).isEqualTo("r");
        assertThat(copy.getApplicationProperties())
                .containsEntry("a", 5)
                .containsEntry("text", "7")
                .containsEntry("RuleName", "act")
                .containsEntry("new", null)
                .doesNotContainKeys("gone", "never");
        assertThat(((Number) copy.getApplicationProperties().get("b")).longValue())
                .isEqualTo(6);
        assertThat(copy.getBody().toString()).isEqualTo("m");
    }

    // Failures

    @Test
    @DisplayName(
            "SCN-8, DLQ-25: a failed filter dead-letters with type and text; other subscriptions get their copies, the sender gets no error")
    void failingFilter() {
        Subscription failing = topics.subscribe(topic, "a + 1 = 2");
        Subscription silent = topics.subscribe(
                topic, s -> s.deadLetteringOnFilterEvaluationExceptions(false), Topics.sql("f", "a + 1 = 2", null));
        Subscription other = topics.subscribe(topic);
        sdk.publish(topic, message("m", "a", "1"));
        assertGot(other, "m");
        assertThat(broker.counts(failing.path()).active()).isZero();
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(failing));
        assertThat(dead.getDeadLetterReason()).isEqualTo("FilterException");
        assertThat(dead.getDeadLetterErrorDescription()).contains("string");
        assertThat(dead.getApplicationProperties()).containsEntry("a", "1");
        assertThat(dead.getDeliveryCount()).as("T-26").isZero();
        assertThat(broker.counts(silent.path()).total()).isZero();
        sdk.publish(topic, message("n", "a", 1));
        assertGot(failing, "n");
        assertGot(silent, "n");
    }

    @Test
    @DisplayName("DLQ-15: a / b = 1 with b = 0")
    void divisionByZero() {
        Subscription subscription = topics.subscribe(topic, "a / b = 1");
        sdk.publish(topic, message("m", "a", 1, "b", 0));
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(subscription));
        assertThat(dead.getDeadLetterReason()).isEqualTo("FilterException");
        assertThat(dead.getDeadLetterErrorDescription()).containsIgnoringCase("zero");
    }

    @Test
    @DisplayName("RULE-10: an action that fails discards its copy, which is dead-lettered")
    void failingAction() {
        Subscription subscription = topics.subscribeToNothing(topic);
        topics.addRule(subscription, Topics.sql("act", "1=1", "SET a = 1 / b"));
        sdk.publish(topic, message("m", "b", 0));
        assertThat(broker.counts(subscription.path()).active()).isZero();
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(subscription));
        assertThat(dead.getDeadLetterReason()).isEqualTo("RuleActionException");
        assertThat(dead.getBody().toString()).isEqualTo("m");
    }

    @Test
    @DisplayName("DLQ-14: an action that makes the header too large sends the copy to the dead-letter queue")
    void headerTooLarge() {
        Subscription subscription = topics.subscribeToNothing(topic);
        topics.addRule(subscription, Topics.sql("grow", "1=1", "SET added = '" + "x".repeat(900) + "'"));
        Subscription other = topics.subscribe(topic);
        sdk.publish(topic, message("m", "p1", "x".repeat(32_000), "p2", "x".repeat(32_000), "p3", "x".repeat(1_000)));
        assertGot(other, "m");
        assertThat(broker.counts(subscription.path()).active()).isZero();
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(subscription));
        assertThat(dead.getDeadLetterReason()).isEqualTo("HeaderSizeExceeded");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("The size quota for this stream has been exceeded.");
    }

    @Test
    @DisplayName("DLQ-17, RULE-13: without a session id the copy of a session subscription is dead-lettered")
    void missingSessionId() {
        Subscription withSessions = topics.subscribe(topic, s -> s.requiresSession(true));
        Subscription losing = topics.subscribe(
                topic, s -> s.requiresSession(true), Topics.sql("lose", "1=1", "SET sys.SessionId = NULL"));
        Subscription other = topics.subscribe(topic);
        sdk.publish(topic, message("without"));
        sdk.publish(topic, message("with").setSessionId(KEY));
        assertGot(other, "without", "with");
        assertThat(broker.counts(withSessions.path()).active()).isEqualTo(1);
        assertThat(broker.counts(losing.path()).deadLetter()).isEqualTo(2);
        for (Subscription subscription : List.of(withSessions, losing)) {
            ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(subscription));
            assertThat(dead.getMessageId()).isEqualTo("without");
            assertThat(dead.getDeadLetterReason()).isEqualTo("Session id is null.");
            assertThat(dead.getDeadLetterErrorDescription())
                    .isEqualTo("Session enabled entity doesn't allow a message whose session identifier is null.");
        }
    }

    @Test
    @DisplayName(
            "FILTER-24, FILTER-25: with filtering before publishing the sender gets errors for failures and for no match")
    void filteringBeforePublishing() {
        String strict = topics.create(t -> t.enableFilteringMessagesBeforePublishing(true));
        assertThatThrownBy(() -> sdk.publish(strict, "nobody"))
                .hasMessageContaining("com.microsoft:no-matching-subscription");
        Subscription subscription = topics.subscribe(strict, "a = 1");
        Subscription bystander = topics.subscribe(strict, "a = '1'");
        broker.delete(bystander.path());
        assertThatThrownBy(() -> sdk.publish(strict, message("other", "a", 2)))
                .hasMessageContaining("com.microsoft:no-matching-subscription");
        sdk.publish(strict, message("wanted", "a", 1));
        assertGot(subscription, "wanted");
        Subscription picky = topics.subscribe(strict, "a = '1'");
        assertThatThrownBy(() -> sdk.publish(strict, message("failing", "a", 1)))
                .hasMessageContaining("FilterException");
        assertThat(broker.counts(subscription.path()).total())
                .as("messages after a failure")
                .isZero();
        assertThat(broker.counts(picky.path()).total()).isZero();
    }

    @Test
    @DisplayName("FILTER-25: without filtering before publishing the same sends succeed")
    void notFilteringBeforePublishing() {
        topics.subscribe(topic, "a = '1'");
        sdk.publish(topic, message("failing", "a", 1));
        sdk.publish(topic, message("unmatched", "b", 1));
        assertThat(broker.counts(topic).active()).isZero();
    }

    @Test
    @DisplayName("RULE-6, TTL-3: a changed copy keeps the time to live of the message")
    void changedCopyKeepsItsLife() {
        Subscription subscription = topics.subscribeToNothing(topic);
        topics.addRule(subscription, Topics.sql("label", "1=1", "SET sys.Label = 'x'"));
        sdk.publish(topic, message("m").setTimeToLive(Duration.ofSeconds(10)));
        ServiceBusReceivedMessage copy = next(sdk.receiver(subscription));
        assertThat(copy.getTimeToLive()).isEqualTo(Duration.ofSeconds(10));
        assertThat(copy.getExpiresAt().toInstant()).isEqualTo(broker.now().plusSeconds(10));
    }
}
