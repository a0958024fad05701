package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;
import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.management.AccessRights;
import com.microsoft.azure.servicebus.management.EntityStatus;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.SharedAccessAuthorizationRule;
import com.microsoft.azure.servicebus.management.SubscriptionDescription;
import com.microsoft.azure.servicebus.management.SubscriptionRuntimeInfo;
import com.microsoft.azure.servicebus.management.TopicDescription;
import com.microsoft.azure.servicebus.management.TopicRuntimeInfo;
import com.microsoft.azure.servicebus.primitives.MessagingEntityAlreadyExistsException;
import com.microsoft.azure.servicebus.primitives.MessagingEntityNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks of topics and subscriptions. */
final class TopicChecks {

    private TopicChecks() {}

    static void addTo(Map<String, NamedCheck> checks) {
        checks.put("ENT-1: a topic's defaults, options and updates", TopicChecks::topics);
        checks.put("HTTP checklist 20 and 54: a topic can be created, found and deleted once", TopicChecks::lifeCycle);
        checks.put("ENT-1: a subscription's defaults, options and updates", TopicChecks::subscriptions);
        checks.put("HTTP 2.10: errors of subscriptions", TopicChecks::subscriptionErrors);
        checks.put("HTTP checklist 61: runtime information of a topic and a subscription", TopicChecks::runtimeInfo);
    }

    private static void topics(ManagementClient client) throws Exception {
        TopicDescription plain = client.createTopic("t1-topic-defaults");
        same("t1-topic-defaults", plain.getPath(), "the path");
        same(1024L, plain.getMaxSizeInMB(), "MaxSizeInMegabytes");
        that(plain.getDefaultMessageTimeToLive().toDays() == 10675199L, "the longest time to live");
        same(EntityStatus.Active, plain.getEntityStatus(), "Status");
        same(true, plain.isEnableBatchedOperations(), "EnableBatchedOperations");
        TopicDescription wanted = new TopicDescription("t1-topic-options");
        wanted.setMaxSizeInMB(5120);
        wanted.setRequiresDuplicateDetection(true);
        wanted.setDuplicationDetectionHistoryTimeWindow(Duration.ofMinutes(2));
        wanted.setDefaultMessageTimeToLive(Duration.ofDays(3));
        wanted.setAutoDeleteOnIdle(Duration.ofHours(5));
        wanted.setEnableBatchedOperations(false);
        wanted.setEntityStatus(EntityStatus.Disabled);
        wanted.setSupportOrdering(true);
        wanted.setUserMetadata("m");
        wanted.setAuthorizationRules(new ArrayList<>(List.of(new SharedAccessAuthorizationRule(
                "r", new ArrayList<>(List.of(AccessRights.Manage, AccessRights.Send, AccessRights.Listen))))));
        client.createTopic(wanted);
        TopicDescription topic = client.getTopic("T1-topic-options");
        same(5120L, topic.getMaxSizeInMB(), "MaxSizeInMegabytes");
        same(true, topic.isRequiresDuplicateDetection(), "RequiresDuplicateDetection");
        same(Duration.ofMinutes(2), topic.getDuplicationDetectionHistoryTimeWindow(), "the duplicate window");
        same(Duration.ofDays(3), topic.getDefaultMessageTimeToLive(), "DefaultMessageTimeToLive");
        same(Duration.ofHours(5), topic.getAutoDeleteOnIdle(), "AutoDeleteOnIdle");
        same(false, topic.isEnableBatchedOperations(), "EnableBatchedOperations");
        same(EntityStatus.Disabled, topic.getEntityStatus(), "Status");
        same(true, topic.isSupportOrdering(), "SupportOrdering");
        same("m", topic.getUserMetadata(), "UserMetadata");
        same(3, topic.getAuthorizationRules().get(0).getRights().size(), "the number of rights");
        topic.setEntityStatus(EntityStatus.Active);
        topic.setUserMetadata("changed");
        client.updateTopic(topic);
        TopicDescription updated = client.getTopic("t1-topic-options");
        same(EntityStatus.Active, updated.getEntityStatus(), "Status");
        same("changed", updated.getUserMetadata(), "UserMetadata");
        updated.setRequiresDuplicateDetection(false);
        ErrorChecks.refused("SubCode=40000.", () -> client.updateTopic(updated));
    }

    private static void lifeCycle(ManagementClient client) throws Exception {
        same(false, client.topicExists("t1-topic-life"), "exists before creation");
        fails(MessagingEntityNotFoundException.class, false, "", () -> client.getTopic("t1-topic-life"));
        TopicDescription topic = client.createTopic("t1-topic-life");
        same(true, client.topicExists("t1-topic-life"), "exists");
        fails(
                MessagingEntityAlreadyExistsException.class,
                false,
                "SubCode=40900.",
                () -> client.createTopic("t1-topic-life"));
        that(
                client.getTopics().stream().anyMatch(t -> t.getPath().equals("t1-topic-life")),
                "the topic in the list of topics");
        client.deleteTopic("t1-topic-life");
        same(false, client.topicExists("t1-topic-life"), "exists after deletion");
        fails(MessagingEntityNotFoundException.class, false, "No service", () -> client.deleteTopic("t1-topic-life"));
        fails(MessagingEntityNotFoundException.class, false, "", () -> client.updateTopic(topic));
    }

