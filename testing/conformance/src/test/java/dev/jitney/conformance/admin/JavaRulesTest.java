package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.assertFails;
import static dev.jitney.conformance.admin.AdminClients.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.EmptyRuleAction;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaRulesTest extends AdminTest {
    private String topic = "";

    @BeforeEach
    void createSubscription() {
        topic = admin.createTopic(TestBroker.name("topic")).getName();
        admin.createSubscription(topic, "s");
    }

    /** Creates a rule. With options, this client expects the rule's name before the subscription's name. */
    private RuleProperties create(String name, CreateRuleOptions options) {
        RuleProperties created = admin.createRule(topic, name, "s", options);
        RuleProperties read = admin.getRule(topic, "s", name);
        assertThat(read).usingRecursiveComparison().isEqualTo(created);
        return read;
    }

    @Test
    @DisplayName("HTTP 2.7: a rule created without options selects all messages and has no action")
    void defaults() {
        admin.createRule(topic, "s", "r");
        RuleProperties rule = admin.getRule(topic, "s", "r");
        assertThat(rule.getName()).isEqualTo("r");
        assertThat(rule.getFilter()).isInstanceOf(TrueRuleFilter.class);
        assertThat(rule.getAction()).isInstanceOf(EmptyRuleAction.class);
        assertThat(admin.getRule(topic, "s", "$Default").getFilter()).isInstanceOf(TrueRuleFilter.class);
    }

    @Test
    @DisplayName("HTTP 2.7: an SQL filter and an SQL action keep their texts and parameters")
    void sql() {
        SqlRuleFilter filter = new SqlRuleFilter("colour = @c AND \"count\" > 5 OR sys.Label LIKE '%<&>%'");
        filter.getParameters().put("@c", "red");
        SqlRuleAction action = new SqlRuleAction("SET quantity = @q; REMOVE colour");
        action.getParameters().put("@q", 5);
        RuleProperties rule = create("sql", new CreateRuleOptions(filter).setAction(action));
        assertThat(rule.getFilter()).isInstanceOfSatisfying(SqlRuleFilter.class, f -> {
            assertThat(f.getSqlExpression()).isEqualTo("colour = @c AND \"count\" > 5 OR sys.Label LIKE '%<&>%'");
            assertThat(f.getParameters()).containsEntry("@c", "red").hasSize(1);
        });
        assertThat(rule.getAction()).isInstanceOfSatisfying(SqlRuleAction.class, a -> {
            assertThat(a.getSqlExpression()).isEqualTo("SET quantity = @q; REMOVE colour");
            assertThat(a.getParameters()).containsEntry("@q", "5"); // this client sends every value as a string
        });
    }

    @Test
    @DisplayName("HTTP 2.7: a correlation filter keeps its conditions and its properties")
    void correlation() {
        CorrelationRuleFilter filter = new CorrelationRuleFilter("c-1")
                .setMessageId("m")
                .setTo("to")
                .setReplyTo("reply")
                .setLabel("label")
                .setSessionId("session")
                .setReplyToSessionId("reply-session")
                .setContentType("text/plain");
        filter.getProperties().put("text", "red");
        filter.getProperties().put("number", 5);
        filter.getProperties().put("flag", true);
        filter.getProperties().put("time", Duration.ofDays(1));
        RuleProperties rule = create("correlation", new CreateRuleOptions(filter));
        assertThat(rule.getFilter()).isInstanceOfSatisfying(CorrelationRuleFilter.class, f -> {
            assertThat(f.getCorrelationId()).isEqualTo("c-1");
            assertThat(f.getMessageId()).isEqualTo("m");
            assertThat(f.getTo()).isEqualTo("to");
            assertThat(f.getReplyTo()).isEqualTo("reply");
            assertThat(f.getLabel()).isEqualTo("label");
            assertThat(f.getSessionId()).isEqualTo("session");
            assertThat(f.getReplyToSessionId()).isEqualTo("reply-session");
            assertThat(f.getContentType()).isEqualTo("text/plain");
            assertThat(f.getProperties())
                    .containsEntry("text", "red")
                    .containsEntry("number", "5")
                    .containsEntry("flag", "true")
                    .containsEntry("time", "PT24H")
                    .hasSize(4);
        });
    }

    @Test
    @DisplayName("HTTP 2.7: filters that select all messages or none")
    void trueAndFalse() {
        assertThat(create("true", new CreateRuleOptions(new TrueRuleFilter())).getFilter())
                .isInstanceOf(TrueRuleFilter.class);
        assertThat(create("false", new CreateRuleOptions(new FalseRuleFilter())).getFilter())
                .isInstanceOf(FalseRuleFilter.class);
    }

    @Test
    @DisplayName("HTTP checklist 48: an update may turn an SQL filter into a correlation filter")
    void update() {
        create("r", new CreateRuleOptions(new SqlRuleFilter("a = 1")).setAction(new SqlRuleAction("SET a = 2")));
        RuleProperties rule = admin.getRule(topic, "s", "r")
                .setFilter(new CorrelationRuleFilter("c"))
                .setAction(new EmptyRuleAction());
        for (RuleProperties now : List.of(admin.updateRule(topic, "s", rule), admin.getRule(topic, "s", "r"))) {
            assertThat(now.getFilter())
                    .isInstanceOfSatisfying(
                            CorrelationRuleFilter.class,
                            f -> assertThat(f.getCorrelationId()).isEqualTo("c"));
            assertThat(now.getAction()).isInstanceOf(EmptyRuleAction.class);
        }
    }

    @Test
    @DisplayName("ENT-3, HTTP 2.10: errors of rules")
    void errors() {
        RuleProperties rule = admin.createRule(topic, "s", "r");
        assertFails(
                ResourceExistsException.class, 409, "The messaging entity '", () -> admin.createRule(topic, "s", "r"));
        admin.deleteRule(topic, "s", "r");
        assertFails(ResourceNotFoundException.class, 404, "", () -> admin.getRule(topic, "s", "r"));
        assertFails(
                ResourceNotFoundException.class, 404, "No service is hosted", () -> admin.deleteRule(topic, "s", "r"));
        assertFails(ResourceNotFoundException.class, 404, "Entity '", () -> admin.updateRule(topic, "s", rule));
        assertFails(ResourceNotFoundException.class, 404, "", () -> admin.createRule(topic, "missing", "r"));
        assertFails(
                ResourceNotFoundException.class,
                404,
                "",
                () -> admin.listRules(topic, "missing").stream().toList());
    }

    @Test
    @DisplayName("HTTP checklist 51: an expression too long, a syntax error, a correlation filter without conditions")
    void refused() {
        assertRefused(
                "",
                () -> admin.createRule(
                        topic,
                        "long",
                        "s",
                        new CreateRuleOptions(new SqlRuleFilter("a = '" + "x".repeat(1019) + "'"))));
        assertRefused(
                "SubCode=40000.",
                () -> admin.createRule(
                        topic, "syntax", "s", new CreateRuleOptions(new SqlRuleFilter("colour = = 'red'"))));
        assertRefused(
                "SubCode=40000.",
                () -> admin.createRule(
                        topic,
                        "syntax",
                        "s",
                        new CreateRuleOptions(new TrueRuleFilter()).setAction(new SqlRuleAction("SET = 2"))));
        assertRefused(
                "", () -> admin.createRule(topic, "empty", "s", new CreateRuleOptions(new CorrelationRuleFilter())));
        assertThat(admin.listRules(topic, "s").stream().map(RuleProperties::getName))
                .containsExactly("$Default");
    }

    @Test
    @DisplayName("HTTP 2.2: the last rule of a subscription may be deleted")
    void deleteLastRule() {
        admin.deleteRule(topic, "s", "$Default");
        assertThat(admin.listRules(topic, "s")).isEmpty();
    }
}
