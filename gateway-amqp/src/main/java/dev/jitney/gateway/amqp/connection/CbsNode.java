package dev.jitney.gateway.amqp.connection;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.codec.EncoderState;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** The node that takes tokens (wire reference 2): it checks them and remembers what they permit. */
final class CbsNode implements RequestNode {
    static final String ADDRESS = "$cbs";
    /** More than any token needs. */
    static final int REQUEST_BYTES_MAX = 1 << 20;

    private static final String SAS = "servicebus.windows.net:sastoken";
    private static final int ACCEPTED = 202;

    private final AmqpConnection connection;

    CbsNode(AmqpConnection connection) {
        this.connection = connection;
    }

    @Override
    public void handle(ProtonBuffer payload, Responder responder) {
        CbsRequest request;
        try {
            request = CbsRequest.decode(payload);
        } catch (RuntimeException malformed) {
            Rejection why = new Rejection(ErrorCode.DECODE_ERROR, "Expected an AMQP message, but it does not decode.");
            responder.respond(null, response(null, null, why));
            return;
        }
        Rejection rejection = putToken(request);
        responder.respond(request.replyTo(), response(request.messageId(), request.replyTo(), rejection));
    }

    private @Nullable Rejection putToken(CbsRequest request) {
        if (!"put-token".equals(request.operation())) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED, "Expected operation put-token, but got '" + request.operation() + "'.");
        }
        if (!SAS.equals(request.type())) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED, "Expected a token of type " + SAS + ", but got '" + request.type() + "'.");
        }
        if (request.audience() == null) {
            return new Rejection(ErrorCode.ARGUMENT, "Expected the audience in property 'name', but it is missing.");
        }
        EntityAddress audience = EntityAddress.parse(request.audience());
        Grant grant;
        try {
            grant = SharedAccessSignature.check(
                    request.token(), audience, connection.namespace(), connection.nowMs());
        } catch (AuthenticationException refused) {
            return refused.rejection();
        }
        // The token is good, so its owner may know whether the entity exists (wire reference 2.3).
        if (!audience.path().isEmpty() && connection.namespace().entity(audience.path()) == null) {
            return connection.notFound(audience);
        }
        connection.authorization().put(audience, grant);
        return null;
    }

    private ProtonBuffer response(@Nullable Object correlationId, @Nullable String to, @Nullable Rejection rejection) {
        Properties properties = new Properties();
        properties.setCorrelationId(correlationId);
        properties.setTo(to);
        Map<String, Object> application = new LinkedHashMap<>();
        application.put("status-code", rejection == null ? ACCEPTED : rejection.code().httpStatus());
        application.put(
                "status-description",
                rejection == null ? "Accepted" : connection.errors().traced(rejection.description()));
        if (rejection != null) {
            application.put("error-condition", Symbol.valueOf(rejection.code().amqpCondition()));
        }
        Encoder encoder = CodecFactory.getEncoder();
        EncoderState state = encoder.newEncoderState();
        ProtonBuffer out = ProtonBufferAllocator.defaultAllocator().outputBuffer(256);
        encoder.writeObject(out, state, properties);
        encoder.writeObject(out, state, new ApplicationProperties(application));
        encoder.writeObject(out, state, new AmqpValue<>(Map.of()));
        return out;
    }
}
