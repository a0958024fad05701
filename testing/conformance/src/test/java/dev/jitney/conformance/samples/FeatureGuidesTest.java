package dev.jitney.conformance.samples;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.samples.ManageQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that run the code of the guides to sessions, transactions and forwarding. */
class FeatureGuidesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    private final List<String> handled = new CopyOnWriteArrayList<>();

    @BeforeEach
    void startEmpty() {
        for (String queue : List.of("orders", "invoices", "graveyard")) {
            if (broker.has(queue)) {
                broker.delete(queue);
            }
        }
    }

    @Test
    @DisplayName("The guide to sessions accepts the next session and completes its messages")
    void sessions() {
        broker.queue("orders", q -> q.requiresSession(true));
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(broker.connectionString());
        ServiceBusSenderClient sender = builder.sender().queueName("orders").buildClient();
        sender.sendMessage(new ServiceBusMessage("order placed").setSessionId("customer-17"));

        ServiceBusSessionReceiverClient acceptor =
                builder.sessionReceiver().queueName("orders").buildClient();
        ServiceBusReceiverClient session = acceptor.acceptNextSession(); // or acceptSession("customer-17")
        for (ServiceBusReceivedMessage message : session.receiveMessages(10)) {
            handled.add(message.getBody().toString());
            session.complete(message);
        }
        assertThat(handled).containsExactly("order placed");
        session.close();
        acceptor.close();
        sender.close();
    }

    @Test
    @DisplayName("The guide's processor of sessions handles a message")
    void sessionProcessor() {
        broker.queue("orders", q -> q.requiresSession(true));
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(broker.connectionString());
        try (ServiceBusSenderClient sender =
                builder.sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("order placed").setSessionId("customer-17"));
        }
        ServiceBusProcessorClient processor = builder.sessionProcessor()
                .queueName("orders")
                .maxConcurrentSessions(16)
                .processMessage(context -> handle(context.getMessage()))
                .processError(context -> log(context.getException()))
                .buildProcessorClient();
        processor.start();
        try {
            Await.until("the message to be handled", Duration.ofMinutes(1), () -> handled.contains("order placed"));
        } finally {
            processor.close();
        }
    }

    private void handle(ServiceBusReceivedMessage message) {
        handled.add(message.getBody().toString());
    }

    private void log(Throwable e) {
        handled.add(e.toString());
    }

    @Test
    @DisplayName("The guide to transactions completes one message and sends another one atomically")
    void transactions() {
        broker.queue("orders", q -> q);
        String text = broker.connectionString();
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(text);
        try (ServiceBusSenderClient sender =
                builder.sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("first step"));
        }
        ServiceBusReceiverClient orders = builder.receiver().queueName("orders").buildClient();
        ServiceBusSenderClient again = builder.sender().queueName("orders").buildClient();

        ServiceBusReceivedMessage order =
                orders.receiveMessages(1).stream().findFirst().orElseThrow();
        ServiceBusTransactionContext transaction = orders.createTransaction();
        again.sendMessage(new ServiceBusMessage("next step"), transaction);
        orders.complete(order, new CompleteOptions().setTransactionContext(transaction));
        orders.commitTransaction(transaction); // or rollbackTransaction
        assertThat(next(orders).getBody().toString()).isEqualTo("next step");
        orders.close();
        again.close();
    }

    @Test
    @DisplayName("The guide's builder for transactions of several entities creates working clients")
    void crossEntityTransactions() {
        broker.queue("orders", q -> q);
        String text = broker.connectionString();
        ServiceBusClientBuilder builder =
                new ServiceBusClientBuilder().connectionString(text).enableCrossEntityTransactions();
        try (ServiceBusSenderClient sender =
                builder.sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("one coffee"));
        }
        assertThat(broker.counts("orders").active()).isEqualTo(1);
    }

    @Test
    @DisplayName("The guide to forwarding sets destinations, and reads messages that could not be forwarded")
    void forwarding() {
        ServiceBusAdministrationClient admin = ManageQueues.overPlainHttp(broker.connectionString(), broker.httpPort());
        admin.createTopic("orders");
        admin.createQueue("graveyard");
        admin.createQueue("invoices", new CreateQueueOptions().setForwardDeadLetteredMessagesTo("graveyard"));
        admin.createSubscription("orders", "billing", new CreateSubscriptionOptions().setForwardTo("invoices"));
        assertThat(admin.getSubscription("orders", "billing").getForwardTo()).contains("invoices");

        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(broker.connectionString());
        ServiceBusReceiverClient stranded = builder.receiver()
                .queueName("invoices")
                .subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE)
                .buildClient();
        assertThat(stranded.peekMessage()).isNull();
        stranded.close();
        admin.deleteTopic("orders");
    }

    @Test
    @DisplayName("The JavaScript of the guides to sessions and forwarding")
    void javaScript() {
        broker.queue("orders", q -> q.requiresSession(true));
        broker.queue("invoices", q -> q);
        Node.Result result =
                Node.in("js").run(Map.of("SERVICEBUS_CONNECTION_STRING", broker.connectionString()), "guides.mjs");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("Received: order placed", "Stranded: 0");
    }
}
