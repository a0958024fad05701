package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the administration client's counters for messages that are forwarded, and that cannot be forwarded. */
class JavaForwardingCountsTest extends AdminTest {

    private static String create(CreateQueueOptions options) {
        return admin.createQueue(TestBroker.name("counted"), options).getName();
    }

    private static void send(String queue, int count) throws Exception {
        try (Sdk sdk = broker.sdk()) {
            List<ServiceBusMessage> messages = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                messages.add(new ServiceBusMessage("m" + i));
            }
            sdk.sender(queue).sendMessages(messages);
        }
    }

    @Test
    @DisplayName("FWD-1, CNT-1: messages count at their destination, not at their source")
    void passedOn() throws Exception {
        String to = create(new CreateQueueOptions());
        String from = create(new CreateQueueOptions().setForwardTo(to));
        send(from, 3);
        Await.until("the expected counters", () -> {
            assertThat(admin.getQueueRuntimeProperties(to).getActiveMessageCount())
                    .isEqualTo(3);
            assertThat(admin.getQueueRuntimeProperties(from).getTotalMessageCount())
                    .isZero();
            assertThat(admin.getQueueRuntimeProperties(from).getSizeInBytes()).isZero();
            return true;
        });
    }

    @Test
    @DisplayName("DLQ-30, CNT-1: TransferDeadLetterMessageCount counts messages that could not be forwarded")
    void stranded() throws Exception {
        String to = create(new CreateQueueOptions());
        String from = create(new CreateQueueOptions().setForwardTo(to));
        admin.deleteQueue(to);
        send(from, 3);
        Await.until("the expected counters", () -> {
            QueueRuntimeProperties counts = admin.getQueueRuntimeProperties(from);
            assertThat(counts.getTransferDeadLetterMessageCount()).isEqualTo(3);
            assertThat(counts.getTransferMessageCount()).isZero();
            assertThat(counts.getActiveMessageCount()).isZero();
            assertThat(counts.getDeadLetterMessageCount()).isZero();
            assertThat(counts.getTotalMessageCount()).isEqualTo(3);
            assertThat(counts.getSizeInBytes()).isPositive();
            return true;
        });
    }

    @Test
    @DisplayName("DLQ-33, CNT-2: subscriptions count these messages, too")
    void subscription() throws Exception {
        String to = create(new CreateQueueOptions());
        String topic = admin.createTopic(TestBroker.name("topic")).getName();
        admin.createSubscription(topic, "onward", new CreateSubscriptionOptions().setForwardTo(to));
        try (Sdk sdk = broker.sdk()) {
            sdk.publish(topic, "passed on");
            admin.deleteQueue(to);
            sdk.publish(topic, "stranded");
        }
        Await.until("the expected counters", () -> {
            SubscriptionRuntimeProperties counts = admin.getSubscriptionRuntimeProperties(topic, "onward");
            assertThat(counts.getTransferDeadLetterMessageCount()).isEqualTo(1);
            assertThat(counts.getTransferMessageCount()).isZero();
            assertThat(counts.getActiveMessageCount()).isZero();
            assertThat(counts.getTotalMessageCount()).isEqualTo(1);
            return true;
        });
    }

    @Test
    @DisplayName("FWD-1, HTTP 2.9: an update without a destination switches forwarding off, one with it on")
    void updates() throws Exception {
        String to = create(new CreateQueueOptions());
        String from = create(new CreateQueueOptions());
        send(from, 1);
        QueueProperties queue = admin.getQueue(from);
        admin.updateQueue(queue.setForwardTo(to));
        Await.until(
                "all stored messages are forwarded",
                () -> admin.getQueueRuntimeProperties(to).getActiveMessageCount() == 1);
        admin.updateQueue(admin.getQueue(from).setForwardTo(null));
        send(from, 1);
        assertThat(admin.getQueueRuntimeProperties(from).getActiveMessageCount())
                .isEqualTo(1);
    }
}
