package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.TopicRuntimeProperties;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaRuntimePropertiesTest extends AdminTest {

    @Test
    @DisplayName("CNT-1, HTTP checklist 60 and 61: counters after sending, scheduling and dead-lettering")
    void queue() throws Exception {
        String name = admin.createQueue(TestBroker.name("counted")).getName();
        QueueRuntimeProperties empty = admin.getQueueRuntimeProperties(name);
        assertThat(empty.getTotalMessageCount()).isZero();
        assertThat(empty.getSizeInBytes()).isZero();
        assertThat(empty.getCreatedAt()).isBeforeOrEqualTo(OffsetDateTime.now().plusMinutes(1));
        assertThat(empty.getUpdatedAt()).isEqualTo(empty.getCreatedAt());
        Messages.sendScheduleAndDeadLetter(broker, name);
        Await.until("the counters", () -> {
            QueueRuntimeProperties counted = admin.getQueueRuntimeProperties(name);
            assertThat(counted.getName()).isEqualTo(name);
            assertThat(counted.getActiveMessageCount()).isEqualTo(3);
            assertThat(counted.getScheduledMessageCount()).isEqualTo(1);
            assertThat(counted.getDeadLetterMessageCount()).isEqualTo(1);
            assertThat(counted.getTransferMessageCount()).isZero();
            assertThat(counted.getTransferDeadLetterMessageCount()).isZero();
            assertThat(counted.getTotalMessageCount()).isEqualTo(5);
            assertThat(counted.getSizeInBytes()).isPositive();
            assertThat(counted.getAccessedAt().getYear()).isGreaterThan(2000);
            return true;
        });
    }

    @Test
    @DisplayName("CNT-4: UpdatedAt moves with an update, CreatedAt does not")
    void updatedAt() {
        String name = admin.createQueue(TestBroker.name("updated")).getName();
        QueueRuntimeProperties before = admin.getQueueRuntimeProperties(name);
        broker.advance(Duration.ofSeconds(2));
        admin.updateQueue(admin.getQueue(name).setUserMetadata("m"));
        QueueRuntimeProperties after = admin.getQueueRuntimeProperties(name);
        assertThat(after.getCreatedAt()).isEqualTo(before.getCreatedAt());
        assertThat(after.getUpdatedAt()).isAfter(before.getUpdatedAt());
    }

    @Test
    @DisplayName("HTTP checklist 61: runtime properties of topics and subscriptions")
    void topicAndSubscription() {
        String topic = admin.createTopic(TestBroker.name("topic")).getName();
        admin.createSubscription(topic, "a");
        admin.createSubscription(topic, "b");
        TopicRuntimeProperties ofTopic = admin.getTopicRuntimeProperties(topic);
        assertThat(ofTopic.getName()).isEqualTo(topic);
        assertThat(ofTopic.getSubscriptionCount()).isEqualTo(2);
        assertThat(ofTopic.getScheduledMessageCount()).isZero();
        assertThat(ofTopic.getSizeInBytes()).isZero();
        assertThat(ofTopic.getCreatedAt()).isNotNull();
        assertThat(ofTopic.getUpdatedAt()).isNotNull();
        assertThat(ofTopic.getAccessedAt()).isNotNull();
        SubscriptionRuntimeProperties ofSubscription = admin.getSubscriptionRuntimeProperties(topic, "a");
        assertThat(ofSubscription.getTopicName()).isEqualTo(topic);
        assertThat(ofSubscription.getSubscriptionName()).isEqualTo("a");
        assertThat(ofSubscription.getTotalMessageCount()).isZero();
        assertThat(ofSubscription.getActiveMessageCount()).isZero();
        assertThat(ofSubscription.getDeadLetterMessageCount()).isZero();
        assertThat(ofSubscription.getCreatedAt()).isNotNull();
    }

    @Test
    @DisplayName("SUSP-1: a queue disabled over HTTP refuses AMQP senders, and takes them when it is active again")
    void status() throws Exception {
        String name = admin.createQueue(TestBroker.name("status")).getName();
        admin.updateQueue(admin.getQueue(name).setStatus(EntityStatus.SEND_DISABLED));
        try (Sdk sdk = broker.sdk()) {
            Sdk.assertFails(
                    ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
                    () -> sdk.send(name, new ServiceBusMessage("refused")));
            admin.updateQueue(admin.getQueue(name).setStatus(EntityStatus.ACTIVE));
            sdk.send(name, "taken");
        }
        assertThat(admin.getQueueRuntimeProperties(name).getTotalMessageCount()).isEqualTo(1);
    }
}
