package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.MAX;
import static dev.jitney.conformance.admin.AdminClients.assertFails;
import static dev.jitney.conformance.admin.AdminClients.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.models.AccessRights;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SharedAccessAuthorizationRule;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaTopicsTest extends AdminTest {

    private static String topic() {
        return admin.createTopic(TestBroker.name("topic")).getName();
    }

    @Test
    @DisplayName("ENT-1, HTTP 2.7: a topic created without options has the defaults")
    void defaults() {
        String name = TestBroker.name("topic");
        for (TopicProperties topic : List.of(admin.createTopic(name), admin.getTopic(name))) {
            assertThat(topic.getName()).isEqualTo(name);
            assertThat(topic.getDefaultMessageTimeToLive()).isEqualTo(MAX);
            assertThat(topic.getAutoDeleteOnIdle()).isEqualTo(MAX);
            assertThat(topic.getMaxSizeInMegabytes()).isEqualTo(1024);
            assertThat(topic.isDuplicateDetectionRequired()).isFalse();
            assertThat(topic.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(1));
            assertThat(topic.isBatchedOperationsEnabled()).isTrue();
            assertThat(topic.getAuthorizationRules()).isEmpty();
            assertThat(topic.getStatus()).isEqualTo(EntityStatus.ACTIVE);
            assertThat(topic.isOrderingSupported()).isFalse(); // this client sends false
            assertThat(topic.isPartitioningEnabled()).isFalse();
            assertThat(topic.getUserMetadata()).isNull();
            assertThat(topic.getMaxMessageSizeInKilobytes()).isEqualTo(256);
        }
    }

    @Test
    @DisplayName("ENT-1: every option of a topic given at creation is kept")
    void everyOption() {
        String name = TestBroker.name("topic");
        CreateTopicOptions options = new CreateTopicOptions()
                .setDefaultMessageTimeToLive(Duration.ofMinutes(90))
                .setAutoDeleteOnIdle(Duration.ofMinutes(5))
                .setMaxSizeInMegabytes(5120)
                .setDuplicateDetectionRequired(true)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofSeconds(20))
                .setBatchedOperationsEnabled(false)
                .setStatus(EntityStatus.DISABLED)
                .setOrderingSupported(true)
                .setUserMetadata("m");
        options.getAuthorizationRules()
                .add(new SharedAccessAuthorizationRule(
                        "all", List.of(AccessRights.MANAGE, AccessRights.SEND, AccessRights.LISTEN)));
        for (TopicProperties topic : List.of(admin.createTopic(name, options), admin.getTopic(name))) {
            assertThat(topic.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofMinutes(90));
            assertThat(topic.getAutoDeleteOnIdle()).isEqualTo(Duration.ofMinutes(5));
            assertThat(topic.getMaxSizeInMegabytes()).isEqualTo(5120);
            assertThat(topic.isDuplicateDetectionRequired()).isTrue();
            assertThat(topic.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofSeconds(20));
            assertThat(topic.isBatchedOperationsEnabled()).isFalse();
            assertThat(topic.getStatus()).isEqualTo(EntityStatus.DISABLED);
            assertThat(topic.isOrderingSupported()).isTrue();
            assertThat(topic.getUserMetadata()).isEqualTo("m");
            assertThat(topic.getAuthorizationRules())
                    .singleElement()
                    .satisfies(rule -> assertThat(rule.getAccessRights())
                            .containsExactlyInAnyOrder(AccessRights.MANAGE, AccessRights.SEND, AccessRights.LISTEN));
        }
    }

    @Test
    @DisplayName("HTTP 2.4: every mutable property of a topic can be updated; duplicate detection cannot (ENT-1)")
    void update() {
        String name = topic();
        TopicProperties changed = admin.getTopic(name)
                .setDefaultMessageTimeToLive(Duration.ofSeconds(30))
                .setAutoDeleteOnIdle(Duration.ofDays(1))
                .setMaxSizeInMegabytes(4096)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(2))
                .setStatus(EntityStatus.SEND_DISABLED)
                .setUserMetadata("changed");
        changed.getAuthorizationRules().add(new SharedAccessAuthorizationRule("r", List.of(AccessRights.SEND)));
        for (TopicProperties topic : List.of(admin.updateTopic(changed), admin.getTopic(name))) {
            assertThat(topic.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofSeconds(30));
            assertThat(topic.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(1));
            assertThat(topic.getMaxSizeInMegabytes()).isEqualTo(4096);
            assertThat(topic.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(2));
            assertThat(topic.getStatus()).isEqualTo(EntityStatus.SEND_DISABLED);
            assertThat(topic.getUserMetadata()).isEqualTo("changed");
            assertThat(topic.getAuthorizationRules()).hasSize(1);
        }
        assertRefused(
                "SubCode=40000.", () -> admin.updateTopic(admin.getTopic(name).setDuplicateDetectionRequired(true)));
        assertThat(admin.getTopic(name).isDuplicateDetectionRequired()).isFalse();
        TopicProperties before = admin.getTopic(name);
        admin.updateTopic(before);
        assertThat(admin.getTopic(name))
                .usingRecursiveComparison()
                .ignoringFields("updatedAt", "accessedAt")
                .isEqualTo(before);
    }

    @Test
    @DisplayName("SUSP-2: a topic cannot be disabled for receiving")
    void receiveDisabledTopic() {
        String name = topic();
        assertRefused(
                "SubCode=40000.",
                () -> admin.updateTopic(admin.getTopic(name).setStatus(EntityStatus.RECEIVE_DISABLED)));
        assertThat(admin.getTopic(name).getStatus()).isEqualTo(EntityStatus.ACTIVE);
    }

    @Test
    @DisplayName("ENT-3, HTTP checklist 25: deleting a topic deletes its subscriptions and rules")
    void lifeCycle() {
        String name = topic();
        assertThat(admin.getTopicExists(name)).isTrue();
        assertFails(ResourceExistsException.class, 409, "SubCode=40900.", () -> admin.createTopic(name));
        assertFails(ResourceExistsException.class, 409, "SubCode=40900.", () -> admin.createQueue(name));
        TopicProperties topic = admin.getTopic(name);
        admin.createSubscription(name, "s");
        admin.createRule(name, "s", "r");
        admin.deleteTopic(name);
        assertThat(admin.getTopicExists(name)).isFalse();
        assertFails(ResourceNotFoundException.class, 200, "", () -> admin.getTopic(name));
        assertFails(ResourceNotFoundException.class, 404, "No service is hosted", () -> admin.deleteTopic(name));
        assertFails(ResourceNotFoundException.class, 404, "SubCode=40400.", () -> admin.updateTopic(topic));
        assertThat(admin.getSubscriptionExists(name, "s")).isFalse();
        admin.createTopic(name);
        assertThat(admin.listSubscriptions(name)).isEmpty();
    }

    @Test
    @DisplayName("ENT-1, HTTP 2.7: a subscription created without options has the defaults")
    void subscriptionDefaults() {
        String topic = topic();
        for (SubscriptionProperties subscription :
                List.of(admin.createSubscription(topic, "S-1"), admin.getSubscription(topic, "s-1"))) {
            assertThat(subscription.getTopicName()).isEqualTo(topic);
            assertThat(subscription.getSubscriptionName()).isEqualTo("S-1");
            assertThat(subscription.getLockDuration()).isEqualTo(Duration.ofMinutes(1));
            assertThat(subscription.isSessionRequired()).isFalse();
            assertThat(subscription.getDefaultMessageTimeToLive()).isEqualTo(MAX);
            assertThat(subscription.getAutoDeleteOnIdle()).isEqualTo(MAX);
            assertThat(subscription.isDeadLetteringOnMessageExpiration()).isFalse();
            assertThat(subscription.isDeadLetteringOnFilterEvaluationExceptions())
                    .isTrue();
            assertThat(subscription.getMaxDeliveryCount()).isEqualTo(10);
            assertThat(subscription.isBatchedOperationsEnabled()).isTrue();
            assertThat(subscription.getStatus()).isEqualTo(EntityStatus.ACTIVE);
            assertThat(subscription.getForwardTo()).isNull();
            assertThat(subscription.getForwardDeadLetteredMessagesTo()).isNull();
            assertThat(subscription.getUserMetadata()).isNull();
        }
    }

    @Test
    @DisplayName("ENT-1: every option of a subscription given at creation is kept")
    void everySubscriptionOption() {
        String topic = topic();
        String target = admin.createQueue(TestBroker.name("target")).getName();
        CreateSubscriptionOptions options = new CreateSubscriptionOptions()
                .setLockDuration(Duration.ofMinutes(5))
                .setSessionRequired(true)
                .setDefaultMessageTimeToLive(Duration.ofDays(10))
                .setAutoDeleteOnIdle(Duration.ofDays(20))
                .setDeadLetteringOnMessageExpiration(true)
                .setEnableDeadLetteringOnFilterEvaluationExceptions(false)
                .setMaxDeliveryCount(2)
                .setBatchedOperationsEnabled(false)
                .setStatus(EntityStatus.RECEIVE_DISABLED)
                .setForwardDeadLetteredMessagesTo(target)
                .setUserMetadata("m");
        for (SubscriptionProperties subscription :
                List.of(admin.createSubscription(topic, "s", options), admin.getSubscription(topic, "s"))) {
            assertThat(subscription.getLockDuration()).isEqualTo(Duration.ofMinutes(5));
            assertThat(subscription.isSessionRequired()).isTrue();
            assertThat(subscription.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofDays(10));
            assertThat(subscription.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(20));
            assertThat(subscription.isDeadLetteringOnMessageExpiration()).isTrue();
            assertThat(subscription.isDeadLetteringOnFilterEvaluationExceptions())
                    .isFalse();
            assertThat(subscription.getMaxDeliveryCount()).isEqualTo(2);
            assertThat(subscription.isBatchedOperationsEnabled()).isFalse();
            assertThat(subscription.getStatus()).isEqualTo(EntityStatus.RECEIVE_DISABLED);
            assertThat(subscription.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + target);
            assertThat(subscription.getUserMetadata()).isEqualTo("m");
        }
    }

    @Test
    @DisplayName("HTTP 2.4: every mutable property of a subscription can be updated, and cleared again")
    void updateSubscription() {
        String topic = topic();
        String target = admin.createQueue(TestBroker.name("target")).getName();
        admin.createSubscription(topic, "s");
        SubscriptionProperties changed = admin.getSubscription(topic, "s")
                .setLockDuration(Duration.ofSeconds(10))
                .setAutoDeleteOnIdle(Duration.ofDays(1))
                .setDeadLetteringOnMessageExpiration(true)
                .setEnableDeadLetteringOnFilterEvaluationExceptions(false)
                .setMaxDeliveryCount(7)
                .setBatchedOperationsEnabled(false)
                .setStatus(EntityStatus.DISABLED)
                .setForwardTo(target)
                .setForwardDeadLetteredMessagesTo(target)
                .setUserMetadata("changed");
        for (SubscriptionProperties now :
                List.of(admin.updateSubscription(changed), admin.getSubscription(topic, "s"))) {
            assertThat(now.getLockDuration()).isEqualTo(Duration.ofSeconds(10));
            assertThat(now.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(1));
            assertThat(now.isDeadLetteringOnMessageExpiration()).isTrue();
            assertThat(now.isDeadLetteringOnFilterEvaluationExceptions()).isFalse();
            assertThat(now.getMaxDeliveryCount()).isEqualTo(7);
            assertThat(now.isBatchedOperationsEnabled()).isFalse();
            assertThat(now.getStatus()).isEqualTo(EntityStatus.DISABLED);
            assertThat(now.getForwardTo()).isEqualTo("https://localhost/" + target);
            assertThat(now.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + target);
            assertThat(now.getUserMetadata()).isEqualTo("changed");
        }
        SubscriptionProperties cleared = admin.updateSubscription(admin.getSubscription(topic, "s")
                .setForwardTo(null)
                .setForwardDeadLetteredMessagesTo(null)
                .setUserMetadata(null));
        assertThat(cleared.getForwardTo()).isNull();
        assertThat(cleared.getForwardDeadLetteredMessagesTo()).isNull();
        assertThat(cleared.getUserMetadata()).isNull();
    }

    @Test
    @DisplayName("FWD-1, HTTP checklist 42 to 44: a subscription forwards to an existing queue or topic")
    void forwarding() {
        String topic = topic();
        String other = topic();
        String queue = admin.createQueue(TestBroker.name("Target")).getName();
        SubscriptionProperties created = admin.createSubscription(
                topic,
                "s",
                new CreateSubscriptionOptions().setForwardTo(queue).setForwardDeadLetteredMessagesTo(other));
        assertThat(created.getForwardTo()).isEqualTo("https://localhost/" + queue);
        assertThat(created.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + other);
        SubscriptionProperties same = admin.updateSubscription(admin.getSubscription(topic, "s"));
        assertThat(same.getForwardTo()).isEqualTo("https://localhost/" + queue);
        assertThat(same.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + other);
        SubscriptionProperties turned =
                admin.updateSubscription(same.setForwardTo(other).setForwardDeadLetteredMessagesTo(null));
        assertThat(turned.getForwardTo()).isEqualTo("https://localhost/" + other);
        assertThat(turned.getForwardDeadLetteredMessagesTo()).isNull();

        String itself = topic + "/Subscriptions/s";
        assertRefused("SubCode=40000.", () -> admin.updateSubscription(turned.setForwardTo(itself)));
        String sibling = topic + "/Subscriptions/sibling";
        admin.createSubscription(topic, "sibling");
        assertRefused("SubCode=40400.", () -> admin.updateSubscription(turned.setForwardTo(sibling)));
        assertRefused(
                "SubCode=40000.",
                () -> admin.createSubscription(
                        topic,
                        "sessions",
                        new CreateSubscriptionOptions().setSessionRequired(true).setForwardTo(queue)));
        assertRefused( // FWD-5
                "SubCode=40000.",
                () -> admin.createSubscription(topic, "back", new CreateSubscriptionOptions().setForwardTo(topic)));
    }

    @Test
    @DisplayName("HTTP checklist 30: an update without the time to live does not change it")
    void subscriptionTimeToLive() {
        String topic = topic();
        Duration hour = Duration.ofHours(1);
        admin.createSubscription(topic, "s", new CreateSubscriptionOptions().setDefaultMessageTimeToLive(hour));
        admin.updateSubscription(admin.getSubscription(topic, "s").setMaxDeliveryCount(4));
        assertThat(admin.getSubscription(topic, "s").getDefaultMessageTimeToLive())
                .isEqualTo(hour);
        assertThat(admin.getSubscription(topic, "s").getMaxDeliveryCount()).isEqualTo(4);
    }

    @Test
    @DisplayName("ENT-3, HTTP 2.10: errors of subscriptions")
    void subscriptionErrors() {
        String topic = topic();
        assertThat(admin.getSubscriptionExists(topic, "s")).isFalse();
        assertFails(ResourceNotFoundException.class, 404, "", () -> admin.getSubscription(topic, "s"));
        SubscriptionProperties subscription = admin.createSubscription(topic, "s");
        assertThat(admin.getSubscriptionExists(topic, "s")).isTrue();
        assertFails(
                ResourceExistsException.class,
                409,
                "The messaging entity '",
                () -> admin.createSubscription(topic, "S"));
        admin.deleteSubscription(topic, "s");
        assertFails(
                ResourceNotFoundException.class,
                404,
                "No service is hosted",
                () -> admin.deleteSubscription(topic, "s"));
        assertFails(ResourceNotFoundException.class, 404, "Entity '", () -> admin.updateSubscription(subscription));
        String missing = TestBroker.name("missing");
        assertFails(ResourceNotFoundException.class, 404, "", () -> admin.createSubscription(missing, "s"));
        assertFails(ResourceNotFoundException.class, 404, "", () -> admin.getSubscription(missing, "s"));
        assertRefused("SubCode=40000.", () -> admin.createSubscription(topic, "x".repeat(51)));
        assertThat(admin.createSubscription(topic, "x".repeat(50)).getSubscriptionName())
                .hasSize(50);
        assertRefused(
                "",
                () -> admin.createSubscription(
                        topic, "z", new CreateSubscriptionOptions().setLockDuration(Duration.ofDays(25))));
        assertRefused(
                "SubCode=40400.",
                () -> admin.createSubscription(topic, "z", new CreateSubscriptionOptions().setForwardTo(missing)));
        assertThat(admin.getSubscriptionExists(topic, "z")).isFalse();
    }

    @Test
    @DisplayName("HTTP checklist 46: a subscription's first rule is $Default, or the one it is created with")
    void firstRule() {
        String topic = topic();
        admin.createSubscription(topic, "plain");
        assertThat(admin.listRules(topic, "plain").stream().map(RuleProperties::getName))
                .containsExactly("$Default");
        admin.createSubscription(
                topic,
                "red",
                "red-only",
                new CreateSubscriptionOptions(),
                new CreateRuleOptions(new SqlRuleFilter("colour = 'red'")));
        assertThat(admin.listRules(topic, "red").stream().map(RuleProperties::getName))
                .containsExactly("red-only");
    }

    @Test
    @DisplayName("HTTP checklist 14 and 15: a topic's name may contain slashes and is found in any case")
    void names() {
        String name = TestBroker.name("News/Sport");
        admin.createTopic(name);
        admin.createSubscription(name, "All");
        String shouted = name.toUpperCase(Locale.ROOT);
        assertThat(admin.getTopic(shouted).getName()).isEqualTo(name);
        assertThat(admin.getSubscription(shouted, "ALL").getSubscriptionName()).isEqualTo("All");
        assertThat(admin.listSubscriptions(shouted).stream().map(SubscriptionProperties::getSubscriptionName))
                .containsExactly("All");
    }
}
