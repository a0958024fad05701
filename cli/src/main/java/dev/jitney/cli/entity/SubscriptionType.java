package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import dev.jitney.cli.connection.SubscriptionTimeToLivePolicy;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Subscriptions. A new one has the rule {@code $Default}, which takes every message. */
final class SubscriptionType extends EntityType<CreateSubscriptionOptions, SubscriptionProperties> {
    private static final List<Setting<CreateSubscriptionOptions, SubscriptionProperties, ?>> SETTINGS = List.of(
            new Setting<>(
                    "lockDuration",
                    ValueType.DURATION,
                    "Lock duration of a received message, 5s to 5m (default: 1m).",
                    SubscriptionProperties::getLockDuration,
                    CreateSubscriptionOptions::setLockDuration,
                    SubscriptionProperties::setLockDuration),
            new Setting<>(
                    "maxDeliveryCount",
                    ValueType.INTEGER,
                    "Maximum number of deliveries before a message is dead-lettered (default: 10).",
                    SubscriptionProperties::getMaxDeliveryCount,
                    CreateSubscriptionOptions::setMaxDeliveryCount,
                    SubscriptionProperties::setMaxDeliveryCount),
            new Setting<>(
                    "defaultMessageTimeToLive",
                    ValueType.DURATION,
                    "Time to live of messages without their own, and the maximum for all (default: never).",
                    SubscriptionProperties::getDefaultMessageTimeToLive,
                    CreateSubscriptionOptions::setDefaultMessageTimeToLive,
                    SubscriptionProperties::setDefaultMessageTimeToLive),
            new Setting<>(
                    "deadLetteringOnMessageExpiration",
                    ValueType.FLAG,
                    "Dead-letter expired messages instead of deleting them (default: false).",
                    SubscriptionProperties::isDeadLetteringOnMessageExpiration,
                    CreateSubscriptionOptions::setDeadLetteringOnMessageExpiration,
                    SubscriptionProperties::setDeadLetteringOnMessageExpiration),
            new Setting<>(
                    "deadLetteringOnFilterEvaluationExceptions",
                    ValueType.FLAG,
                    "Dead-letter messages on which a filter fails with an error (default: true).",
                    SubscriptionProperties::isDeadLetteringOnFilterEvaluationExceptions,
                    CreateSubscriptionOptions::setEnableDeadLetteringOnFilterEvaluationExceptions,
                    SubscriptionProperties::setEnableDeadLetteringOnFilterEvaluationExceptions),
            new Setting<>(
                    "requiresSession",
                    ValueType.FLAG,
                    "Require a session id on every message. Fixed at creation (default: false).",
                    SubscriptionProperties::isSessionRequired,
                    CreateSubscriptionOptions::setSessionRequired,
                    null),
            new Setting<>(
                    "autoDeleteOnIdle",
                    ValueType.DURATION,
                    "Delete the subscription after this time without use, at least 5m (default: never).",
                    SubscriptionProperties::getAutoDeleteOnIdle,
                    CreateSubscriptionOptions::setAutoDeleteOnIdle,
                    SubscriptionProperties::setAutoDeleteOnIdle),
            new Setting<>(
                    "forwardTo",
                    ValueType.ENTITY,
                    "Forward all messages to this queue or topic (default: none). Empty text removes it.",
                    SubscriptionProperties::getForwardTo,
                    CreateSubscriptionOptions::setForwardTo,
                    SubscriptionProperties::setForwardTo),
            new Setting<>(
                    "forwardDeadLetteredMessagesTo",
                    ValueType.ENTITY,
                    "Forward dead-lettered messages to this queue or topic (default: none). Empty text removes it.",
                    SubscriptionProperties::getForwardDeadLetteredMessagesTo,
                    CreateSubscriptionOptions::setForwardDeadLetteredMessagesTo,
                    SubscriptionProperties::setForwardDeadLetteredMessagesTo),
            new Setting<>(
                    "status",
                    ValueType.STATUS,
                    "Status: Active, Disabled or ReceiveDisabled (default: Active).",
                    SubscriptionProperties::getStatus,
                    CreateSubscriptionOptions::setStatus,
                    SubscriptionProperties::setStatus),
            new Setting<>(
                    "enableBatchedOperations",
                    ValueType.FLAG,
                    "Let the store combine writes (default: true).",
                    SubscriptionProperties::isBatchedOperationsEnabled,
                    CreateSubscriptionOptions::setBatchedOperationsEnabled,
                    SubscriptionProperties::setBatchedOperationsEnabled),
            new Setting<>(
                    "userMetadata",
                    ValueType.TEXT,
                    "Your own text, at most 1024 characters (default: none). Empty text removes it.",
                    SubscriptionProperties::getUserMetadata,
                    CreateSubscriptionOptions::setUserMetadata,
                    SubscriptionProperties::setUserMetadata));

