package dev.jitney.samples;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import java.time.Duration;
import java.util.List;

/** Publishes to the topic "drinks" and receives from its subscriptions "all", "large" and "tea", which have different rules. */
public final class PublishSubscribe {

    private PublishSubscribe() {}

    public static void main(String[] args) {
        String connectionString = System.getenv()
                .getOrDefault(
                        "SERVICEBUS_CONNECTION_STRING",
                        "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey;"
                                + "SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;");
        run(connectionString);
    }

    /** Runs the sample against the topic "drinks", which samples/config.json declares. */
    public static void run(String connectionString) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(connectionString);
        try (ServiceBusSenderClient sender =
                        builder.sender().topicName("drinks").buildClient();
                ServiceBusRuleManagerClient rules = builder.ruleManager()
                        .topicName("drinks")
                        .subscriptionName("tea")
                        .buildClient()) {

            // The subscription "tea" has a rule that accepts tea. A second rule accepts cocoa too.
            rules.createRule("cocoa", new CreateRuleOptions(new SqlRuleFilter("sys.Label = 'cocoa'")));

            // Rules filter on the properties of a message, not on its body.
            for (String kind : List.of("coffee", "tea", "cocoa")) {
                ServiceBusMessage drink = new ServiceBusMessage("some " + kind).setSubject(kind);
                drink.getApplicationProperties().put("cups", kind.equals("tea") ? 4 : 1);
                sender.sendMessage(drink);
            }

            // Receive from a subscription like from a queue.
            receive(builder, "all", 3);
            receive(builder, "tea", 2);

            // The rule of "large" accepts three cups or more, and its action adds a property to the copy.
            receive(builder, "large", 1);

            rules.deleteRule("cocoa");
        }
    }

    private static void receive(ServiceBusClientBuilder builder, String subscription, int count) {
        try (ServiceBusReceiverClient receiver = builder.receiver()
                .topicName("drinks")
                .subscriptionName(subscription)
                .disableAutoComplete()
                .buildClient()) {
            for (int i = 0; i < count; i++) {
                ServiceBusReceivedMessage drink = receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                        .findFirst()
                        .orElseThrow();
                Object priority = drink.getApplicationProperties().getOrDefault("priority", "normal");
                System.out.println("In " + subscription + ": " + drink.getBody() + ", priority " + priority);
                receiver.complete(drink);
            }
        }
    }
}
