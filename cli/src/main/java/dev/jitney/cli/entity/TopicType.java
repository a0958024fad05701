package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import com.azure.messaging.servicebus.administration.models.TopicRuntimeProperties;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Topics. */
final class TopicType extends EntityType<CreateTopicOptions, TopicProperties> {
    private static final List<Setting<CreateTopicOptions, TopicProperties, ?>> SETTINGS = List.of(
            new Setting<>(
                    "defaultMessageTimeToLive",
                    ValueType.DURATION,
                    "Time to live of messages without their own, and the maximum for all (default: never).",
                    TopicProperties::getDefaultMessageTimeToLive,
                    CreateTopicOptions::setDefaultMessageTimeToLive,
                    TopicProperties::setDefaultMessageTimeToLive),
            new Setting<>(
                    "requiresDuplicateDetection",
                    ValueType.FLAG,
                    "Drop messages with a message id seen before. Fixed at creation (default: false).",
                    TopicProperties::isDuplicateDetectionRequired,
                    CreateTopicOptions::setDuplicateDetectionRequired,
                    null),
            new Setting<>(
                    "duplicateDetectionHistoryTimeWindow",
                    ValueType.DURATION,
                    "Time that duplicate detection keeps message ids, 20s to 7d (default: 10m).",
                    TopicProperties::getDuplicateDetectionHistoryTimeWindow,
                    CreateTopicOptions::setDuplicateDetectionHistoryTimeWindow,
                    TopicProperties::setDuplicateDetectionHistoryTimeWindow),
            new Setting<>(
                    "maxSizeInMegabytes",
                    ValueType.LONG,
                    "Maximum size in MiB: 1024, 2048, 3072, 4096 or 5120 (default: 1024). A partitioned entity outside"
                            + " PREMIUM shows 16 times this size.",
                    TopicProperties::getMaxSizeInMegabytes,
                    CreateTopicOptions::setMaxSizeInMegabytes,
                    TopicProperties::setMaxSizeInMegabytes),
            new Setting<>(
                    "maxMessageSizeInKilobytes",
                    ValueType.SIZE,
                    "Maximum size of a message in KiB. PREMIUM only.",
                    TopicProperties::getMaxMessageSizeInKilobytes,
                    CreateTopicOptions::setMaxMessageSizeInKilobytes,
                    TopicProperties::setMaxMessageSizeInKilobytes),
            new Setting<>(
                    "autoDeleteOnIdle",
                    ValueType.DURATION,
                    "Delete the topic after this time without use, at least 5m (default: never).",
                    TopicProperties::getAutoDeleteOnIdle,
                    CreateTopicOptions::setAutoDeleteOnIdle,
                    TopicProperties::setAutoDeleteOnIdle),
            new Setting<>(
                    "status",
                    ValueType.STATUS,
                    "Status: Active, Disabled or SendDisabled (default: Active).",
                    TopicProperties::getStatus,
                    CreateTopicOptions::setStatus,
                    TopicProperties::setStatus),
            new Setting<>(
                    "supportOrdering",
                    ValueType.FLAG,
                    "Deliver messages to subscriptions in the order of sending (default: true).",
                    TopicProperties::isOrderingSupported,
                    CreateTopicOptions::setOrderingSupported,
                    TopicProperties::setOrderingSupported),
            new Setting<>(
                    "enableBatchedOperations",
                    ValueType.FLAG,
                    "Let the store combine writes. This client can set it only at creation (default: true).",
                    TopicProperties::isBatchedOperationsEnabled,
                    CreateTopicOptions::setBatchedOperationsEnabled,
                    null),
            new Setting<>(
                    PARTITIONING,
                    ValueType.FLAG,
                    "Divide the topic into partitions. Fixed at creation (default: a setting of the namespace).",
                    TopicProperties::isPartitioningEnabled,
                    CreateTopicOptions::setPartitioningEnabled,
                    null),
            new Setting<>(
                    "userMetadata",
                    ValueType.TEXT,
                    "Your own text, at most 1024 characters (default: none). Empty text removes it.",
                    TopicProperties::getUserMetadata,
                    CreateTopicOptions::setUserMetadata,
                    TopicProperties::setUserMetadata));

    @Override
    String word() {
        return "topic";
    }

    @Override
    List<String> keys() {
        return List.of("name");
    }

    @Override
    List<Setting<CreateTopicOptions, TopicProperties, ?>> settings() {
        return SETTINGS;
    }

    @Override
    List<Column> columns() {
        return List.of(
                new Column("NAME", "name"),
                new Column("STATUS", "status"),
                new Column("SUBSCRIPTIONS", "subscriptionCount"),
                new Column("SCHEDULED", "scheduledMessageCount"),
                new Column("BYTES", "sizeInBytes"));
    }

    /** Returns the defaults of the service: ordering on, and 10 minutes of duplicate detection. The SDK's defaults differ. */
    @Override
    CreateTopicOptions defaults() {
        return new CreateTopicOptions()
                .setDuplicateDetectionHistoryTimeWindow(QueueType.DUPLICATE_WINDOW)
                .setOrderingSupported(true);
    }

    @Override
    TopicProperties create(
            ServiceBusAdministrationClient client,
            List<String> names,
            CreateTopicOptions options,
            boolean partitioningSaid) {
        return client.createTopicWithResponse(names.get(0), options, context(partitioningSaid))
                .getValue();
    }

    @Override
    TopicProperties get(ServiceBusAdministrationClient client, List<String> names) {
        return client.getTopic(names.get(0));
    }

    @Override
    TopicProperties update(ServiceBusAdministrationClient client, TopicProperties properties) {
        return client.updateTopic(properties);
    }

    @Override
    void delete(ServiceBusAdministrationClient client, List<String> names) {
        client.deleteTopic(names.get(0));
    }

    @Override
    Stream<TopicProperties> list(ServiceBusAdministrationClient client, List<String> parents) {
        return client.listTopics().stream();
    }

    @Override
    List<String> names(TopicProperties properties) {
        return List.of(properties.getName());
    }

    @Override
    Map<String, Object> runtime(TopicProperties properties) {
        TopicRuntimeProperties runtime = new TopicRuntimeProperties(properties);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("subscriptionCount", runtime.getSubscriptionCount());
        members.put("scheduledMessageCount", runtime.getScheduledMessageCount());
        members.put("sizeInBytes", runtime.getSizeInBytes());
        Times.put(members, runtime.getCreatedAt(), runtime.getUpdatedAt(), runtime.getAccessedAt());
        return members;
    }

    @Override
    List<String> contents(ServiceBusAdministrationClient client, TopicProperties properties) {
        long subscriptions = 0;
        long dead = 0;
        long messages = new TopicRuntimeProperties(properties).getScheduledMessageCount();
        for (SubscriptionProperties subscription : client.listSubscriptions(properties.getName())) {
            subscriptions++;
            dead += SubscriptionType.dead(subscription);
            messages += SubscriptionType.total(subscription) - SubscriptionType.dead(subscription);
        }
        String rules = subscriptions == 0 ? "" : subscriptions == 1 ? " with its rules" : " with their rules";
        return List.of(
                counted(subscriptions, "subscription") + rules,
                counted(messages, "message"),
                counted(dead, "dead letter"));
    }
}
