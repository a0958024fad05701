package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import dev.jitney.cli.output.Report.Column;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Queues. */
final class QueueType extends EntityType<CreateQueueOptions, QueueProperties> {
    /** The default of the service. The SDK's own default is one minute. */
    static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(10);

    private static final List<Setting<CreateQueueOptions, QueueProperties, ?>> SETTINGS = List.of(
            new Setting<>(
                    "lockDuration",
                    ValueType.DURATION,
                    "Lock duration of a received message, 5s to 5m (default: 1m).",
                    QueueProperties::getLockDuration,
                    CreateQueueOptions::setLockDuration,
                    QueueProperties::setLockDuration),
            new Setting<>(
                    "maxDeliveryCount",
                    ValueType.INTEGER,
                    "Maximum number of deliveries before a message is dead-lettered (default: 10).",
                    QueueProperties::getMaxDeliveryCount,
                    CreateQueueOptions::setMaxDeliveryCount,
                    QueueProperties::setMaxDeliveryCount),
            new Setting<>(
                    "defaultMessageTimeToLive",
                    ValueType.DURATION,
                    "Time to live of messages without their own, and the maximum for all (default: never).",
                    QueueProperties::getDefaultMessageTimeToLive,
                    CreateQueueOptions::setDefaultMessageTimeToLive,
                    QueueProperties::setDefaultMessageTimeToLive),
            new Setting<>(
                    "deadLetteringOnMessageExpiration",
                    ValueType.FLAG,
                    "Dead-letter expired messages instead of deleting them (default: false).",
                    QueueProperties::isDeadLetteringOnMessageExpiration,
                    CreateQueueOptions::setDeadLetteringOnMessageExpiration,
                    QueueProperties::setDeadLetteringOnMessageExpiration),
            new Setting<>(
                    "requiresSession",
                    ValueType.FLAG,
                    "Require a session id on every message. Fixed at creation (default: false).",
                    QueueProperties::isSessionRequired,
                    CreateQueueOptions::setSessionRequired,
                    null),
            new Setting<>(
                    "requiresDuplicateDetection",
                    ValueType.FLAG,
                    "Drop messages with a message id seen before. Fixed at creation (default: false).",
                    QueueProperties::isDuplicateDetectionRequired,
                    CreateQueueOptions::setDuplicateDetectionRequired,
                    null),
            new Setting<>(
                    "duplicateDetectionHistoryTimeWindow",
                    ValueType.DURATION,
                    "Time that duplicate detection keeps message ids, 20s to 7d (default: 10m).",
                    QueueProperties::getDuplicateDetectionHistoryTimeWindow,
                    CreateQueueOptions::setDuplicateDetectionHistoryTimeWindow,
                    QueueProperties::setDuplicateDetectionHistoryTimeWindow),
            new Setting<>(
                    "maxSizeInMegabytes",
                    ValueType.INTEGER,
                    "Maximum size in MiB: 1024, 2048, 3072, 4096 or 5120 (default: 1024). A partitioned entity outside"
                            + " PREMIUM shows 16 times this size.",
                    properties -> Math.toIntExact(properties.getMaxSizeInMegabytes()),
                    CreateQueueOptions::setMaxSizeInMegabytes,
                    QueueProperties::setMaxSizeInMegabytes),
            new Setting<>(
                    "maxMessageSizeInKilobytes",
                    ValueType.SIZE,
                    "Maximum size of a message in KiB. PREMIUM only.",
                    QueueProperties::getMaxMessageSizeInKilobytes,
                    CreateQueueOptions::setMaxMessageSizeInKilobytes,
                    QueueProperties::setMaxMessageSizeInKilobytes),
            new Setting<>(
                    "autoDeleteOnIdle",
                    ValueType.DURATION,
                    "Delete the queue after this time without use, at least 5m (default: never).",
                    QueueProperties::getAutoDeleteOnIdle,
                    CreateQueueOptions::setAutoDeleteOnIdle,
                    QueueProperties::setAutoDeleteOnIdle),
            new Setting<>(
                    "forwardTo",
                    ValueType.ENTITY,
                    "Forward all messages to this queue or topic (default: none). Empty text removes it.",
                    QueueProperties::getForwardTo,
                    CreateQueueOptions::setForwardTo,
                    QueueProperties::setForwardTo),
            new Setting<>(
                    "forwardDeadLetteredMessagesTo",
                    ValueType.ENTITY,
                    "Forward dead-lettered messages to this queue or topic (default: none). Empty text removes it.",
                    QueueProperties::getForwardDeadLetteredMessagesTo,
                    CreateQueueOptions::setForwardDeadLetteredMessagesTo,
                    QueueProperties::setForwardDeadLetteredMessagesTo),
            new Setting<>(
                    "status",
                    ValueType.STATUS,
                    "Status: Active, Disabled, SendDisabled or ReceiveDisabled (default: Active).",
                    QueueProperties::getStatus,
                    CreateQueueOptions::setStatus,
                    QueueProperties::setStatus),
            new Setting<>(
                    "enableBatchedOperations",
                    ValueType.FLAG,
                    "Let the store combine writes (default: true).",
                    QueueProperties::isBatchedOperationsEnabled,
                    CreateQueueOptions::setBatchedOperationsEnabled,
                    QueueProperties::setBatchedOperationsEnabled),
            new Setting<>(
                    PARTITIONING,
                    ValueType.FLAG,
                    "Divide the queue into partitions. Fixed at creation (default: a setting of the namespace).",
                    QueueProperties::isPartitioningEnabled,
                    CreateQueueOptions::setPartitioningEnabled,
                    null),
            new Setting<>(
                    "userMetadata",
                    ValueType.TEXT,
                    "Your own text, at most 1024 characters (default: none). Empty text removes it.",
                    QueueProperties::getUserMetadata,
                    CreateQueueOptions::setUserMetadata,
                    QueueProperties::setUserMetadata));

