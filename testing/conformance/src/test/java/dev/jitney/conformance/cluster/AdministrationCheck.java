package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.administration.models.AccessRights;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SharedAccessAuthorizationRule;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import java.util.List;

/** An administration client, and the entities, rules and access rules that it created. */
final class AdministrationCheck extends FailoverCheck {
    private static final String SUBSCRIPTION = "red-ones";

    private final String queue = entity + "-queue";

    AdministrationCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-23, CL-30: an administration client continues, and entities, rules and access rules are there";
    }

    @Override
    void before() {
        administration.createTopic(entity);
        administration.createSubscription(entity, SUBSCRIPTION);
        administration.deleteRule(entity, SUBSCRIPTION, "$Default");
        administration.createRule(
                entity, "red", SUBSCRIPTION, new CreateRuleOptions(new SqlRuleFilter("color = 'red'")));
        CreateQueueOptions options = new CreateQueueOptions().setMaxDeliveryCount(7);
        options.getAuthorizationRules()
                .add(new SharedAccessAuthorizationRule(
                        "reader", "first key", "second key", List.of(AccessRights.LISTEN)));
        administration.createQueue(queue, options);
    }

    @Override
    void after() {
        administration.createQueue(queue + "-next");
        assertThat(administration.listQueues().stream().map(QueueProperties::getName))
                .contains(queue, queue + "-next");
        administration.deleteQueue(queue + "-next");
        assertThat(administration.getQueueExists(queue + "-next")).isFalse();

        QueueProperties properties = administration.getQueue(queue);
        assertThat(properties.getMaxDeliveryCount()).isEqualTo(7);
        assertThat(properties.getAuthorizationRules()).singleElement().satisfies(rule -> {
            assertThat(rule.getKeyName()).isEqualTo("reader");
            assertThat(rule.getPrimaryKey()).isEqualTo("first key");
            assertThat(rule.getAccessRights()).containsExactly(AccessRights.LISTEN);
        });
        assertThat(administration.getRule(entity, SUBSCRIPTION, "red").getFilter())
                .isInstanceOfSatisfying(
                        SqlRuleFilter.class,
                        filter -> assertThat(filter.getSqlExpression()).isEqualTo("color = 'red'"));
        for (String color : List.of("blue", "red")) {
            ServiceBusMessage message = message(color);
            message.getApplicationProperties().put("color", color);
            sdk.publish(entity, message);
        }
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(new Subscription(entity, SUBSCRIPTION));
        assertThat(Sdk.next(receiver).getMessageId()).isEqualTo("red");
        assertThat(Sdk.none(receiver)).isEmpty();
    }
}
