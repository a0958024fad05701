package dev.jitney.testkit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a queue, topic or subscription that a namespace begins with. Settings that you leave out have the defaults of
 * the service, not those of the emulator's file: messages do not expire, and are dead-lettered after 10 deliveries. Not
 * thread-safe.
 *
 * @param <T> the type of the definition itself, for chains of calls
 */
public abstract sealed class EntityDefinition<T extends EntityDefinition<T>>
        permits TopicDefinition, ReceivableDefinition {
    /** The time to live of the service for messages that do not expire. */
    private static final String NEVER = "P10675199DT2H48M5.4775807S";

    private final String name;
    private final Map<String, Object> properties = new LinkedHashMap<>();

    EntityDefinition(String name) {
        this.name = name;
        properties.put("DefaultMessageTimeToLive", NEVER);
    }

    /** Sets the default and the maximum of the time to live of messages, at least one second. */
    public T defaultTimeToLive(Duration value) {
        return property("DefaultMessageTimeToLive", value.toString());
    }

    /** Deletes the entity when it was not used for this time, at least five minutes. */
    public T autoDeleteOnIdle(Duration value) {
        return property("AutoDeleteOnIdle", value.toString());
    }

    /**
     * Sets any property of the configuration file, such as {@code EnablePartitioning}. See {@code docs/reference/properties.md}.
     *
     * @param value a text, a number or a boolean; durations are text in ISO 8601
     */
    public T property(String property, Object value) {
        properties.put(property, value);
        return self();
    }

    /** Drops messages whose message id was sent before within this window, 20 seconds to 7 days. */
    T duplicates(Duration window) {
        property("RequiresDuplicateDetection", true);
        return property("DuplicateDetectionHistoryTimeWindow", window.toString());
    }

    @SuppressWarnings("unchecked")
    private T self() {
        return (T) this;
    }

    /** Returns the entity in the format of the emulator's file. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("Name", name);
        json.put("Properties", properties);
        return json;
    }
}
