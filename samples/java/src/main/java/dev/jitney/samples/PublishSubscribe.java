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

/** Publishes to the topic "drinks" and receives from its subscriptions "all", "large" and "tea", each by its rules. */
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

    /** Does all of it against the topic "drinks" of that server, as samples/config.json declares it. */
    public static void run(String connectionString) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(connectionString);
        try (ServiceBusSenderClient sender =
                        builder.sender().topicName("drinks").buildClient();
                ServiceBusRuleManagerClient rules = builder.ruleManager()
                        .topicName("drinks")
                        .subscriptionName("tea")
                        .buildClient()) {

            // The subscription "tea" has a rule that takes tea. From now on it takes cocoa too.
            rules.createRule("cocoa", new CreateRuleOptions(new SqlRuleFilter("sys.Label = 'cocoa'")));

            // Rules see properties of a message, never its body.
            for (String kind : List.of("coffee", "tea", "cocoa")) {
                ServiceBusMessage drink = new ServiceBusMessage("some " + kind).setSubject(kind);
                drink.getApplicationProperties().put("cups", kind.equals("tea") ? 4 : 1);
                sender.sendMessage(drink);
            }

            // A subscription is received from as a queue is.
            receive(builder, "all", 3);
            receive(builder, "tea", 2);

            // The rule of this one takes three cups and more, and its action adds a property to the copy.
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
