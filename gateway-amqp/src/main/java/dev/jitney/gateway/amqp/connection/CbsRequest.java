package dev.jitney.gateway.amqp.connection;

import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.DecodeException;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.DecoderState;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@code $cbs} (wire reference 2.2).
 *
 * @param messageId with the AMQP type it came in, which the answer must repeat
 */
record CbsRequest(
        @Nullable Object messageId,
        @Nullable String replyTo,
        @Nullable String operation,
        @Nullable String type,
        @Nullable String audience,
        @Nullable String token) {

    static CbsRequest decode(ProtonBuffer payload) throws DecodeException {
        Decoder decoder = CodecFactory.getDecoder();
        DecoderState state = decoder.newDecoderState();
        Object messageId = null;
        String replyTo = null;
        Map<String, ?> application = Map.of();
        Object body = null;
        while (payload.isReadable()) {
            Object section = decoder.readObject(payload, state);
            if (section instanceof Properties properties) {
                messageId = properties.getMessageId();
                replyTo = properties.getReplyTo();
            } else if (section instanceof ApplicationProperties properties && properties.getValue() != null) {
                application = properties.getValue();
            } else if (section instanceof AmqpValue<?> value) {
                body = value.getValue();
            }
        }
        return new CbsRequest(
                messageId,
                replyTo,
                text(application.get("operation")),
                text(application.get("type")),
                text(application.get("name")),
                text(body));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof CharSequence text ? text.toString() : null;
    }

    /** Tokens are secrets. */
    @Override
    public String toString() {
        return "CbsRequest[" + operation + " " + type + " " + audience + "]";
    }
}
