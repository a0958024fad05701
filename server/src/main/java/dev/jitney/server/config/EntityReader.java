package dev.jitney.server.config;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues, topics and subscriptions. Ranges are those of the emulator and those of the service together, or in strict
 * mode the emulator's alone (HTTP reference 4.1 and 5.2). What goes together and what the tier has is the broker's to
 * judge.
 */
final class EntityReader {
    private static final int MAX_SUBSCRIPTIONS = 2_000;
    private static final int MAX_METADATA_CHARACTERS = 1_024;
    private static final int EMULATOR_SUBSCRIPTIONS = 50;
    private static final long SERVICE_WINDOW_MIN_MS = 20_000;

    private final boolean strict;
    private final RuleReader rules;
    private final List<String> warnings;

    EntityReader(boolean strict, List<String> warnings) {
        this.strict = strict;
        this.rules = new RuleReader(strict);
        this.warnings = warnings;
    }

    QueueConfig queue(ConfigObject queue, EntityNames names) {
        String name = names.entity(queue, strict);
        Settings<QueueDescription.Builder> out = new Settings<>();
        ConfigObject p = queue.object("Properties");
        if (p != null) {
            out.add(p, "LockDuration", lockDurationMs(p), QueueDescription.Builder::lockDurationMs);
            out.add(
                    p,
                    "DefaultMessageTimeToLive",
                    timeToLiveMs(p),
                    QueueDescription.Builder::defaultMessageTimeToLiveMs);
            out.add(p, "MaxDeliveryCount", maxDeliveryCount(p), QueueDescription.Builder::maxDeliveryCount);
            out.add(
                    p,
                    "DeadLetteringOnMessageExpiration",
                    p.bool("DeadLetteringOnMessageExpiration"),
                    QueueDescription.Builder::deadLetteringOnMessageExpiration);
            out.add(
                    p,
                    "DuplicateDetectionHistoryTimeWindow",
                    duplicateWindowMs(p),
                    QueueDescription.Builder::duplicateDetectionHistoryTimeWindowMs);
            out.addFixed(
                    p,
                    "RequiresDuplicateDetection",
                    p.bool("RequiresDuplicateDetection"),
                    QueueDescription.Builder::requiresDuplicateDetection);
            out.addFixed(p, "RequiresSession", p.bool("RequiresSession"), QueueDescription.Builder::requiresSession);
            out.addName(p, "ForwardDeadLetteredMessagesTo", QueueDescription.Builder::forwardDeadLetteredMessagesTo);
            out.addName(p, "ForwardTo", QueueDescription.Builder::forwardTo);
            if (!strict) {
                beyondTheEmulator(p, out);
            }
            p.warnOfUnknown();
        }
        if (!strict) {
            out.add(queue, AccessRules.member(queue), AccessRules.read(queue), QueueDescription.Builder::accessRules);
        }
        queue.warnOfUnknown();
        return new QueueConfig(queue.path(), name, out, false);
    }

    private static void beyondTheEmulator(ConfigObject p, Settings<QueueDescription.Builder> out) {
        out.add(p, "AutoDeleteOnIdle", idleMs(p), QueueDescription.Builder::autoDeleteOnIdleMs);
        out.add(p, "MaxSizeInMegabytes", sizeMegabytes(p), QueueDescription.Builder::maxSizeInMegabytes);
        out.add(
                p,
                "MaxMessageSizeInKilobytes",
                messageKilobytes(p),
                QueueDescription.Builder::maxMessageSizeInKilobytes);
        out.add(p, "Status", status(p), QueueDescription.Builder::status);
        out.add(p, "UserMetadata", metadata(p), QueueDescription.Builder::userMetadata);
        out.add(
                p,
                "EnableBatchedOperations",
                p.bool("EnableBatchedOperations"),
                QueueDescription.Builder::enableBatchedOperations);
        out.add(p, "SupportOrdering", p.bool("SupportOrdering"), QueueDescription.Builder::supportOrdering);
        out.addFixed(
                p, "EnablePartitioning", p.bool("EnablePartitioning"), QueueDescription.Builder::enablePartitioning);
        out.add(p, "EnableExpress", p.bool("EnableExpress"), QueueDescription.Builder::enableExpress);
    }

