package dev.jitney.core.filter.property;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageView;
import org.jspecify.annotations.Nullable;

/** A change of a copy by an action (RULE-7 to 9). */
public sealed interface PropertyChange {

    /**
     * A new value of a user property.
     *
     * @param name spelled as in the message if it has the property, or else as in the action; names are compared without
     *     case
     */
    record SetUserProperty(String name, EncodedValue value) implements PropertyChange {}

    /**
     * The removal of a user property.
     *
     * @param name spelled as in the message; names are compared without case
     */
    record RemoveUserProperty(String name) implements PropertyChange {}

    /** A new value of a system property of type text; null clears it. */
    record SetText(SystemProperty property, @Nullable String text) implements PropertyChange {}

    /**
     * A new time to live of the copy.
     *
     * @param timeToLiveMs at least 1; {@link MessageView#NEVER} for no limit
     */
    record SetTimeToLive(long timeToLiveMs) implements PropertyChange {}

    /**
     * A new scheduled time of the copy.
     *
     * @param scheduledEnqueueTimeMs milliseconds since the epoch, or 0 for not scheduled
     */
    record SetScheduledEnqueueTime(long scheduledEnqueueTimeMs) implements PropertyChange {}

    /** A new durable flag of the copy. */
    record SetForcePersistence(boolean durable) implements PropertyChange {}
}