    @Override
    String word() {
        return "queue";
    }

    @Override
    List<String> keys() {
        return List.of("name");
    }

    @Override
    List<Setting<CreateQueueOptions, QueueProperties, ?>> settings() {
        return SETTINGS;
    }

    @Override
    List<Column> columns() {
        return List.of(
                new Column("NAME", "name"),
                new Column("STATUS", "status"),
                new Column("ACTIVE", "activeMessageCount"),
                new Column("DEAD LETTER", "deadLetterMessageCount"),
                new Column("SCHEDULED", "scheduledMessageCount"),
                new Column("TRANSFER", "transferMessageCount"),
                new Column("TOTAL", "messageCount"),
                new Column("BYTES", "sizeInBytes"));
    }

    @Override
    CreateQueueOptions defaults() {
        return new CreateQueueOptions().setDuplicateDetectionHistoryTimeWindow(DUPLICATE_WINDOW);
    }

    @Override
    QueueProperties create(
            ServiceBusAdministrationClient client,
            List<String> names,
            CreateQueueOptions options,
            boolean partitioningSaid) {
        return client.createQueueWithResponse(names.get(0), options, context(partitioningSaid))
                .getValue();
    }

    @Override
    QueueProperties get(ServiceBusAdministrationClient client, List<String> names) {
        return client.getQueue(names.get(0));
    }

    @Override
    QueueProperties update(ServiceBusAdministrationClient client, QueueProperties properties) {
        return client.updateQueue(properties);
    }

    @Override
    void delete(ServiceBusAdministrationClient client, List<String> names) {
        client.deleteQueue(names.get(0));
    }

    @Override
    Stream<QueueProperties> list(ServiceBusAdministrationClient client, List<String> parents) {
        return client.listQueues().stream();
    }

    @Override
    List<String> names(QueueProperties properties) {
        return List.of(properties.getName());
    }

    @Override
    Map<String, Object> runtime(QueueProperties properties) {
        QueueRuntimeProperties runtime = new QueueRuntimeProperties(properties);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("messageCount", runtime.getTotalMessageCount());
        members.put("activeMessageCount", runtime.getActiveMessageCount());
        members.put("deadLetterMessageCount", runtime.getDeadLetterMessageCount());
        members.put("scheduledMessageCount", runtime.getScheduledMessageCount());
        members.put("transferMessageCount", runtime.getTransferMessageCount());
        members.put("transferDeadLetterMessageCount", runtime.getTransferDeadLetterMessageCount());
        members.put("sizeInBytes", runtime.getSizeInBytes());
        Times.put(members, runtime.getCreatedAt(), runtime.getUpdatedAt(), runtime.getAccessedAt());
        return members;
    }

    @Override
    List<String> contents(ServiceBusAdministrationClient client, QueueProperties properties) {
        QueueRuntimeProperties runtime = new QueueRuntimeProperties(properties);
        long dead = (long) runtime.getDeadLetterMessageCount() + runtime.getTransferDeadLetterMessageCount();
        return List.of(counted(runtime.getTotalMessageCount() - dead, "message"), counted(dead, "dead letter"));
    }
}
