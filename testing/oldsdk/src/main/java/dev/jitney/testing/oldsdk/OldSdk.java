package dev.jitney.testing.oldsdk;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the old SDK with one connection, through a WebSocket on port 443, because this SDK has no option for
 * another AMQP port.
 */
final class OldSdk {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORTLY = Duration.ofMillis(500);

    private final String connectionString;
    private final ServiceBusClientBuilder builder;
    private final ServiceBusAdministrationClient admin;

    OldSdk(String connectionString) {
        this.connectionString = connectionString;
        builder = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                .retryOptions(new AmqpRetryOptions().setMaxRetries(1).setTryTimeout(PATIENCE));
        admin = new ServiceBusAdministrationClientBuilder()
                .connectionString(connectionString)
                .buildClient();
    }

    /** Returns clients with a new connection. */
    OldSdk reconnected() {
        return new OldSdk(connectionString);
    }

    ServiceBusAdministrationClient admin() {
        return admin;
    }

    static String name() {
        return "old-" + UUID.randomUUID();
    }

    /** Creates a queue with a unique name. */
    String queue() {
        return queue(options -> options);
    }

    String queue(UnaryOperator<CreateQueueOptions> options) {
        return admin.createQueue(name(), options.apply(new CreateQueueOptions()))
                .getName();
    }

    ServiceBusSenderClient sender(String queue) {
        return builder.sender().queueName(queue).buildClient();
    }

    ServiceBusSenderClient topicSender(String topic) {
        return builder.sender().topicName(topic).buildClient();
    }

    ServiceBusReceiverClient receiver(String queue) {
        return unrenewed(builder.receiver().queueName(queue)).buildClient();
    }

    ServiceBusReceiverClient deletingReceiver(String queue) {
        return unrenewed(builder.receiver().queueName(queue))
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient();
    }

    ServiceBusReceiverClient deadLetterReceiver(String queue) {
        return unrenewed(builder.receiver().queueName(queue))
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient();
    }

    ServiceBusReceiverClient receiver(String topic, String subscription) {
        return unrenewed(builder.receiver().topicName(topic).subscriptionName(subscription))
                .buildClient();
    }

    private static ServiceBusReceiverClientBuilder unrenewed(ServiceBusReceiverClientBuilder receiver) {
        return receiver.disableAutoComplete().maxAutoLockRenewDuration(Duration.ZERO);
    }

    ServiceBusSessionReceiverClient sessionReceiver(String queue) {
        return builder.sessionReceiver()
                .queueName(queue)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient();
    }

    /** Sends texts one by one. */
    void send(String queue, String... texts) {
        ServiceBusSenderClient sender = sender(queue);
        for (String text : texts) {
            sender.sendMessage(new ServiceBusMessage(text));
        }
    }

    /** Receives the next message, which must arrive. */
    static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
        for (ServiceBusReceivedMessage message : receiver.receiveMessages(1, PATIENCE)) {
            return message;
        }
        throw new AssertionError("Expected a message in " + receiver.getEntityPath() + ", but got none.");
    }

    static void assertNone(ServiceBusReceiverClient receiver) {
        same(List.of(), texts(receiver.receiveMessages(1, SHORTLY)), "the messages");
    }

    static List<String> texts(Iterable<ServiceBusReceivedMessage> messages) {
        List<String> texts = new ArrayList<>();
        messages.forEach(message -> texts.add(message.getBody().toString()));
        return texts;
    }

    static void same(@Nullable Object expected, @Nullable Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("Expected " + what + " to be " + expected + ", but got " + actual + ".");
        }
    }

    static void that(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("Expected " + what + ", but got something else.");
        }
    }

    /** Checks that a call fails with this text in its message. */
    static void fails(String text, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            if (!String.valueOf(e.getMessage()).contains(text)) {
                throw new AssertionError("Expected a failure with '" + text + "', but got another one.", e);
            }
            return;
        }
        throw new AssertionError("Expected a failure with '" + text + "', but the call succeeded.");
    }
}
