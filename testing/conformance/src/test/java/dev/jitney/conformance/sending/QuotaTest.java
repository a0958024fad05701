package dev.jitney.conformance.sending;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of quotas, with queues of one megabyte. */
class QuotaTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig": {"Namespaces": [{"Name": "small", "Limits": {"maxQueueSizeInMegabytes": 4}}]}}
            """);

    /** The number of fragments that share the size (PART-18, PART-20); a queue of one megabyte is not divided. */
    private static final int SHARES = PartitionedRun.PREMIUM ? 2 : 1;

    private Sdk sdk;

    @BeforeEach
    void connect() {
        sdk = broker.sdk();
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }

    private static String smallQueue() {
        return broker.queue(q -> q.maxSizeInMegabytes(1));
    }

    /** Returns a large message with a common key, because a fragment has the limit of the whole queue (QUOTA-4). */
    private static ServiceBusMessage large() {
        return inOrder(new ServiceBusMessage(new byte[100 * 1024]));
    }

    /** Fills a queue and returns the number of accepted messages. */
    private static int fill(ServiceBusSenderClient sender) {
        for (int i = 0; i < 20; i++) {
            try {
                sender.sendMessage(large());
            } catch (ServiceBusException full) {
                assertThat(full.getReason()).isEqualTo(ServiceBusFailureReason.QUOTA_EXCEEDED);
                return i;
            }
        }
        throw new AssertionError(
                "Expected a queue of one megabyte to be full after 20 messages of 100 KB, but it is not.");
    }

    @Test
    @DisplayName("QUOTA-3: a full queue rejects sends, delivers messages, and accepts new ones once there is space")
    void fullQueue() {
        String queue = smallQueue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        int taken = fill(sender);
        assertThat(taken).isBetween(10, 11);
        assertFails(ServiceBusFailureReason.QUOTA_EXCEEDED, () -> sender.sendMessage(large()));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.complete(next(receiver));
        sender.sendMessage(large());
        assertThat(broker.counts(queue).active()).isEqualTo(taken);
    }

    @Test
    @DisplayName("DLQ-37: dead-letter messages count towards the size")
    void fullDeadLetterQueue() {
        String queue = smallQueue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        int taken = fill(sender);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < taken; i++) {
            receiver.deadLetter(next(receiver));
        }
        assertFails(ServiceBusFailureReason.QUOTA_EXCEEDED, () -> sender.sendMessage(large()));
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        ServiceBusReceivedMessage message = next(dead);
        dead.complete(message);
        sender.sendMessage(large());
    }

    @Test
    @DisplayName("MSG-2: a pre-settled send to a full queue is lost without an error, and not stored")
    void preSettledSendToAFullQueue() {
        String queue = smallQueue();
        int taken = fill(sdk.sender(queue));
        try (RawPeer peer = broker.peer()) {
            RawLink sender = peer.begin().sender(queue);
            sender.sendSettled(inOrder("m", "x".repeat(100 * 1024)));
            long id = sender.send(inOrder("m", "x".repeat(100 * 1024)));
            assertThat(sender.awaitRejection(id).at(0).text()).isEqualTo("amqp:resource-limit-exceeded");
            assertThat(sender.poll()).as("a detach").isNull();
        }
        assertThat(broker.counts(queue).active()).isEqualTo(taken);
    }

    @Test
    @DisplayName("QUOTA-12: lowering a limit below the stored size deletes no messages")
    void loweredLimit() {
        String queue = broker.queue(q -> q.maxSizeInMegabytes(2 * SHARES));
        ServiceBusSenderClient sender = sdk.sender(queue);
        for (int i = 0; i < 15; i++) {
            sender.sendMessage(large());
        }
        broker.update(queue, q -> q.maxSizeInMegabytes(SHARES));
        assertThat(broker.counts(queue).active()).isEqualTo(15);
        assertFails(ServiceBusFailureReason.QUOTA_EXCEEDED, () -> sender.sendMessage(large()));
    }
}
