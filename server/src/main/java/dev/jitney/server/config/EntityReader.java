package dev.jitney.server.config;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues and topics. Ranges are those of the emulator and those of the service together, or in strict mode the
 * emulator's alone (HTTP reference 4.1 and 5.2).
 */
final class EntityReader {
    private static final int MAX_SUBSCRIPTIONS = 2_000;
    private static final int MAX_RULES = 100_000;
    private static final int MAX_SQL_CHARACTERS = 1_024;
    private static final int MAX_METADATA_CHARACTERS = 1_024;
    private static final int EMULATOR_SUBSCRIPTIONS = 50;
    private static final int EMULATOR_RULES = 1_000;

    private final boolean strict;

    EntityReader(boolean strict) {
        this.strict = strict;
    }

    QueueConfig queue(ConfigObject queue, EntityNames names) {
        String name = names.entity(queue, strict);
        ConfigObject properties = queue.object("Properties");
        QueueConfig config = properties == null ? QueueConfig.named(name) : withProperties(name, queue, properties);
        if (properties == null && !strict) {
            config = withRules(config, queue);
        }
        queue.warnOfUnknown();
        return config;
    }

    private QueueConfig withProperties(String name, ConfigObject queue, ConfigObject p) {
        duplicateWindow(p); // checked, and of no use before duplicate detection is served
        Long deliveries = maxDeliveryCount(p);
        QueueConfig config = new QueueConfig(
                name,
                lockDurationMs(p),
                timeToLiveMs(p),
                strict ? null : p.durationMs("AutoDeleteOnIdle", "PT5M", IsoDurations.MAX),
                deliveries == null ? null : deliveries.intValue(),
                p.bool("DeadLetteringOnMessageExpiration"),
                p.flag("RequiresDuplicateDetection"),
                p.flag("RequiresSession"),
                !strict && p.flag("EnablePartitioning"),
                p.nameOrNone("ForwardTo"),
                p.nameOrNone("ForwardDeadLetteredMessagesTo"),
                strict ? null : p.integer("MaxSizeInMegabytes", 1_024, 81_920),
                strict ? null : p.integer("MaxMessageSizeInKilobytes", 1, 102_400),
                strict ? null : status(p),
                strict ? null : metadata(p),
                strict ? null : AccessRules.read(queue));
        p.warnOfUnknown();
        return config;
    }

    private static QueueConfig withRules(QueueConfig named, ConfigObject queue) {
        return new QueueConfig(
                named.name(),
                null,
                null,
                null,
                null,
                null,
                false,
                false,
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                AccessRules.read(queue));
    }

    /** Checks a topic with all that is in it, and gives its name. */
    String topic(ConfigObject topic, EntityNames names) {
        String name = names.entity(topic, strict);
        ConfigObject properties = topic.object("Properties");
        if (properties != null) {
            timeToLiveMs(properties);
            duplicateWindow(properties);
            properties.bool("RequiresDuplicateDetection");
            properties.warnOfUnknown();
        }
        EntityNames subscriptionNames = new EntityNames();
        List<ConfigObject> subscriptions =
                topic.objects("Subscriptions", strict ? EMULATOR_SUBSCRIPTIONS : MAX_SUBSCRIPTIONS);
        if (strict && subscriptions.isEmpty()) {
            throw topic.invalid("Subscriptions", "Expected at least one subscription, but got none.");
        }
        for (ConfigObject subscription : subscriptions) {
            subscription(subscription, subscriptionNames);
        }
        topic.warnOfUnknown();
        return name;
    }

    private void subscription(ConfigObject subscription, EntityNames names) {
        names.child(subscription);
        ConfigObject p = subscription.object("Properties");
        if (p != null) {
            lockDurationMs(p);
            timeToLiveMs(p);
            maxDeliveryCount(p);
            p.bool("DeadLetteringOnMessageExpiration");
            p.bool("RequiresSession");
            p.nameOrNone("ForwardTo");
            p.nameOrNone("ForwardDeadLetteredMessagesTo");
            p.warnOfUnknown();
        }
        EntityNames ruleNames = new EntityNames();
        for (ConfigObject rule : subscription.objects("Rules", strict ? EMULATOR_RULES : MAX_RULES)) {
            rule(rule, ruleNames);
        }
        subscription.warnOfUnknown();
    }

    private static void rule(ConfigObject rule, EntityNames names) {
        names.child(rule);
        ConfigObject p = rule.requiredObject("Properties");
        String type = p.requiredText("FilterType");
        switch (type.toLowerCase(Locale.ROOT)) {
            case "sql" -> sql(p.requiredObject("SqlFilter"));
            case "correlation" -> correlation(p.requiredObject("CorrelationFilter"));
            default -> throw p.invalid("FilterType", "Expected Correlation or Sql, but got '" + type + "'.");
        }
        // An emulator file may carry the other kind's object as well; the type says which one counts.
        p.object("SqlFilter");
        p.object("CorrelationFilter");
        ConfigObject action = p.object("Action");
        if (action != null && action.size() > 0) {
            sql(action);
        }
        p.warnOfUnknown();
        rule.warnOfUnknown();
    }

    private static void sql(ConfigObject holder) {
        String expression = holder.requiredText("SqlExpression");
        if (expression.isEmpty() || expression.length() > MAX_SQL_CHARACTERS) {
            throw holder.invalid(
                    "SqlExpression",
                    "Expected 1 to " + MAX_SQL_CHARACTERS + " characters, but got " + expression.length() + ".");
        }
        holder.warnOfUnknown();
    }

    private static void correlation(ConfigObject filter) {
        int conditions = 0;
        for (String name : List.of(
                "ContentType",
                "CorrelationId",
                "Label",
                "MessageId",
                "ReplyTo",
                "ReplyToSessionId",
                "SessionId",
                "To")) {
            conditions += filter.text(name) == null ? 0 : 1;
        }
        ConfigObject properties = filter.object("Properties");
        conditions += properties == null ? 0 : properties.allNames().size();
        if (conditions == 0) {
            throw new InvalidValue(filter.path(), "Expected at least one condition, but got none.");
        }
        filter.warnOfUnknown();
    }

    private static @Nullable Long lockDurationMs(ConfigObject p) {
        return p.durationMs("LockDuration", "PT5S", "PT5M");
    }

    private @Nullable Long timeToLiveMs(ConfigObject p) {
        return p.durationMs("DefaultMessageTimeToLive", strict ? "PT5M" : "PT1S", strict ? "PT1H" : IsoDurations.MAX);
    }

    private void duplicateWindow(ConfigObject p) {
        p.durationMs("DuplicateDetectionHistoryTimeWindow", "PT5S", strict ? "PT5M" : "P7D");
    }

    private @Nullable Long maxDeliveryCount(ConfigObject p) {
        return p.integer("MaxDeliveryCount", 1, strict ? 10 : Integer.MAX_VALUE);
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
