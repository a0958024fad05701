package dev.jitney.paired.internal.message;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of messages to their form in a backlog queue and back (PAIR-38, PAIR-50, PAIR-51).
 *
 * <p>Properties that would change how a backlog queue treats a message are moved into application properties:
 *
 * <table>
 * <caption>Aliases</caption>
 * <tr><th>Property</th><th>Alias</th><th>Written when</th><th>AMQP type</th></tr>
 * <tr><td>session id</td><td>{@code x-ms-sessionid}</td><td>set</td><td>string</td></tr>
 * <tr><td>time to live</td><td>{@code x-ms-timetolive}</td><td>set and not the maximum</td><td>com.microsoft:timespan</td></tr>
 * <tr><td>scheduled enqueue time</td><td>{@code x-ms-scheduledenqueuetimeutc}</td><td>set</td><td>timestamp</td></tr>
 * <tr><td>destination</td><td>{@code x-ms-path}</td><td>always</td><td>string</td></tr>
 * </table>
 */
public final class DivertedMessages {
    public static final String SESSION_ID = "x-ms-sessionid";
    public static final String TIME_TO_LIVE = "x-ms-timetolive";
    public static final String SCHEDULED_ENQUEUE_TIME = "x-ms-scheduledenqueuetimeutc";
    public static final String PATH = "x-ms-path";

    /** {@code TimeSpan.MaxValue}, the time to live of a message that does not expire: 2^63 - 1 ticks of 100 ns. */
    public static final Duration FOR_EVER = Duration.parse("P10675199DT2H48M5.4775807S");

    /** The longest time to live on the wire: 32 bits of milliseconds (AMQP 1.0 part 3, 3.2.1). */
    private static final Duration WRITABLE_MAX = Duration.ofMillis(0xffff_ffffL);

    private static final List<String> ALIASES = List.of(PATH, SESSION_ID, TIME_TO_LIVE, SCHEDULED_ENQUEUE_TIME);

    private static final String SCHEDULED_ANNOTATION = "x-opt-scheduled-enqueue-time";

    private DivertedMessages() {}

    /**
     * Returns a copy of the message for a backlog queue. The message itself is unchanged (PAIR-55). A message without an id gets
     * one, which it keeps in the primary.
     *
     * @param path of the queue or topic in the primary namespace
     * @throws IllegalStateException if the body cannot be copied
     * @throws IllegalArgumentException if the SDK could not send the message to the primary either, or if it has an
     *         application property with the name of an alias, which would be overwritten
     */
    public static ServiceBusMessage alter(ServiceBusMessage message, String path) {
        ServiceBusMessage altered = MessageCopy.of(message.getRawAmqpMessage());
        Map<String, Object> properties = altered.getApplicationProperties();
        for (String alias : ALIASES) {
            if (properties.containsKey(alias)) {
                throw new IllegalArgumentException("Expected no application property " + alias
                        + ", because backlog queues use this name, but the message has one. Rename the property.");
            }
        }
        if (altered.getMessageId() == null) {
            // All copies of the message then have the same id, so that a primary with duplicate detection keeps one.
            altered.setMessageId(UUID.randomUUID().toString());
        }
        String sessionId = altered.getSessionId();
        if (sessionId != null) {
            properties.put(SESSION_ID, sessionId);
            altered.getRawAmqpMessage().getProperties().setGroupId(null);
        }
        Duration timeToLive = altered.getTimeToLive();
        if (timeToLive != null) {
            if (timeToLive.compareTo(FOR_EVER) < 0) {
                requireWritable(timeToLive);
                properties.put(TIME_TO_LIVE, timeToLive);
            }
            altered.getRawAmqpMessage().getHeader().setTimeToLive(null);
        }
        OffsetDateTime scheduled = message.getScheduledEnqueueTime();
        if (scheduled != null) {
            properties.put(SCHEDULED_ENQUEUE_TIME, Date.from(scheduled.toInstant()));
        }
        altered.getRawAmqpMessage().getMessageAnnotations().remove(SCHEDULED_ANNOTATION);
        properties.put(PATH, path);
        return altered;
    }

    /** Refuses a time to live that the SDK cannot send. Otherwise only the syphon would fail, too late for the caller. */
    private static void requireWritable(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.compareTo(WRITABLE_MAX) > 0) {
            throw new IllegalArgumentException("Expected a timeToLive of 0 to " + WRITABLE_MAX.toMillis()
                    + " ms, the range that the SDK can send, but it is " + timeToLive + ".");
        }
    }

    /**
     * Restores the application's message from a message of a backlog queue.
     *
     * @throws NotDivertedException if a required alias is missing, or has a wrong type (PAIR-45, PAIR-46)
     */
    public static Restored restore(AmqpAnnotatedMessage delivered) throws NotDivertedException {
        Map<String, Object> properties = delivered.getApplicationProperties();
        String path = alias(properties, PATH, String.class);
        if (path == null || path.isBlank()) {
            throw new NotDivertedException(
                    "Expected the path of a queue or topic in " + PATH + ", but the message has none.");
        }
        String sessionId = alias(properties, SESSION_ID, String.class);
        Duration timeToLive = alias(properties, TIME_TO_LIVE, Duration.class);
        if (timeToLive != null && timeToLive.isNegative()) {
            throw new NotDivertedException("Expected a duration in " + TIME_TO_LIVE + ", but it is negative.");
        }
        Instant scheduled = pointInTime(properties);

        ServiceBusMessage message = MessageCopy.of(delivered);
        for (String alias : ALIASES) {
            message.getApplicationProperties().remove(alias);
        }
        message.getRawAmqpMessage().getProperties().setGroupId(sessionId);
        message.getRawAmqpMessage().getHeader().setTimeToLive(timeToLive);
        // The broker computes this on delivery from the backlog queue's time to live.
        message.getRawAmqpMessage().getProperties().setAbsoluteExpiryTime(null);
        message.getRawAmqpMessage().getProperties().setCreationTime(null);
        message.getRawAmqpMessage().getMessageAnnotations().remove(SCHEDULED_ANNOTATION);
        if (scheduled != null) {
            message.setScheduledEnqueueTime(scheduled.atOffset(ZoneOffset.UTC));
        }
        return new Restored(path, message);
    }

    private static @Nullable Instant pointInTime(Map<String, Object> properties) throws NotDivertedException {
        Object value = properties.get(SCHEDULED_ENQUEUE_TIME);
        if (value instanceof OffsetDateTime moment) {
            return moment.toInstant();
        }
        if (value instanceof Instant moment) {
            return moment;
        }
        Date moment = alias(properties, SCHEDULED_ENQUEUE_TIME, Date.class);
        return moment == null ? null : moment.toInstant();
    }

    private static <T> @Nullable T alias(Map<String, Object> properties, String name, Class<T> type)
            throws NotDivertedException {
        Object value = properties.get(name);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw new NotDivertedException("Expected a " + type.getSimpleName() + " in " + name + ", but it is a "
                    + value.getClass().getSimpleName() + ".");
        }
        return type.cast(value);
    }

    /**
     * A restored message.
     *
     * @param path of the queue or topic in the primary namespace
     * @param message the message as the application sent it
     */
    public record Restored(String path, ServiceBusMessage message) {}
}
