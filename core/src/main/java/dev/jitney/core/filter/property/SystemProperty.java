package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value.Kind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties in scope {@code sys}, which filters can read (FILTER-6) and of which actions can set some (RULE-8). */
public enum SystemProperty {
    CONTENT_TYPE("ContentType", Kind.STRING, true),
    CORRELATION_ID("CorrelationId", Kind.STRING, true),
    DELIVERY_COUNT("DeliveryCount", Kind.INT, false),
    ENQUEUED_SEQUENCE_NUMBER("EnqueuedSequenceNumber", Kind.LONG, false),
    ENQUEUED_TIME_UTC("EnqueuedTimeUtc", Kind.DATE_TIME, false),
    EXPIRES_AT_UTC("ExpiresAtUtc", Kind.DATE_TIME, false),
    FORCE_PERSISTENCE("ForcePersistence", Kind.BOOLEAN, true),
    LABEL("Label", Kind.STRING, true),
    MESSAGE_ID("MessageId", Kind.STRING, true),
    PARTITION_KEY("PartitionKey", Kind.STRING, true),
    REPLY_TO("ReplyTo", Kind.STRING, true),
    REPLY_TO_SESSION_ID("ReplyToSessionId", Kind.STRING, true),
    SCHEDULED_ENQUEUE_TIME_UTC("ScheduledEnqueueTimeUtc", Kind.DATE_TIME, true),
    SEQUENCE_NUMBER("SequenceNumber", Kind.LONG, false),
    SESSION_ID("SessionId", Kind.STRING, true),
    SIZE("Size", Kind.LONG, false),
    TIME_TO_LIVE("TimeToLive", Kind.TIME_SPAN, true),
    TO("To", Kind.STRING, true),
    VIA_PARTITION_KEY("ViaPartitionKey", Kind.STRING, true);

    private static final Map<String, SystemProperty> BY_NAME = new HashMap<>();

    static {
        for (SystemProperty property : values()) {
            BY_NAME.put(PropertyName.fold(property.text), property);
        }
        BY_NAME.put(PropertyName.fold("Subject"), LABEL); // the name in newer clients
    }

    private final String text;
    private final Kind kind;
    private final boolean settable;

    SystemProperty(String text, Kind kind, boolean settable) {
        this.text = text;
        this.kind = kind;
        this.settable = settable;
    }

    /** Returns the property with that name, compared without case, or null if there is none. */
    public static @Nullable SystemProperty named(String name) {
        return BY_NAME.get(PropertyName.fold(name));
    }

    /** Returns the name as Service Bus writes it. */
    public String text() {
        return text;
    }

    /** Returns the type of its value when it is set. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether an action can set it. */
    public boolean isSettable() {
        return settable;
    }
}