    private static void subscriptions(ManagementClient client) throws Exception {
        client.createTopic("t1-topic");
        SubscriptionDescription plain = client.createSubscription("t1-topic", "plain");
        same("t1-topic", plain.getTopicPath(), "the topic");
        same("plain", plain.getSubscriptionName(), "the name");
        same(Duration.ofMinutes(1), plain.getLockDuration(), "LockDuration");
        same(10, plain.getMaxDeliveryCount(), "MaxDeliveryCount");
        same(true, plain.isEnableDeadLetteringOnFilterEvaluationException(), "dead-lettering on filter exceptions");
        client.createQueue("t1-sub-target");
        SubscriptionDescription wanted = new SubscriptionDescription("t1-topic", "options");
        wanted.setLockDuration(Duration.ofSeconds(5));
        wanted.setRequiresSession(true);
        wanted.setDefaultMessageTimeToLive(Duration.ofHours(30));
        wanted.setAutoDeleteOnIdle(Duration.ofMinutes(5));
        wanted.setEnableDeadLetteringOnMessageExpiration(true);
        wanted.setEnableDeadLetteringOnFilterEvaluationException(false);
        wanted.setMaxDeliveryCount(4);
        wanted.setEnableBatchedOperations(false);
        wanted.setEntityStatus(EntityStatus.ReceiveDisabled);
        wanted.setForwardDeadLetteredMessagesTo("t1-sub-target");
        wanted.setUserMetadata("m");
        client.createSubscription(wanted);
        SubscriptionDescription read = client.getSubscription("t1-topic", "options");
        same(Duration.ofSeconds(5), read.getLockDuration(), "LockDuration");
        same(true, read.isRequiresSession(), "RequiresSession");
        same(Duration.ofHours(30), read.getDefaultMessageTimeToLive(), "DefaultMessageTimeToLive");
        same(Duration.ofMinutes(5), read.getAutoDeleteOnIdle(), "AutoDeleteOnIdle");
        same(true, read.isEnableDeadLetteringOnMessageExpiration(), "DeadLetteringOnMessageExpiration");
        same(false, read.isEnableDeadLetteringOnFilterEvaluationException(), "dead-lettering on filter exceptions");
        same(4, read.getMaxDeliveryCount(), "MaxDeliveryCount");
        same(false, read.isEnableBatchedOperations(), "EnableBatchedOperations");
        same(EntityStatus.ReceiveDisabled, read.getEntityStatus(), "Status");
        that(read.getForwardDeadLetteredMessagesTo().endsWith("/t1-sub-target"), "the forwarding destination");
        same("m", read.getUserMetadata(), "UserMetadata");
        read.setMaxDeliveryCount(6);
        read.setForwardDeadLetteredMessagesTo(null);
        client.updateSubscription(read);
        SubscriptionDescription updated = client.getSubscription("t1-topic", "options");
        same(6, updated.getMaxDeliveryCount(), "MaxDeliveryCount after an update");
        same(null, updated.getForwardDeadLetteredMessagesTo(), "the forwarding destination after clearing it");
        same(Duration.ofHours(30), updated.getDefaultMessageTimeToLive(), "DefaultMessageTimeToLive after an update");
        same(
                List.of("options", "plain"),
                client.getSubscriptions("t1-topic").stream()
                        .map(SubscriptionDescription::getSubscriptionName)
                        .toList(),
                "the subscriptions");
    }

    private static void subscriptionErrors(ManagementClient client) throws Exception {
        client.createTopic("t1-topic-errors");
        same(false, client.subscriptionExists("t1-topic-errors", "s"), "exists before creation");
        SubscriptionDescription subscription = client.createSubscription("t1-topic-errors", "s");
        same(true, client.subscriptionExists("t1-topic-errors", "s"), "exists");
        fails(
                MessagingEntityAlreadyExistsException.class,
                false,
                "The messaging entity '",
                () -> client.createSubscription("t1-topic-errors", "s"));
        client.deleteSubscription("t1-topic-errors", "s");
        fails(
                MessagingEntityNotFoundException.class,
                false,
                "No service",
                () -> client.deleteSubscription("t1-topic-errors", "s"));
        fails(MessagingEntityNotFoundException.class, false, "Entity '", () -> client.updateSubscription(subscription));
        fails(
                MessagingEntityNotFoundException.class,
                false,
                "",
                () -> client.createSubscription("t1-topic-missing", "s"));
        same(false, client.subscriptionExists("t1-topic-missing", "s"), "exists under a missing topic");
    }

    private static void runtimeInfo(ManagementClient client) throws Exception {
        client.createTopic("t1-topic-info");
        client.createSubscription("t1-topic-info", "a");
        client.createSubscription("t1-topic-info", "b");
        TopicRuntimeInfo topic = client.getTopicRuntimeInfo("t1-topic-info");
        same(2, topic.getSubscriptionCount(), "SubscriptionCount");
        same(0L, topic.getSizeInBytes(), "SizeInBytes");
        that(topic.getCreatedAt() != null && topic.getUpdatedAt() != null && topic.getAccessedAt() != null, "times");
        SubscriptionRuntimeInfo subscription = client.getSubscriptionRuntimeInfo("t1-topic-info", "a");
        same(0L, subscription.getMessageCount(), "MessageCount");
        same(0L, subscription.getMessageCountDetails().getActiveMessageCount(), "ActiveMessageCount");
        that(subscription.getCreatedAt() != null, "a time of creation");
    }
}
