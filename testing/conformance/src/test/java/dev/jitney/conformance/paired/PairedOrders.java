package dev.jitney.conformance.paired;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import java.time.Duration;

/** The code of docs/guides/paired-namespaces.md, which ReadmeTest compares with the page. */
final class PairedOrders {
    private final String primaryConnectionString;
    private final String secondaryConnectionString;
    private final int httpPort;

    PairedOrders(String primaryConnectionString, String secondaryConnectionString, int httpPort) {
        this.primaryConnectionString = primaryConnectionString;
        this.secondaryConnectionString = secondaryConnectionString;
        this.httpPort = httpPort;
    }

    /** Two namespaces on port 443. */
    void connectAndSend() {
        MessagingFactory primary = MessagingFactory.create(primaryConnectionString);
        MessagingFactory secondary = MessagingFactory.create(secondaryConnectionString);
        sendPaired(primary, secondary);
    }

    /** Brokers of one's own. */
    void connectElsewhereAndSend() {
        MessagingFactory primary = MessagingFactory.builder()
                .connectionString(primaryConnectionString)
                .namespaceName("berlin")
                .retryOptions(new AmqpRetryOptions().setMaxRetries(1).setTryTimeout(Duration.ofSeconds(10)))
                .stateListener(change -> System.out.println(change.path() + " is " + change.to()))
                .build();
        MessagingFactory secondary = MessagingFactory.builder()
                .connectionString(secondaryConnectionString)
                .administrationEndpoint("http://localhost:" + httpPort)
                .build();
        sendPaired(primary, secondary);
    }

    private static void sendPaired(MessagingFactory primary, MessagingFactory secondary) {
        primary.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(secondary)
                .enableSyphon(true)
                .build());
        System.out.println("Backlog queues: " + primary.backlogQueueCount());

        MessageSender orders = primary.createMessageSender("orders");
        orders.send(new ServiceBusMessage("one coffee"));

        close(primary, secondary);
    }

    private static void close(MessagingFactory primary, MessagingFactory secondary) {
        primary.close();
        secondary.close();
    }

    /** A program that does nothing else. */
    static Syphon bringHome(MessagingFactory primary, MessagingFactory secondary) {
        Syphon syphon = Syphon.start(
                primary,
                SendAvailabilityPairedNamespaceOptions.builder(secondary).build());
        System.out.println(syphon.figures());
        return syphon;
    }
}