    TopicConfig topic(ConfigObject topic, EntityNames names) {
        String name = names.entity(topic, strict);
        Settings<TopicDescription.Builder> out = new Settings<>();
        ConfigObject p = topic.object("Properties");
        if (p != null) {
            out.add(
                    p,
                    "DefaultMessageTimeToLive",
                    timeToLiveMs(p),
                    TopicDescription.Builder::defaultMessageTimeToLiveMs);
            out.add(
                    p,
                    "DuplicateDetectionHistoryTimeWindow",
                    duplicateWindowMs(p),
                    TopicDescription.Builder::duplicateDetectionHistoryTimeWindowMs);
            out.addFixed(
                    p,
                    "RequiresDuplicateDetection",
                    p.bool("RequiresDuplicateDetection"),
                    TopicDescription.Builder::requiresDuplicateDetection);
            if (!strict) {
                topicBeyondTheEmulator(p, out);
            }
            p.warnOfUnknown();
        }
        if (!strict) {
            out.add(topic, AccessRules.member(topic), AccessRules.read(topic), TopicDescription.Builder::accessRules);
        }
        List<SubscriptionConfig> subscriptions = subscriptions(topic, name);
        topic.warnOfUnknown();
        return new TopicConfig(topic.path(), name, out, false, subscriptions);
    }

    private static void topicBeyondTheEmulator(ConfigObject p, Settings<TopicDescription.Builder> out) {
        out.add(p, "AutoDeleteOnIdle", idleMs(p), TopicDescription.Builder::autoDeleteOnIdleMs);
        out.add(p, "MaxSizeInMegabytes", sizeMegabytes(p), TopicDescription.Builder::maxSizeInMegabytes);
        out.add(
                p,
                "MaxMessageSizeInKilobytes",
                messageKilobytes(p),
                TopicDescription.Builder::maxMessageSizeInKilobytes);
        out.add(p, "Status", status(p), TopicDescription.Builder::status);
        out.add(p, "UserMetadata", metadata(p), TopicDescription.Builder::userMetadata);
        out.add(
                p,
                "EnableBatchedOperations",
                p.bool("EnableBatchedOperations"),
                TopicDescription.Builder::enableBatchedOperations);
        out.add(p, "SupportOrdering", p.bool("SupportOrdering"), TopicDescription.Builder::supportOrdering);
        out.addFixed(
                p,
                "FilteringMessagesBeforePublishing",
                p.bool("FilteringMessagesBeforePublishing"),
                TopicDescription.Builder::enableFilteringMessagesBeforePublishing);
        out.addFixed(
                p, "EnablePartitioning", p.bool("EnablePartitioning"), TopicDescription.Builder::enablePartitioning);
        out.add(p, "EnableExpress", p.bool("EnableExpress"), TopicDescription.Builder::enableExpress);
    }

    private List<SubscriptionConfig> subscriptions(ConfigObject topic, String topicName) {
        EntityNames names = new EntityNames();
        List<SubscriptionConfig> all = new ArrayList<>();
        for (ConfigObject subscription :
                topic.objects("Subscriptions", strict ? EMULATOR_SUBSCRIPTIONS : MAX_SUBSCRIPTIONS)) {
            all.add(subscription(subscription, topicName, names));
        }
        if (strict && all.isEmpty()) {
            throw topic.invalid("Subscriptions", "Expected at least one subscription, but got none.");
        }
        return all;
    }

    private SubscriptionConfig subscription(ConfigObject subscription, String topic, EntityNames names) {
        String name = names.child(subscription, false);
        Settings<SubscriptionDescription.Builder> out = new Settings<>();
        ConfigObject p = subscription.object("Properties");
        if (p != null) {
            out.add(p, "LockDuration", lockDurationMs(p), SubscriptionDescription.Builder::lockDurationMs);
            out.add(
                    p,
                    "DefaultMessageTimeToLive",
                    timeToLiveMs(p),
                    SubscriptionDescription.Builder::defaultMessageTimeToLiveMs);
            out.add(p, "MaxDeliveryCount", maxDeliveryCount(p), SubscriptionDescription.Builder::maxDeliveryCount);
            out.add(
                    p,
                    "DeadLetteringOnMessageExpiration",
                    p.bool("DeadLetteringOnMessageExpiration"),
                    SubscriptionDescription.Builder::deadLetteringOnMessageExpiration);
            out.addFixed(
                    p, "RequiresSession", p.bool("RequiresSession"), SubscriptionDescription.Builder::requiresSession);
            out.addName(
                    p, "ForwardDeadLetteredMessagesTo", SubscriptionDescription.Builder::forwardDeadLetteredMessagesTo);
            out.addName(p, "ForwardTo", SubscriptionDescription.Builder::forwardTo);
            if (!strict) {
                subscriptionBeyondTheEmulator(p, out);
            }
            p.warnOfUnknown();
        }
        SubscriptionConfig config =
                new SubscriptionConfig(subscription.path(), topic, name, out, rules.read(subscription));
        subscription.warnOfUnknown();
        return config;
    }

