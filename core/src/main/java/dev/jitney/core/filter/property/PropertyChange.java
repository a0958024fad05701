package dev.jitney.core.filter.property;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageView;
import org.jspecify.annotations.Nullable;

/** One thing an action changes about a copy (RULE-7 to 9). */
public sealed interface PropertyChange {

    /**
     * A user property gets a value.
     *
     * @param name spelled as the message has it already, or as the action does; names compare without case
     */
    record SetUserProperty(String name, EncodedValue value) implements PropertyChange {}

    /**
     * A user property goes.
     *
     * @param name spelled as the message has it; names compare without case
     */
    record RemoveUserProperty(String name) implements PropertyChange {}

    /** A system property that is text gets a value; null clears it. */
    record SetText(SystemProperty property, @Nullable String text) implements PropertyChange {}

    /**
     * The copy lives for another time.
     *
     * @param timeToLiveMs at least 1; {@link MessageView#NEVER} for ever
     */
    record SetTimeToLive(long timeToLiveMs) implements PropertyChange {}

    /**
     * The copy is scheduled for another time.
     *
     * @param scheduledEnqueueTimeMs milliseconds since the epoch, or 0 for not at all
     */
    record SetScheduledEnqueueTime(long scheduledEnqueueTimeMs) implements PropertyChange {}

    /** Whether the copy is durable. */
    record SetForcePersistence(boolean durable) implements PropertyChange {}
}
