package dev.jitney.gateway.amqp.message;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.LogKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The description of an error condition in the form of Service Bus: the error, a tracking id, the system and the time
 * (GEN-1, wire reference 9.2). Never empty. Any thread may call it.
 */
public final class ErrorText {
    /** The phrase by which two clients recognize a missing entity (wire reference 9.2). */
    private static final Pattern NOT_FOUND = Pattern.compile("The messaging entity .* could not be found");

    private static final Logger LOG = LoggerFactory.getLogger(ErrorText.class);

    private final String namespace;
    private final Predicate<String> topics;
    private final String connection;
    private final Clock clock;

    /**
     * Creates texts for a namespace whose entities are unknown.
     *
     * @param namespace name of the namespace, shown as the first part of the system tracker
     * @param clock the broker's clock
     */
    public ErrorText(String namespace, Clock clock) {
        this(namespace, path -> false, "", clock);
    }

    /**
     * Creates texts for one connection.
     *
     * @param topics returns whether an entity is a topic, by its path; a path that is neither a topic nor a
     *               subscription is shown as a queue
     * @param connection container id of the connection, under which its texts appear in the log
     */
    public ErrorText(String namespace, Predicate<String> topics, String connection, Clock clock) {
        this.namespace = namespace;
        this.topics = topics;
        this.connection = connection;
        this.clock = clock;
    }

    /**
     * Returns the description to send with a rejection, and logs it under its tracking id. Refusals are logged at
     * DEBUG, because clients can cause any number of them; failures of the server are logged as errors.
     *
     * @param path entity concerned, or an empty text if there is none
     */
    public String describe(Rejection rejection, String path) {
        String description =
                rejection.description().isBlank() ? rejection.code().text() : rejection.description();
        if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND
                && !NOT_FOUND.matcher(description).find()) {
            description = "The messaging entity '" + namespace + ":" + path + "' could not be found.";
        }
        String tracker = path.isEmpty() ? namespace : namespace + ":" + tracked(path);
        String trackingId = UUID.randomUUID().toString();
        LOG.atLevel(rejection.code() == ErrorCode.INTERNAL ? Level.ERROR : Level.DEBUG)
                .addKeyValue(LogKeys.TRACKING_ID, trackingId)
                .addKeyValue(LogKeys.NAMESPACE, namespace)
                .addKeyValue(LogKeys.ENTITY, path)
                .addKeyValue(LogKeys.CONNECTION, connection)
                .log("Answered {}: {}", rejection.code(), description);
        return description + " TrackingId:" + trackingId + ", SystemTracker:" + tracker + ", Timestamp:"
                + Instant.ofEpochMilli(clock.nowMs()).truncatedTo(ChronoUnit.SECONDS);
    }

    private String tracked(String path) {
        EntityAddress address = EntityAddress.ofPath(path);
        return address.subscription() != null
                ? "Topic:" + address.topic() + "|" + address.subscription()
                : (topics.test(path) ? "Topic:" : "Queue:") + path;
    }
}
