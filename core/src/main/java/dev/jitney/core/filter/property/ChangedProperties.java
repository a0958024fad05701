package dev.jitney.core.filter.property;

import dev.jitney.core.filter.property.PropertyChange.RemoveUserProperty;
import dev.jitney.core.filter.property.PropertyChange.SetForcePersistence;
import dev.jitney.core.filter.property.PropertyChange.SetScheduledEnqueueTime;
import dev.jitney.core.filter.property.PropertyChange.SetText;
import dev.jitney.core.filter.property.PropertyChange.SetTimeToLive;
import dev.jitney.core.filter.property.PropertyChange.SetUserProperty;
import dev.jitney.core.filter.value.Ticks;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueEncoder;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The properties of a message with the changes of an action so far. */
public final class ChangedProperties implements MessageProperties {
    private final MessageProperties original;
    private final Map<SystemProperty, Value> system = new EnumMap<>(SystemProperty.class);

    /** The values of changed user properties; unknown for removed ones. */
    private final Map<PropertyName, Value> user = new LinkedHashMap<>();

    public ChangedProperties(MessageProperties original) {
        this.original = original;
    }

    public void set(SystemProperty property, Value value) {
        system.put(property, value);
    }

    public void set(PropertyName name, Value value) {
        user.put(name, value);
    }

    public void remove(PropertyName name) {
        user.put(name, Value.UNKNOWN);
    }

    @Override
    public Value system(SystemProperty property) {
        Value changed = system.get(property);
        return changed != null ? changed : original.system(property);
    }

    @Override
    public Value user(PropertyName name) {
        Value changed = user.get(name);
        return changed != null ? changed : original.user(name);
    }

    @Override
    public @Nullable String userSpelling(PropertyName name) {
        if (user(name).isUnknown()) {
            return null;
        }
        String spelling = original.userSpelling(name);
        return spelling != null ? spelling : name.text();
    }

    @Override
    public int userCount() {
        int[] count = {0};
        forEachUserName(name -> count[0]++);
        return count[0];
    }

    @Override
    public void forEachUserName(Consumer<PropertyName> names) {
        original.forEachUserName(name -> {
            if (!user.containsKey(name)) {
                names.accept(name);
            }
        });
        user.forEach((name, value) -> {
            if (!value.isUnknown()) {
                names.accept(name);
            }
        });
    }

    /** Returns all changes, with each property once. */
    public List<PropertyChange> changes() {
        List<PropertyChange> changes = new ArrayList<>(system.size() + user.size());
        system.forEach((property, value) -> changes.add(change(property, value)));
        user.forEach((name, value) -> {
            String spelling = original.userSpelling(name);
            if (!value.isUnknown()) {
                changes.add(new SetUserProperty(spelling != null ? spelling : name.text(), ValueEncoder.encode(value)));
            } else if (spelling != null) {
                changes.add(new RemoveUserProperty(spelling));
            }
        });
        return changes;
    }

    private static PropertyChange change(SystemProperty property, Value value) {
        return switch (property) {
            case TIME_TO_LIVE -> new SetTimeToLive(timeToLiveMs(value.bits()));
            case SCHEDULED_ENQUEUE_TIME_UTC ->
                new SetScheduledEnqueueTime(value.isNull() ? 0 : Ticks.toEpochMs(value.bits()));
            case FORCE_PERSISTENCE -> new SetForcePersistence(value.isTrue());
            default -> new SetText(property, value.isNull() ? null : value.text());
        };
    }

    /** Returns the time to live, rounded up, because zero milliseconds are not valid. */
    private static long timeToLiveMs(long ticks) {
        return ticks == Long.MAX_VALUE ? MessageView.NEVER : (ticks - 1) / Ticks.PER_MS + 1;
    }
}
