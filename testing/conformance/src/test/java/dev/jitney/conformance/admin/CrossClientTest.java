package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.jitney.conformance.js.Node;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Tests with the track 1 client, and with rules in the subscription {@code shared-rules/s}: each client writes rules
 * and the others read them (HTTP checklist 50).
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrossClientTest extends AdminTest {

    @Test
    @Order(1)
    @DisplayName("HTTP checklist 50: the Java client writes rules")
    void javaWrites() {
        admin.createTopic("shared-rules");
        admin.createSubscription("shared-rules", "s");
        SqlRuleFilter sql = new SqlRuleFilter("colour = @c");
        sql.getParameters().put("@c", "red");
        SqlRuleAction action = new SqlRuleAction("SET n = @n");
        action.getParameters().put("@n", 5);
        admin.createRule("shared-rules", "java-sql", "s", new CreateRuleOptions(sql).setAction(action));
        CorrelationRuleFilter correlation = new CorrelationRuleFilter("c-1").setLabel("invoice");
        correlation.getProperties().put("text", "red");
        admin.createRule("shared-rules", "java-correlation", "s", new CreateRuleOptions(correlation));
        admin.createRule("shared-rules", "java-false", "s", new CreateRuleOptions(new FalseRuleFilter()));
    }

    @Test
    @Order(2)
    @DisplayName("HTTP checklist 50: the JavaScript client reads these rules and writes other rules")
    void javaScriptReadsAndWrites() {
        node("shared-rules-write.test.mjs");
    }

    @TestFactory
    @Order(3)
    @DisplayName("The management client of track 1")
    Stream<DynamicTest> track1() throws Exception {
        admin.createQueue("track1-counted");
        Messages.sendScheduleAndDeadLetter(broker, "track1-counted");
        List<DynamicTest> tests = Track1.tests(broker).toList();
        assertThat(tests).hasSizeGreaterThan(15);
        return tests.stream();
    }

    @Test
    @Order(4)
    @DisplayName("HTTP checklist 50: the Java client reads the rules of the others")
    void javaReads() {
        Map<String, RuleProperties> rules = admin.listRules("shared-rules", "s").stream()
                .collect(Collectors.toMap(RuleProperties::getName, Function.identity()));
        assertThat(rules.keySet())
                .contains("js-sql", "js-correlation", "track1-plain", "track1-correlation", "track1-false", "$Default");
        SqlRuleFilter sql = (SqlRuleFilter) rules.get("js-sql").getFilter();
        assertThat(sql.getSqlExpression()).isEqualTo("colour = @c");
        assertThat(sql.getParameters()).containsEntry("@c", "red");
        CorrelationRuleFilter correlation =
                (CorrelationRuleFilter) rules.get("js-correlation").getFilter();
        assertThat(correlation.getLabel()).isEqualTo("invoice");
        assertThat(correlation.getProperties()).containsEntry("number", "7").containsEntry("flag", "true");
        assertThat(((SqlRuleFilter) rules.get("track1-plain").getFilter()).getSqlExpression())
                .isEqualTo("colour = 'red'");
        assertThat(((SqlRuleAction) rules.get("track1-plain").getAction()).getSqlExpression())
                .isEqualTo("SET n = 5");
        assertThat(((CorrelationRuleFilter) rules.get("track1-correlation").getFilter()).getCorrelationId())
                .isEqualTo("c-1");
        assertThat(rules.get("track1-false").getFilter()).isInstanceOf(FalseRuleFilter.class);
    }

    @Test
    @Order(5)
    @DisplayName("HTTP checklist 50: the JavaScript client reads the rules of the others")
    void javaScriptReads() {
        node("shared-rules-read.test.mjs");
    }

    private static void node(String file) {
        Node.Result result = Node.in("js")
                .run(
                        Map.of(
                                "SERVICEBUS_ADMIN_CONNECTION_STRING", broker.adminConnectionString(),
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "admin/shared/" + file);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
