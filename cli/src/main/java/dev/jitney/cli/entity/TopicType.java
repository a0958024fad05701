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
                    "When messages expire that do not say it themselves (default: never).",
                    TopicProperties::getDefaultMessageTimeToLive,
                    CreateTopicOptions::setDefaultMessageTimeToLive,
                    TopicProperties::setDefaultMessageTimeToLive),
            new Setting<>(
                    "requiresDuplicateDetection",
                    ValueType.FLAG,
                    "Whether a message id counts once; fixed at creation (default: false).",
                    TopicProperties::isDuplicateDetectionRequired,
                    CreateTopicOptions::setDuplicateDetectionRequired,
                    null),
            new Setting<>(
                    "duplicateDetectionHistoryTimeWindow",
                    ValueType.DURATION,
                    "How long message ids are remembered, 20s to 7d (default: 10m).",
                    TopicProperties::getDuplicateDetectionHistoryTimeWindow,
                    CreateTopicOptions::setDuplicateDetectionHistoryTimeWindow,
                    TopicProperties::setDuplicateDetectionHistoryTimeWindow),
            new Setting<>(
                    "maxSizeInMegabytes",
                    ValueType.LONG,
                    "Room for messages: 1024, 2048, 3072, 4096 or 5120 (default: 1024); shown 16 times as large"
                            + " when it is partitioned outside PREMIUM.",
                    TopicProperties::getMaxSizeInMegabytes,
                    CreateTopicOptions::setMaxSizeInMegabytes,
                    TopicProperties::setMaxSizeInMegabytes),
            new Setting<>(
                    "maxMessageSizeInKilobytes",
                    ValueType.SIZE,
                    "The largest message (PREMIUM only).",
                    TopicProperties::getMaxMessageSizeInKilobytes,
                    CreateTopicOptions::setMaxMessageSizeInKilobytes,
                    TopicProperties::setMaxMessageSizeInKilobytes),
            new Setting<>(
                    "autoDeleteOnIdle",
                    ValueType.DURATION,
                    "Deletes the topic when nobody has used it for so long, at least 5m (default: never).",
                    TopicProperties::getAutoDeleteOnIdle,
                    CreateTopicOptions::setAutoDeleteOnIdle,
                    TopicProperties::setAutoDeleteOnIdle),
            new Setting<>(
                    "status",
                    ValueType.STATUS,
                    "Active, Disabled or SendDisabled (default: Active).",
                    TopicProperties::getStatus,
                    CreateTopicOptions::setStatus,
                    TopicProperties::setStatus),
            new Setting<>(
                    "supportOrdering",
                    ValueType.FLAG,
                    "Whether subscriptions see messages in the order of sending (default: true).",
                    TopicProperties::isOrderingSupported,
                    CreateTopicOptions::setOrderingSupported,
                    TopicProperties::setOrderingSupported),
            new Setting<>(
                    "enableBatchedOperations",
                    ValueType.FLAG,
                    "Whether the store may gather writes; fixed at creation with this client (default: true).",
                    TopicProperties::isBatchedOperationsEnabled,
                    CreateTopicOptions::setBatchedOperationsEnabled,
                    null),
            new Setting<>(
                    PARTITIONING,
                    ValueType.FLAG,
                    "Whether it is divided into partitions; fixed at creation (default: as the namespace is set).",
                    TopicProperties::isPartitioningEnabled,
                    CreateTopicOptions::setPartitioningEnabled,
                    null),
            new Setting<>(
                    "userMetadata",
                    ValueType.TEXT,
                    "Text for your own use, at most 1024 characters; empty text takes it away.",
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

    /** The service keeps order and remembers ids for ten minutes when nothing is said; the SDK would say otherwise. */
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