    private static void subscriptionBeyondTheEmulator(ConfigObject p, Settings<SubscriptionDescription.Builder> out) {
        out.add(p, "AutoDeleteOnIdle", idleMs(p), SubscriptionDescription.Builder::autoDeleteOnIdleMs);
        out.add(p, "Status", status(p), SubscriptionDescription.Builder::status);
        out.add(p, "UserMetadata", metadata(p), SubscriptionDescription.Builder::userMetadata);
        out.add(
                p,
                "EnableBatchedOperations",
                p.bool("EnableBatchedOperations"),
                SubscriptionDescription.Builder::enableBatchedOperations);
        out.add(
                p,
                "DeadLetteringOnFilterEvaluationExceptions",
                p.bool("DeadLetteringOnFilterEvaluationExceptions"),
                SubscriptionDescription.Builder::deadLetteringOnFilterEvaluationExceptions);
    }

    private static @Nullable Long lockDurationMs(ConfigObject p) {
        return p.durationMs("LockDuration", "PT5S", "PT5M");
    }

    private static @Nullable Long idleMs(ConfigObject p) {
        return p.durationMs("AutoDeleteOnIdle", "PT5M", IsoDurations.MAX);
    }

    private static @Nullable Long sizeMegabytes(ConfigObject p) {
        return p.integer("MaxSizeInMegabytes", 1, 81_920);
    }

    private static @Nullable Long messageKilobytes(ConfigObject p) {
        return p.integer("MaxMessageSizeInKilobytes", 1, 102_400);
    }

    private @Nullable Long timeToLiveMs(ConfigObject p) {
        return p.durationMs("DefaultMessageTimeToLive", strict ? "PT5M" : "PT1S", strict ? "PT1H" : IsoDurations.MAX);
    }

    /** The emulator takes shorter windows than the service; a longer one drops no message that a shorter one keeps apart. */
    private @Nullable Long duplicateWindowMs(ConfigObject p) {
        String name = "DuplicateDetectionHistoryTimeWindow";
        Long ms = p.durationMs(name, "PT5S", strict ? "PT5M" : "P7D");
        if (ms != null && ms < SERVICE_WINDOW_MIN_MS && p.flag("RequiresDuplicateDetection")) {
            warnings.add(p.path(name) + ": " + IsoDurations.format(ms) + " is shorter than windows are here; "
                    + IsoDurations.format(SERVICE_WINDOW_MIN_MS) + " is used.");
            return SERVICE_WINDOW_MIN_MS;
        }
        return ms;
    }

    private @Nullable Integer maxDeliveryCount(ConfigObject p) {
        Long count = p.integer("MaxDeliveryCount", 1, strict ? 10 : Integer.MAX_VALUE);
        return count == null ? null : Math.toIntExact(count);
    }

    private static @Nullable String metadata(ConfigObject p) {
        String text = p.text("UserMetadata");
        if (text != null && text.length() > MAX_METADATA_CHARACTERS) {
            throw p.invalid(
                    "UserMetadata",
                    "Expected at most " + MAX_METADATA_CHARACTERS + " characters, but got " + text.length() + ".");
        }
        return text;
    }

    private static @Nullable EntityStatus status(ConfigObject p) {
        String text = p.text("Status");
        if (text == null) {
            return null;
        }
        for (EntityStatus status : EntityStatus.values()) {
            if (status.name().replace("_", "").equalsIgnoreCase(text)) {
                return status;
            }
        }
        throw p.invalid(
                "Status", "Expected Active, Disabled, SendDisabled or ReceiveDisabled, but got '" + text + "'.");
    }
}
