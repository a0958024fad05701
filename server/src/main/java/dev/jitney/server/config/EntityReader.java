package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import dev.jitney.model.property.PropertySpec.Range;
import dev.jitney.model.property.PropertySpecs;
import dev.jitney.model.property.PropertyType;
import dev.jitney.model.property.QueueProperties;
import dev.jitney.model.property.SubscriptionProperties;
import dev.jitney.model.property.TopicProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of queues, topics and subscriptions. The ranges include those of the emulator and of the service, or in
 * strict mode only the emulator's (HTTP reference 4.1 and 5.2). The broker checks combinations of properties and the
 * limits of the tier.
 */
final class EntityReader {
    private static final int MAX_SUBSCRIPTIONS = 2_000;
    private static final int EMULATOR_SUBSCRIPTIONS = 50;
    private static final long SERVICE_WINDOW_MIN_MS = 20_000;
    private static final Range ANY = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

    private final boolean strict;
    private final RuleReader rules;
    private final List<String> warnings;
    private final KeyOrigins keys;

    EntityReader(boolean strict, List<String> warnings, KeyOrigins keys) {
        this.keys = keys;
        this.strict = strict;
        this.rules = new RuleReader(strict);
        this.warnings = warnings;
    }

    QueueConfig queue(ConfigObject queue, EntityNames names) {
        String name = names.entity(queue, strict);
        Settings<QueueDescription> settings = settings(queue, QueueProperties.TABLE);
        queue.warnOfUnknown();
        return new QueueConfig(queue.path(), name, settings, false);
    }

    TopicConfig topic(ConfigObject topic, EntityNames names) {
        String name = names.entity(topic, strict);
        Settings<TopicDescription> settings = settings(topic, TopicProperties.TABLE);
        List<SubscriptionConfig> subscriptions = subscriptions(topic, name);
        topic.warnOfUnknown();
        return new TopicConfig(topic.path(), name, settings, false, subscriptions);
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
        Settings<SubscriptionDescription> settings = settings(subscription, SubscriptionProperties.TABLE);
        SubscriptionConfig config =
                new SubscriptionConfig(subscription.path(), topic, name, settings, rules.read(subscription));
        subscription.warnOfUnknown();
        return config;
    }

    /**
     * Returns the properties in an entity's declaration, including its access rules, which stand beside {@code
     * Properties}.
     */
    private <D extends EntityDescription> Settings<D> settings(ConfigObject entity, EntityTable<D> table) {
        Settings<D> settings = new Settings<>();
        ConfigObject properties = entity.object("Properties");
        if (properties != null) {
            for (EntityProperty<D> property : table.inFile()) {
                String name = property.spec().element();
                if (isRead(property.spec()) && !isBeside(property.spec()) && properties.has(name)) {
                    settings.add(properties, name, property, value(properties, property.spec()));
                }
            }
            properties.warnOfUnknown();
        }
        for (EntityProperty<D> property : table.inFile()) {
            if (isRead(property.spec()) && isBeside(property.spec())) {
                String name = AccessRules.member(entity);
                if (entity.has(name)) {
                    settings.add(entity, name, property, value(entity, property.spec()));
                }
            }
        }
        return settings;
    }

    private boolean isRead(PropertySpec<?> spec) {
        return !strict || spec.isInEmulator();
    }

    private static boolean isBeside(PropertySpec<?> spec) {
        return spec.type() == PropertyType.ACCESS_RULES;
    }

    private @Nullable Object value(ConfigObject object, PropertySpec<?> spec) {
        String name = spec.element();
        Range range = Objects.requireNonNullElse(strict ? spec.strictRange() : spec.range(), ANY);
        return switch (spec.type()) {
            case FLAG -> object.bool(name);
            case DURATION, TIME_TO_LIVE -> durationMs(object, spec, range);
            case COUNT -> Math.toIntExact(present(object.integer(name, range.min(), range.max())));
            case MEGABYTES, KILOBYTES -> object.integer(name, range.min(), range.max());
            case TEXT -> text(object, name, range.max());
            case DESTINATION -> object.nameOrNone(name); // the empty text means "none"
            case STATUS -> status(object, name);
            case ACCESS_RULES -> AccessRules.read(object, keys, object.text("Name"));
        };
    }

    /**
     * Returns a duration. The emulator accepts shorter duplicate detection windows than the service; a longer window
     * detects every duplicate that a shorter one detects.
     */
    private long durationMs(ConfigObject object, PropertySpec<?> spec, Range range) {
        String name = spec.element();
        long ms = present(object.durationMs(name, IsoDurations.format(range.min()), IsoDurations.format(range.max())));
        if (spec == PropertySpecs.DUPLICATE_DETECTION_HISTORY_TIME_WINDOW
                && ms < SERVICE_WINDOW_MIN_MS
                && object.flag(PropertySpecs.REQUIRES_DUPLICATE_DETECTION.element())) {
            warnings.add(
                    object.path(name) + ": Expected a window of at least " + IsoDurations.format(SERVICE_WINDOW_MIN_MS)
                            + ", but got " + IsoDurations.format(ms) + ". Jitney uses "
                            + IsoDurations.format(SERVICE_WINDOW_MIN_MS) + ".");
            return SERVICE_WINDOW_MIN_MS;
        }
        return ms;
    }

    private static String text(ConfigObject object, String name, long lengthMax) {
        String text = present(object.text(name));
        if (text.length() > lengthMax) {
            throw object.invalid(name, "Expected at most " + lengthMax + " characters, but got " + text.length() + ".");
        }
        return text;
    }

    private static EntityStatus status(ConfigObject object, String name) {
        String text = present(object.text(name));
        EntityStatus status = EntityStatus.ofWord(text);
        if (status == null) {
            throw object.invalid(
                    name, "Expected Active, Disabled, SendDisabled or ReceiveDisabled, but got '" + text + "'.");
        }
        return status;
    }

    private static <T> T present(@Nullable T value) {
        return Objects.requireNonNull(value, "a member of the object");
    }
}
