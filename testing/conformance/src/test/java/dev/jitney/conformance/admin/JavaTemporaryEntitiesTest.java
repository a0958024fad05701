package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaTemporaryEntitiesTest extends AdminTest {
    private static final Duration FIVE = Duration.ofMinutes(5);
    private static final Duration TEN = Duration.ofMinutes(10);

    @Test
    @DisplayName("IDLE-12: AutoDeleteOnIdle is set, read and changed with the administration client, and takes effect")
    void setReadAndChange() {
        String queueName = TestBroker.name("queue");
        String topicName = TestBroker.name("topic");
        admin.createQueue(queueName, new CreateQueueOptions().setAutoDeleteOnIdle(FIVE));
        admin.createTopic(topicName, new CreateTopicOptions().setAutoDeleteOnIdle(FIVE));
        admin.createSubscription(topicName, "s", new CreateSubscriptionOptions().setAutoDeleteOnIdle(FIVE));

        QueueProperties queue = admin.getQueue(queueName);
        TopicProperties topic = admin.getTopic(topicName);
        SubscriptionProperties subscription = admin.getSubscription(topicName, "s");
        assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(FIVE);
        assertThat(topic.getAutoDeleteOnIdle()).isEqualTo(FIVE);
        assertThat(subscription.getAutoDeleteOnIdle()).isEqualTo(FIVE);

        admin.updateQueue(queue.setAutoDeleteOnIdle(TEN));
        admin.updateTopic(topic.setAutoDeleteOnIdle(TEN));
        admin.updateSubscription(subscription.setAutoDeleteOnIdle(Duration.ofHours(1)));
        assertThat(admin.getQueue(queueName).getAutoDeleteOnIdle()).isEqualTo(TEN);
        assertThat(admin.getTopic(topicName).getAutoDeleteOnIdle()).isEqualTo(TEN);
        assertThat(admin.getSubscription(topicName, "s").getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(1));

        broker.advance(Duration.ofMinutes(9));
        assertThat(admin.getQueueExists(queueName))
                .as("reading is not an access")
                .isTrue();
        assertThat(admin.getSubscriptionExists(topicName, "s")).isTrue();
        broker.advance(Duration.ofMinutes(1));
        Await.until("the deletion of the queue", () -> !admin.getQueueExists(queueName));
        Await.until("the deletion of the topic with its subscription", () -> !admin.getTopicExists(topicName));
    }

    @Test
    @DisplayName("CNT-4: the time of the last access is in the runtime properties")
    void accessedAt() {
        String name = TestBroker.name("accessed");
        admin.createQueue(name, new CreateQueueOptions().setAutoDeleteOnIdle(FIVE));
        broker.advance(Duration.ofMinutes(4));
        QueueProperties queue = admin.getQueue(name);
        admin.updateQueue(queue.setUserMetadata("touched"));
        Duration sinceCreation = Duration.between(
                admin.getQueueRuntimeProperties(name).getCreatedAt(),
                admin.getQueueRuntimeProperties(name).getAccessedAt());
        assertThat(sinceCreation).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        broker.advance(Duration.ofMinutes(4));
        assertThat(admin.getQueueExists(name)).isTrue();
        broker.advance(Duration.ofMinutes(1));
        Await.until("the deletion of the queue", () -> !admin.getQueueExists(name));
    }
}
