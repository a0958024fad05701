package dev.jitney.core.topic.state;

import dev.jitney.core.SendExplanation.Change;
import dev.jitney.core.filter.property.MessageProperties;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Ticks;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.filter.value.ValueEncoder;
import dev.jitney.model.EncodedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of properties as an explanation shows them. Long ones are cut, so that an answer stays small. */
final class ShownValues {
    private static final int LENGTH_MAX = 256;
    private static final String RULE_NAME = "RuleName";

    private ShownValues() {}

    /** Returns a value, or null if it is not set. */
    static @Nullable EncodedValue of(Value value) {
        return switch (value.kind()) {
            case UNKNOWN, NULL -> null;
            case ERROR, OTHER -> EncodedValue.ofString("(" + value.kind().words() + ")");
            case STRING, CHAR, URI ->
                value.text().length() <= LENGTH_MAX
                        ? ValueEncoder.encode(value)
                        : EncodedValue.ofString(cut(value.text()));
            case BINARY ->
                value.octets().length <= LENGTH_MAX
                        ? ValueEncoder.encode(value)
                        : ValueEncoder.encode(Value.ofBinary(Arrays.copyOf(value.octets(), LENGTH_MAX)));
            default -> ValueEncoder.encode(value);
        };
    }

    private static String cut(String text) {
        int end = Character.isHighSurrogate(text.charAt(LENGTH_MAX - 2)) ? LENGTH_MAX - 2 : LENGTH_MAX - 1;
        return text.substring(0, end) + "…";
    }

    /**
     * Returns the changes of a copy by an action, and its {@code RuleName} (RULE-5).
     *
     * @param sent the properties of the message as sent
     */
    static List<Change> changes(List<PropertyChange> made, MessageProperties sent, String ruleName) {
        List<Change> changes = new ArrayList<>(made.size() + 1);
        for (PropertyChange change : made) {
            if (change instanceof PropertyChange.SetUserProperty set) {
                if (!set.name().equalsIgnoreCase(RULE_NAME)) {
                    addUser(changes, set.name(), sent, ValueDecoder.decode(set.value()));
                }
            } else if (change instanceof PropertyChange.RemoveUserProperty removed) {
                if (!removed.name().equalsIgnoreCase(RULE_NAME)) {
                    addUser(changes, removed.name(), sent, Value.UNKNOWN);
                }
            } else if (change instanceof PropertyChange.SetText text) {
                add(changes, text.property(), sent, text.text() == null ? Value.NULL : Value.ofString(text.text()));
            } else if (change instanceof PropertyChange.SetTimeToLive live) {
                add(
                        changes,
                        SystemProperty.TIME_TO_LIVE,
                        sent,
                        Value.ofTicks(Kind.TIME_SPAN, Ticks.ofMs(live.timeToLiveMs())));
            } else if (change instanceof PropertyChange.SetScheduledEnqueueTime scheduled) {
                long ms = scheduled.scheduledEnqueueTimeMs();
                add(
                        changes,
                        SystemProperty.SCHEDULED_ENQUEUE_TIME_UTC,
                        sent,
                        ms == 0 ? Value.NULL : Value.ofTicks(Kind.DATE_TIME, Ticks.ofEpochMs(ms)));
            } else if (change instanceof PropertyChange.SetForcePersistence force) {
                add(changes, SystemProperty.FORCE_PERSISTENCE, sent, Value.of(force.durable()));
            }
        }
        addUser(changes, RULE_NAME, sent, Value.ofString(ruleName));
        return changes;
    }

    private static void addUser(List<Change> changes, String name, MessageProperties sent, Value after) {
        changes.add(new Change(name, of(sent.user(new PropertyName(name))), of(after)));
    }

    private static void add(List<Change> changes, SystemProperty property, MessageProperties sent, Value after) {
        changes.add(new Change("sys." + property.text(), of(sent.system(property)), of(after)));
    }
}