    @Override
    String word() {
        return "subscription";
    }

    @Override
    List<String> keys() {
        return List.of("topicName", "subscriptionName");
    }

    @Override
    List<Setting<CreateSubscriptionOptions, SubscriptionProperties, ?>> settings() {
        return SETTINGS;
    }

    @Override
    List<Column> columns() {
        return List.of(
                new Column("TOPIC", "topicName"),
                new Column("SUBSCRIPTION", "subscriptionName"),
                new Column("STATUS", "status"),
                new Column("ACTIVE", "activeMessageCount"),
                new Column("DEAD LETTER", "deadLetterMessageCount"),
                new Column("TRANSFER", "transferMessageCount"),
                new Column("TOTAL", "messageCount"));
    }

    @Override
    CreateSubscriptionOptions defaults() {
        return new CreateSubscriptionOptions();
    }

    @Override
    SubscriptionProperties create(
            ServiceBusAdministrationClient client,
            List<String> names,
            CreateSubscriptionOptions options,
            boolean partitioningSaid) {
        return client.createSubscription(names.get(0), names.get(1), options);
    }

    @Override
    SubscriptionProperties get(ServiceBusAdministrationClient client, List<String> names) {
        return client.getSubscription(names.get(0), names.get(1));
    }

    @Override
    SubscriptionProperties update(ServiceBusAdministrationClient client, SubscriptionProperties properties) {
        return client.updateSubscriptionWithResponse(
                        properties, SubscriptionTimeToLivePolicy.context(properties.getDefaultMessageTimeToLive()))
                .getValue();
    }

    @Override
    void delete(ServiceBusAdministrationClient client, List<String> names) {
        client.deleteSubscription(names.get(0), names.get(1));
    }

    @Override
    Stream<SubscriptionProperties> list(ServiceBusAdministrationClient client, List<String> parents) {
        return client.listSubscriptions(parents.get(0)).stream();
    }

    @Override
    List<String> names(SubscriptionProperties properties) {
        return List.of(properties.getTopicName(), properties.getSubscriptionName());
    }

    @Override
    Map<String, Object> runtime(SubscriptionProperties properties) {
        SubscriptionRuntimeProperties runtime = new SubscriptionRuntimeProperties(properties);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("messageCount", runtime.getTotalMessageCount());
        members.put("activeMessageCount", runtime.getActiveMessageCount());
        members.put("deadLetterMessageCount", runtime.getDeadLetterMessageCount());
        members.put("transferMessageCount", runtime.getTransferMessageCount());
        members.put("transferDeadLetterMessageCount", runtime.getTransferDeadLetterMessageCount());
        Times.put(members, runtime.getCreatedAt(), runtime.getUpdatedAt(), runtime.getAccessedAt());
        return members;
    }

    @Override
    List<String> contents(ServiceBusAdministrationClient client, SubscriptionProperties properties) {
        long rules = client.listRules(properties.getTopicName(), properties.getSubscriptionName()).stream()
                .count();
        long dead = dead(properties);
        return List.of(
                counted(rules, "rule"), counted(total(properties) - dead, "message"), counted(dead, "dead letter"));
    }

    static long total(SubscriptionProperties properties) {
        return new SubscriptionRuntimeProperties(properties).getTotalMessageCount();
    }

    /** Returns its number of dead letters, including messages that could not be forwarded. */
    static long dead(SubscriptionProperties properties) {
        SubscriptionRuntimeProperties runtime = new SubscriptionRuntimeProperties(properties);
        return (long) runtime.getDeadLetterMessageCount() + runtime.getTransferDeadLetterMessageCount();
    }
}
