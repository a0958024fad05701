package dev.jitney.cli.message;

import com.azure.core.amqp.models.AmqpAddress;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.value.TypedValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the properties of a new message, without its id and its time. */
public final class MessageProperties {
    @Option(
            names = {"-p", "--property"},
            paramLabel = "NAME[:TYPE]=VALUE",
            converter = PropertyOption.Converter.class,
            description = "Application property. May be repeated. TYPE is one of " + TypedValues.TYPES + ".")
    private List<PropertyOption> properties = new ArrayList<>();

    @Option(names = "--session-id", paramLabel = "ID", description = "Session id.")
    private @Nullable String sessionId;

    @Option(names = "--partition-key", paramLabel = "KEY", description = "Partition key.")
    private @Nullable String partitionKey;

    @Option(names = "--subject", paramLabel = "TEXT", description = "Subject, also called label.")
    private @Nullable String subject;

    @Option(names = "--content-type", paramLabel = "TYPE", description = "Content type, for example application/json.")
    private @Nullable String contentType;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "Correlation id.")
    private @Nullable String correlationId;

    @Option(names = "--to", paramLabel = "TEXT", description = "Property To. The broker does not use it.")
    private @Nullable String to;

    @Option(names = "--reply-to", paramLabel = "ENTITY", description = "Queue or topic for replies.")
    private @Nullable String replyTo;

    @Option(names = "--reply-to-session-id", paramLabel = "ID", description = "Session id for replies.")
    private @Nullable String replyToSessionId;

    @Option(
            names = "--time-to-live",
            paramLabel = "DURATION",
            description = "Time to live, from now (default: that of the entity).")
    private @Nullable String timeToLive;

    /** Returns the time to live, or null. Throws a {@link Failure} if it is wrong. */
    @Nullable
    Duration timeToLive() {
        return timeToLive == null ? null : MessageCommand.duration("--time-to-live", timeToLive);
    }

    /** Sets the properties of a message of the SDK. */
    void applyTo(ServiceBusMessage message) {
        message.setSessionId(sessionId);
        if (partitionKey != null) {
            message.setPartitionKey(partitionKey);
        }
        message.setSubject(subject)
                .setContentType(contentType)
                .setCorrelationId(correlationId)
                .setReplyTo(replyTo)
                .setReplyToSessionId(replyToSessionId);
        if (to != null) {
            message.getRawAmqpMessage().getProperties().setTo(new AmqpAddress(to));
        }
        Duration life = timeToLive();
        if (life != null) {
            message.setTimeToLive(life);
        }
        properties.forEach(property -> message.getApplicationProperties().put(property.name(), property.value()));
    }

    /** Returns the properties as members of a document of the operator API. */
    public Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("sessionId", sessionId);
        members.put("partitionKey", partitionKey);
        members.put("subject", subject);
        members.put("contentType", contentType);
        members.put("correlationId", correlationId);
        members.put("to", to);
        members.put("replyTo", replyTo);
        members.put("replyToSessionId", replyToSessionId);
        Duration life = timeToLive();
        members.put("timeToLive", life == null ? null : life.toMillis());
        members.values().removeIf(value -> value == null);
        if (!properties.isEmpty()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            properties.forEach(property -> values.put(property.name(), TypedValues.toJson(property.value())));
            members.put("applicationProperties", values);
        }
        return members;
    }
}
