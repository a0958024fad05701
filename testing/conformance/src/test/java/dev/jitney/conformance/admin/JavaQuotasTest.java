package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.HttpResponseException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.jitney.conformance.support.TestBroker;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of quotas that are lowered by settings (QUOTA-12), with the Java administration client. */
class JavaQuotasTest {
    private static final int ENTITIES = 4;

    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps(b -> b.limits(Map.of(
            "maxEntities", (long) ENTITIES, "maxSubscriptions", 2L, "maxSqlFilters", 3L, "maxCorrelationFilters", 1L)));

    private static ServiceBusAdministrationClient admin;

    @BeforeAll
    static void connect() {
        admin = AdminClients.of(broker);
    }

    @Test
    @DisplayName("QUOTA-7: one queue or topic too many is refused with 403 until another is deleted")
    void entities() {
        for (int i = 0; i < ENTITIES; i++) {
            if (i % 2 == 0) {
                admin.createQueue("q" + i);
            } else {
                admin.createTopic("q" + i);
            }
        }
        assertFails(HttpResponseException.class, 403, "SubCode=40300.", () -> admin.createQueue("q4"));
        assertFails(HttpResponseException.class, 403, "SubCode=40300.", () -> admin.createTopic("q4"));
        assertThat(admin.getQueueExists("q4")).isFalse();
        admin.updateQueue(admin.getQueue("q0").setUserMetadata("updates are no creation"));
        for (int i = 0; i < ENTITIES; i++) {
            if (i % 2 == 0) {
                admin.deleteQueue("q" + i);
            } else {
                admin.deleteTopic("q" + i);
            }
        }
        admin.createQueue("q4");
        admin.deleteQueue("q4");
    }

    @Test
    @DisplayName("QUOTA-9, HTTP 5.4: subscriptions and filters of a topic, each with its sub-code")
    void subscriptionsAndFilters() {
        admin.createTopic("t");
        admin.createSubscription("t", "a");
        admin.createSubscription("t", "b");
        assertFails(HttpResponseException.class, 403, "SubCode=40503.", () -> admin.createSubscription("t", "c"));
        // The two default rules count as SQL filters.
        admin.createRule("t", "sql", "a", new CreateRuleOptions(new SqlRuleFilter("n = 1")));
        assertFails(
                HttpResponseException.class,
                403,
                "SubCode=40501.",
                () -> admin.createRule("t", "sql2", "b", new CreateRuleOptions(new SqlRuleFilter("n = 1"))));
        admin.createRule("t", "correlation", "a", new CreateRuleOptions(new CorrelationRuleFilter("c")));
        assertFails(
                HttpResponseException.class,
                403,
                "SubCode=40502.",
                () -> admin.createRule("t", "c2", "b", new CreateRuleOptions(new CorrelationRuleFilter("c"))));
        admin.deleteTopic("t");
    }
}
