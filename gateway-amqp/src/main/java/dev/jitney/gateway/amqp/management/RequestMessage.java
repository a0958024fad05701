package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.codec.Unsigned;
import dev.jitney.codec.ValueReader;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.model.Rejection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A decoded request to {@code $management} or {@code $cbs}.
 *
 * <p>Decoding never fails. If the bytes are damaged, everything before the damage is available, so that the answer
 * still reaches the client, and {@link #problem()} describes the damage. Values are mapped as in {@link ValueReader};
 * memory is proportional to the encoded size.
 */
public final class RequestMessage {
    private static final int REPLY_TO = 4;

    private @Nullable Object messageId;
    private @Nullable String replyTo;
    private final Map<String, @Nullable Object> applicationProperties = new HashMap<>();
    private @Nullable Object body;
    private Map<String, byte[]> encodedMaps = Map.of();
    private @Nullable Rejection problem;

    private RequestMessage() {}

    /** Decodes a message. The buffer and its offsets do not change. */
    public static RequestMessage decode(ProtonBuffer encoded) {
        RequestMessage request = new RequestMessage();
        try {
            request.read(ProtonBuffers.reader(encoded));
        } catch (MessageFormatException damaged) {
            request.problem = damaged.rejection();
        }
        return request;
    }

    private void read(AmqpReader in) throws MessageFormatException {
        while (in.hasRemaining()) {
            switch (Sections.enter(in)) {
                case Sections.PROPERTIES -> readProperties(in);
                case Sections.APPLICATION_PROPERTIES -> readApplicationProperties(in);
                case Sections.AMQP_VALUE, Sections.DATA -> {
                    AmqpReader again = in.fork();
                    body = ValueReader.read(in);
                    if (body instanceof Map) {
                        encodedMaps = ValueReader.encodedMaps(again);
                    }
                }
                default -> in.skipValue();
            }
        }
    }

    private void readProperties(AmqpReader in) throws MessageFormatException {
        if (!(ValueReader.read(in) instanceof List<?> fields)) {
            throw MessageFormatException.decodeError(
                    "Expected a list as the properties section, but got another value.");
        }
        Object id = fields.isEmpty() ? null : fields.get(0);
        Object reply = fields.size() <= REPLY_TO ? null : fields.get(REPLY_TO);
        replyTo = reply instanceof String address ? address : null;
        boolean isId = id instanceof String
                || id instanceof Unsigned number && number.bits() == Long.SIZE
                || id instanceof UUID
                || id instanceof byte[];
        if (id != null && !isId) {
            throw MessageFormatException.decodeError(
                    "Expected a message id of type string, ulong, uuid or binary, but got another type.");
        }
        messageId = id;
    }

    private void readApplicationProperties(AmqpReader in) throws MessageFormatException {
        if (!(ValueReader.read(in) instanceof Map<?, ?> entries)) {
            throw MessageFormatException.decodeError(
                    "Expected a map of application properties, but got another value.");
        }
        entries.forEach((key, value) -> applicationProperties.put(String.valueOf(key), value));
    }

    /**
     * Returns the message id as a string, {@link Unsigned}, UUID or {@code byte[]}, or null if there is none. The
     * answer returns it as the correlation id.
     */
    public @Nullable Object messageId() {
        return messageId;
    }

    /** Returns the address for the answer, or null. */
    public @Nullable String replyTo() {
        return replyTo;
    }

    /** Returns the application properties by name, possibly none. */
    public Map<String, @Nullable Object> applicationProperties() {
        return applicationProperties;
    }

    /** Returns the application property of that name if it is a string or symbol, otherwise null. */
    public @Nullable String textProperty(String name) {
        return applicationProperties.get(name) instanceof String text ? text : null;
    }

    /** Returns the value of the body, or null if there is none. */
    public @Nullable Object body() {
        return body;
    }

    /** Returns the error in the bytes, or null. */
    public @Nullable Rejection problem() {
        return problem;
    }

    /** Returns the encoded maps inside the body's map, by name. */
    Map<String, byte[]> encodedMaps() {
        return encodedMaps;
    }
}
