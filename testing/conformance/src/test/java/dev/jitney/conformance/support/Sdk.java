package dev.jitney.conformance.support;

import com.azure.core.util.IterableStream;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Clients of the official Java SDK that share a connection and are closed together, in reverse order. */
public final class Sdk implements AutoCloseable {
    /** The time to wait for messages that must not arrive. */
    public static final Duration SHORTLY = Duration.ofMillis(300);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServiceBusClientBuilder builder;
    private final Deque<AutoCloseable> clients = new ArrayDeque<>();

    public Sdk(ServiceBusClientBuilder builder) {
        this.builder = builder;
    }

    public ServiceBusClientBuilder builder() {
        return builder;
    }

    /** Closes the client together with the others. */
    public <T extends AutoCloseable> T keep(T client) {
        clients.push(client);
        return client;
    }

    public ServiceBusSenderClient sender(String queue) {
        return keep(builder.sender().queueName(queue).buildClient());
    }

    /** Sends one message with that text as its body and its id. */
    public void send(String queue, String text) {
        try (ServiceBusSenderClient sender = builder.sender().queueName(queue).buildClient()) {
            sender.sendMessage(PartitionedRun.inOrder(new ServiceBusMessage(text).setMessageId(text)));
        }
    }

    public void send(String queue, ServiceBusMessage message) {
        try (ServiceBusSenderClient sender = builder.sender().queueName(queue).buildClient()) {
            sender.sendMessage(message);
        }
    }

    /** Returns a receiver in peek-lock mode without automatic renewals. */
    public ServiceBusReceiverClient receiver(String queue) {
        return receiver(queue, b -> b);
    }

    public ServiceBusReceiverClient deletingReceiver(String queue) {
        return receiver(queue, b -> b.receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE));
    }

    public ServiceBusReceiverClient deadLetterReceiver(String queue) {
        return receiver(queue, b -> b.subQueue(SubQueue.DEAD_LETTER_QUEUE));
    }

    public ServiceBusReceiverClient receiver(String queue, UnaryOperator<ServiceBusReceiverClientBuilder> options) {
        return keep(options.apply(builder.receiver()
                        .queueName(queue)
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .disableAutoComplete())
                .buildClient());
    }

    public ServiceBusSenderClient topicSender(String topic) {
        return keep(builder.sender().topicName(topic).buildClient());
    }

    /** Sends one message with that text as its body and its id. */
    public void publish(String topic, String text) {
        publish(topic, PartitionedRun.inOrder(new ServiceBusMessage(text).setMessageId(text)));
    }

    public void publish(String topic, ServiceBusMessage message) {
        try (ServiceBusSenderClient sender = builder.sender().topicName(topic).buildClient()) {
            sender.sendMessage(message);
        }
    }

    /** Returns a receiver in peek-lock mode without automatic renewals. */
    public ServiceBusReceiverClient receiver(Subscription subscription) {
        return receiver(subscription, b -> b);
    }

    public ServiceBusReceiverClient deletingReceiver(Subscription subscription) {
        return receiver(subscription, b -> b.receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE));
    }

    public ServiceBusReceiverClient deadLetterReceiver(Subscription subscription) {
        return receiver(subscription, b -> b.subQueue(SubQueue.DEAD_LETTER_QUEUE));
    }

    public ServiceBusReceiverClient receiver(
            Subscription subscription, UnaryOperator<ServiceBusReceiverClientBuilder> options) {
        return keep(options.apply(builder.receiver()
                        .topicName(subscription.topic())
                        .subscriptionName(subscription.name())
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .disableAutoComplete())
                .buildClient());
    }

    public ServiceBusRuleManagerClient ruleManager(Subscription subscription) {
        return keep(builder.ruleManager()
                .topicName(subscription.topic())
                .subscriptionName(subscription.name())
                .buildClient());
    }

    /** Receives the next message, which must arrive. */
    public static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
        IterableStream<ServiceBusReceivedMessage> messages = receiver.receiveMessages(1, PATIENCE);
        return messages.stream()
                .findFirst()
                .orElseThrow(() ->
                        new AssertionError("Expected a message in " + receiver.getEntityPath() + ", but got none."));
    }

    /** Receives for a short time and returns the messages, of which there should be none. */
    public static List<ServiceBusReceivedMessage> none(ServiceBusReceiverClient receiver) {
        return receiver.receiveMessages(1, SHORTLY).stream().toList();
    }

    /** Checks that the SDK reports exactly that reason. */
    public static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
            ServiceBusFailureReason reason, ThrowingCallable call) {
        return Assertions.assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ServiceBusException.class,
                        e -> Assertions.assertThat(e.getReason())
                                .as(e.toString())
                                .isEqualTo(reason));
    }

    @Override
    public void close() throws Exception {
        while (!clients.isEmpty()) {
            clients.pop().close();
        }
    }
}
