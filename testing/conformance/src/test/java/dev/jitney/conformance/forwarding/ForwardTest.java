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

/** What tests of forwarding do again and again. */
abstract class ForwardTest {
    static final String HOPS = "MaxTransferHopCountExceeded";
    static final String HOPS_TEXT =
            "The maximum number of allowed hops when forwarding between queues. Value is set to 4.";

    /** Bytes of a message of which eleven are too many for a small queue. */
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

    /** A queue that forwards to another entity. */
    String queueTo(String destination) {
        return broker().queue(q -> q.forwardTo(destination));
    }

    /** So many queues, each of which forwards to the next. */
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

    /** Of one key, as a fragment has the limit of the whole (QUOTA-4). */
    static ServiceBusMessage large(String id) {
        return inOrder(new ServiceBusMessage(new byte[LARGE])).setMessageId(id);
    }

    /** Fills a queue of one megabyte and tells how many messages it took. */
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
        throw new AssertionError("Expected one megabyte to be full after 20 messages of 100 KB.");
    }

    /** Waits until an entity has so many active messages. */
    void arrived(String entity, int count) {
        Await.until(
                count + " messages in " + entity,
                () -> assertThat(counts(entity).active()).isEqualTo(count) != null);
    }

    /** Waits until so many messages of an entity could not go on, and nothing else of it is left. */
    void stranded(String entity, int count) {
        Await.until(count + " messages that could not leave " + entity, () -> {
            assertThat(counts(entity).transferDeadLetter()).isEqualTo(count);
            assertThat(counts(entity).total()).isEqualTo(count);
            return true;
        });
    }

    /** Waits until nothing is left in an entity: one of another store hears later that its messages have arrived. */
    void empty(String entity) {
        Await.until("nothing in " + entity, () -> counts(entity).total() == 0);
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

    /** Ids of what comes, completed. */
    List<String> take(String queue, int count) {
        return take(sdk.receiver(queue), count);
    }

    /**
     * One by one: a receive of many ends when none has come for a second, and what comes after it for its credit the SDK
     * gives back, so that later messages overtake it.
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
     * Asked through an asynchronous client, because the synchronous one hides what ended it. What the SDK makes of
     * {@code amqp:not-allowed} is an operation that is not supported.
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
