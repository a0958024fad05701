package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the golden cases of the reference, semantics chapter 15, through the SDK. Each rule is created over AMQP,
 * and the golden message is sent to its topic.
 */
class JavaSdkGoldenCasesTest extends SdkTest {

    /** T: match; F and U: no match; E: evaluation error; X: rejected at creation. Row by row from left to right. */
    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            FILTER-5  | A = 1                           | T
            FILTER-19 | s = 'abc'                       | F
            FILTER-7  | m = 1                           | U
            FILTER-8  | NOT (m = 1)                     | U
            FILTER-9  | m IS NULL                       | T
            FILTER-9  | n IS NULL                       | T
            FILTER-9  | EXISTS(n)                       | T
            FILTER-9  | EXISTS(m)                       | F
            FILTER-8  | m = 1 OR a = 1                  | T
            FILTER-8  | NOT (m = 1 AND a = 2)           | T
            FILTER-11 | a IN (1, 2)                     | T
            FILTER-11 | m NOT IN (1, 2)                 | U
            FILTER-12 | s LIKE '_b%'                    | T
            FILTER-12 | s LIKE 'Ab'                     | F
            FILTER-12 | m LIKE 'A%'                     | U
            FILTER-12 | a LIKE '1'                      | E
            FILTER-15 | a + d = 3.5                     | T
            FILTER-16 | a / 2 = 0                       | T
            FILTER-16 | a / 0 = 1                       | E
            FILTER-18 | a = '1'                         | E
            FILTER-17 | s + 'd' = 'Abcd'                | T
            FILTER-14 | a = 1.0                         | T
            FILTER-6  | sys.Label = 'x'                 | F
            FILTER-6  | sys.Label IS NULL               | T
            FILTER-21 | p('a') = 1                      | T
            FILTER-5  | [a] = 1 AND "a" = 1             | T
            FILTER-10 | n > 1                           | F
            FILTER-10 | n = NULL                        | T
            FILTER-13 | a = 9223372036854775808         | X
            FILTER-6  | sys.Nope = 1                    | X
            FILTER-2  | begin = 1                       | X
            FILTER-2  | [begin] IS NULL                 | T
            FILTER-3  | b                               | T
            FILTER-3  | a                               | E
            FILTER-21 | foo(1) = 1                      | X
            FILTER-21 | property('m') = 1               | U
            """)
    void givesWhatTheReferenceSays(String id, String filter, String expected) {
        Topics topics = broker.topics();
        String topic = topics.create();
        Subscription subscription = topics.subscribeToNothing(topic);
        Subscription other = topics.subscribe(topic);
        ServiceBusRuleManagerClient rules = sdk.ruleManager(subscription);
        if (expected.equals("X")) {
            assertThatThrownBy(() -> rules.createRule("golden", new CreateRuleOptions(new SqlRuleFilter(filter))))
                    .hasMessageContaining("TrackingId");
            assertThat(rules.listRules().stream().toList()).isEmpty();
            return;
        }
        rules.createRule("golden", new CreateRuleOptions(new SqlRuleFilter(filter)));
        sdk.publish(topic, golden());

        assertThat(broker.counts(other.path()).active())
                .as("copies in the other subscription")
                .isEqualTo(1);
        assertThat(broker.counts(subscription.path()).active()).as("copies").isEqualTo(expected.equals("T") ? 1 : 0);
        assertThat(broker.counts(subscription.path()).deadLetter())
                .as("failures")
                .isEqualTo(expected.equals("E") ? 1 : 0);
        switch (expected) {
            case "T" -> assertGolden(next(sdk.receiver(subscription)));
            case "E" -> {
                ServiceBusReceiverClient dead = sdk.deadLetterReceiver(subscription);
                ServiceBusReceivedMessage failed = next(dead);
                assertGolden(failed);
                assertThat(failed.getDeadLetterReason()).isEqualTo("FilterException");
                assertThat(failed.getDeadLetterErrorDescription()).isNotEmpty();
            }
            default -> assertThat(sdk.receiver(subscription).peekMessage()).isNull();
        }
    }

    private static ServiceBusMessage golden() {
        ServiceBusMessage message = new ServiceBusMessage("golden").setMessageId("golden");
        message.getApplicationProperties().put("a", 1);
        message.getApplicationProperties().put("d", 2.5);
        message.getApplicationProperties().put("s", "Abc");
        message.getApplicationProperties().put("b", true);
        message.getApplicationProperties().put("n", null);
        return message;
    }

    private static void assertGolden(ServiceBusReceivedMessage message) {
        assertThat(message.getBody().toString()).isEqualTo("golden");
        assertThat(message.getApplicationProperties())
                .containsEntry("a", 1)
                .containsEntry("d", 2.5)
                .containsEntry("s", "Abc")
                .containsEntry("b", true)
                .containsEntry("n", null)
                .doesNotContainKey("RuleName");
    }
}
