package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.MessageCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A base class with the common steps of forwarding tests. */
abstract class ForwardTest {
    static final String HOPS = "MaxTransferHopCountExceeded";
    static final String HOPS_TEXT =
            "The maximum number of allowed hops when forwarding between queues. Value is set to 4.";

    /** The size of a large message in bytes. Eleven of them exceed a small queue. */
    static final int LARGE = 100 * 1024;

    Sdk sdk;

    abstract TestBroker broker();

    @BeforeEach
    void connect() {
        sdk = broker().sdk();
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }

    /** Creates a queue that forwards to another entity. */
    String queueTo(String destination) {
        return broker().queue(q -> q.forwardTo(destination));
    }

    /** Creates queues that each forward to the next one. */
    List<String> chain(int length) {
        List<String> chain = new ArrayList<>(List.of(broker().queue()));
        while (chain.size() < length) {
            chain.add(0, queueTo(chain.get(0)));
        }
        return chain;
    }

    String smallQueue() {
        return broker().queue(q -> q.maxSizeInMegabytes(1));
    }

    /** Returns a large message with a common key, because a fragment has the limit of the whole queue (QUOTA-4). */
    static ServiceBusMessage large(String id) {
        return inOrder(new ServiceBusMessage(new byte[LARGE])).setMessageId(id);
    }

    /** Fills a queue of one megabyte and returns the number of accepted messages. */
    int fill(String queue) {
        ServiceBusSenderClient sender = sdk.sender(queue);
        for (int i = 0; i < 20; i++) {
            try {
                sender.sendMessage(large("filler"));
            } catch (ServiceBusException full) {
                assertThat(full.getReason()).isEqualTo(ServiceBusFailureReason.QUOTA_EXCEEDED);
                return i;
            }
        }
        throw new AssertionError(
                "Expected a queue of one megabyte to be full after 20 messages of 100 KB, but it is not.");
    }

    /** Waits until an entity has this number of active messages. */
    void arrived(String entity, int count) {
        Await.until(
                count + " messages in " + entity,
                () -> assertThat(counts(entity).active()).isEqualTo(count) != null);
    }

    /** Waits until an entity has only messages that it could not forward, and this number of them. */
    void stranded(String entity, int count) {
        Await.until(count + " messages that could not be forwarded by " + entity, () -> {
            assertThat(counts(entity).transferDeadLetter()).isEqualTo(count);
            assertThat(counts(entity).total()).isEqualTo(count);
            return true;
        });
    }

    /** Waits until an entity is empty. An entity in another store is notified later that its messages have arrived. */
    void empty(String entity) {
        Await.until("no messages in " + entity, () -> counts(entity).total() == 0);
    }

    MessageCounts counts(String entity) {
        return broker().counts(entity);
    }

    ServiceBusReceiverClient transferDeadLetters(String queue) {
        return sdk.receiver(queue, r -> r.subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE));
    }

    ServiceBusReceiverClient transferDeadLetters(Subscription subscription) {
        return sdk.receiver(subscription, r -> r.subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE));
    }

    /** Receives and completes messages and returns their ids. */
    List<String> take(String queue, int count) {
        return take(sdk.receiver(queue), count);
    }

    /**
     * Receives messages one by one. A receive of several messages ends when none arrives within a second. The SDK then
     * releases messages that arrive later for its credit, so that the next ones overtake them.
     */
    List<String> take(ServiceBusReceiverClient receiver, int count) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < count) {
            ServiceBusReceivedMessage message = Sdk.next(receiver);
            receiver.complete(message);
            ids.add(message.getMessageId());
        }
        return ids;
    }

    /**
     * Checks that receivers are rejected, with an asynchronous client, because the synchronous one hides the reason.
     * The SDK reports {@code amqp:not-allowed} as an unsupported operation.
     */
    static void assertRefusesReceivers(ServiceBusReceiverAsyncClient receiver) {
        try (receiver) {
            assertThatThrownBy(() -> receiver.receiveMessages().blockFirst(Duration.ofSeconds(30)))
                    .isInstanceOf(ServiceBusException.class)
                    .hasMessageContaining("auto-forwarding enabled")
                    .hasCauseInstanceOf(UnsupportedOperationException.class);
        }
    }
}
