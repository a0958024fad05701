package dev.jitney.gateway.amqp.message;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The text that goes with an error condition: what happened, then a tracking id, the system and the time, in the form
 * of the cloud (GEN-1, wire reference 9.2). Never empty. Any thread may call it.
 */
public final class ErrorText {
    /** Two clients tell a missing entity from other problems by this phrase (wire reference 9.2). */
    private static final Pattern NOT_FOUND = Pattern.compile("The messaging entity .* could not be found");

    private final String namespace;
    private final Clock clock;

    /**
     * Makes texts for one namespace.
     *
     * @param namespace its name, shown as the first part of the system tracker
     * @param clock the broker's clock
     */
    public ErrorText(String namespace, Clock clock) {
        this.namespace = namespace;
        this.clock = clock;
    }

    /**
     * The description to be sent with a rejection.
     *
     * @param path the entity concerned, or an empty text if there is none
     */
    public String describe(Rejection rejection, String path) {
        String description =
                rejection.description().isBlank() ? rejection.code().text() : rejection.description();
        if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND
                && !NOT_FOUND.matcher(description).find()) {
            description = "The messaging entity '" + namespace + ":" + path + "' could not be found.";
        }
        String tracker = path.isEmpty() ? namespace : namespace + ":Queue:" + path;
        return description + " TrackingId:" + UUID.randomUUID() + ", SystemTracker:" + tracker + ", Timestamp:"
                + Instant.ofEpochMilli(clock.nowMs()).truncatedTo(ChronoUnit.SECONDS);
    }
}
