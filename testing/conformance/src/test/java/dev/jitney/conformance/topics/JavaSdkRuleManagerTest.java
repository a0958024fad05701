package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import dev.jitney.model.EntityStatus;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of rules over AMQP with the SDK's rule manager (checklist 62). */
class JavaSdkRuleManagerTest extends SdkTest {
    private Topics topics;
    private String topic;
    private Subscription subscription;
    private ServiceBusRuleManagerClient rules;

    @BeforeEach
    void openRuleManager() {
        topics = broker.topics();
        topic = topics.create();
        subscription = topics.subscribe(topic);
        rules = sdk.ruleManager(subscription);
    }

    private List<RuleProperties> list() {
        return rules.listRules().stream().toList();
    }

    private RuleProperties find(String name) {
        return list().stream()
                .filter(rule -> rule.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Expected rule " + name + " in " + list()));
    }

    @Test
    @DisplayName("RULE-1: a new subscription has $Default with a true filter and no action")
    void defaultRule() {
        List<RuleProperties> found = list();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).getName()).isEqualTo("$Default");
        assertThat(found.get(0).getFilter()).isInstanceOf(TrueRuleFilter.class);
        assertThat(found.get(0).getAction())
                .as("an empty action, as this SDK reads it")
                .isNull();
    }

    @Test
    @DisplayName("FILTER-1: a filter of every kind and an action are returned unchanged")
    void everyKind() {
        CorrelationRuleFilter correlation = new CorrelationRuleFilter()
                .setCorrelationId("c")
                .setMessageId("m")
                .setTo("t")
                .setReplyTo("r")
                .setLabel("l")
                .setSessionId("s")
                .setReplyToSessionId("rs")
                .setContentType("ct");
        Map<String, Object> properties = Map.of(
                "int",
                1,
                "long",
                2L,
                "double",
                2.5,
                "text",
                "x",
                "truth",
                true,
                "uuid",
                new UUID(1, 2),
                "date",
                new Date(1_700_000_000_000L));
        correlation.getProperties().putAll(properties);
        rules.createRule("correlation", new CreateRuleOptions(correlation));
        rules.createRule("true", new CreateRuleOptions(new TrueRuleFilter()));
        rules.createRule("false", new CreateRuleOptions(new FalseRuleFilter()));
        rules.createRule(
                "sql",
                new CreateRuleOptions(new SqlRuleFilter("color = 'red'"))
                        .setAction(new SqlRuleAction("SET quantity = quantity / 2")));
        assertThat(find("true").getFilter()).isInstanceOf(TrueRuleFilter.class);
        assertThat(find("false").getFilter()).isInstanceOf(FalseRuleFilter.class);
        RuleProperties sql = find("sql");
        assertThat(((SqlRuleFilter) sql.getFilter()).getSqlExpression()).isEqualTo("color = 'red'");
        assertThat(((SqlRuleAction) sql.getAction()).getSqlExpression()).isEqualTo("SET quantity = quantity / 2");
        CorrelationRuleFilter listed =
                (CorrelationRuleFilter) find("correlation").getFilter();
        assertThat(listed.getCorrelationId()).isEqualTo("c");
        assertThat(listed.getMessageId()).isEqualTo("m");
        assertThat(listed.getTo()).isEqualTo("t");
        assertThat(listed.getReplyTo()).isEqualTo("r");
        assertThat(listed.getLabel()).isEqualTo("l");
        assertThat(listed.getSessionId()).isEqualTo("s");
        assertThat(listed.getReplyToSessionId()).isEqualTo("rs");
        assertThat(listed.getContentType()).isEqualTo("ct");
        assertThat(listed.getProperties().keySet()).isEqualTo(properties.keySet());
        // This SDK shows the values as text. The raw client tests that their types are kept.
        properties.forEach(
                (name, value) -> assertThat(listed.getProperties().get(name)).hasToString(value.toString()));
    }

    @Test
    @DisplayName("Wire 62: all of 250 rules are listed, by their names")
    void manyRules() {
        IntStream.range(0, 249)
                .forEach(i -> topics.addRule(subscription, Topics.sql("rule-%03d".formatted(i), "a = " + i, null)));
        assertThat(list())
                .extracting(RuleProperties::getName)
                .hasSize(250)
                .doesNotHaveDuplicates()
                .startsWith("$Default", "rule-000", "rule-001");
    }

    @Test
    @DisplayName("RULE-2: a name that exists in any case is refused, a missing one is not found")
    void duplicatesAndMissing() {
        rules.createRule("Red", new CreateRuleOptions(new SqlRuleFilter("color = 'red'")));
        assertFails(
                ServiceBusFailureReason.MESSAGING_ENTITY_ALREADY_EXISTS,
                () -> rules.createRule("rED", new CreateRuleOptions(new TrueRuleFilter())));
        rules.deleteRule("RED");
        assertFails(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, () -> rules.deleteRule("Red"));
        assertThat(list()).extracting(RuleProperties::getName).containsExactly("$Default");
    }

    @Test
    @DisplayName("RULE-3, RULE-11: without rules no message arrives; a rule applies from its creation on")
    void rulesDecideFromNowOn() {
        sdk.publish(topic, "before");
        rules.deleteRule("$Default");
        assertThat(list()).isEmpty();
        sdk.publish(topic, "between");
        rules.createRule("label", new CreateRuleOptions(new CorrelationRuleFilter().setLabel("x")));
        sdk.publish(topic, inOrder("no").setMessageId("no").setSubject("y"));
        sdk.publish(topic, inOrder("after").setMessageId("after").setSubject("x"));
        var receiver = sdk.deletingReceiver(subscription);
        assertThat(next(receiver).getMessageId()).isEqualTo("before");
        assertThat(next(receiver).getMessageId()).isEqualTo("after");
        assertThat(broker.counts(subscription.path()).total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = ",
                "= 1",
                "a == 1",
                "a = 1 AND",
                "(a = 1",
                "a = 1)",
                "a LIKE",
                "a IN ()",
                "a IN 1",
                "NOT",
                "a = 'x",
                "a = [x",
                "sys.Nope = 1",
                "foo(1) = 1",
                "begin = 1",
                "a = 9223372036854775808",
                "a = @p",
                "a IS",
                "EXISTS(1)",
                "a # b"
            })
    @DisplayName("FILTER-2: malformed filters are refused at creation, with a place in the text")
    void malformedFilters(String filter) {
        assertThatThrownBy(() -> rules.createRule("bad", new CreateRuleOptions(new SqlRuleFilter(filter))))
                .hasMessageContaining("TrackingId");
        assertThat(list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET",
                "SET a",
                "REMOVE sys.Label",
                "SET sys.SequenceNumber = 1",
                "SET sys.Nope = 1",
                "DELETE a",
                "SET a = foo(1)"
            })
    @DisplayName("RULE-8, RULE-9: malformed actions are refused at creation")
    void malformedActions(String action) {
        assertThatThrownBy(() -> rules.createRule(
                        "bad", new CreateRuleOptions(new TrueRuleFilter()).setAction(new SqlRuleAction(action))))
                .hasMessageContaining("TrackingId");
        assertThat(list()).hasSize(1);
    }

    @Test
    @DisplayName("FILTER-23, FILTER-26: limits of texts, and a correlation filter that compares nothing")
    void limits() {
        rules.createRule("longest", new CreateRuleOptions(new SqlRuleFilter("a='" + "x".repeat(1_020) + "'")));
        assertThatThrownBy(() -> rules.createRule(
                        "longer", new CreateRuleOptions(new SqlRuleFilter("a='" + "x".repeat(1_021) + "'"))))
                .hasMessageContaining("1024");
        assertThatThrownBy(() -> rules.createRule("empty", new CreateRuleOptions(new CorrelationRuleFilter())))
                .hasMessageContaining("condition");
        assertThatThrownBy(() -> rules.createRule("x".repeat(51), new CreateRuleOptions(new TrueRuleFilter())));
        assertThat(list()).hasSize(2);
    }

    @Test
    @DisplayName("SUSP-3: rules of a disabled subscription can be managed")
    void disabledSubscription() {
        topics.update(subscription, s -> s.status(EntityStatus.DISABLED));
        rules.createRule("r", new CreateRuleOptions(new TrueRuleFilter()));
        assertThat(list()).hasSize(2);
        rules.deleteRule("r");
    }

    @Test
    @DisplayName("ENT-3: a missing subscription is not found")
    void missingSubscription() {
        ServiceBusRuleManagerClient none = sdk.ruleManager(new Subscription(topic, "none"));
        assertThatThrownBy(() -> none.listRules().stream().toList()).hasMessageContaining("could not be found");
    }
}
