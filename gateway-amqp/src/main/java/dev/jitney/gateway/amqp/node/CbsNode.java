package dev.jitney.gateway.amqp.node;

import dev.jitney.codec.Symbol;
import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.access.CredentialGate;
import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.management.RequestMessage;
import dev.jitney.gateway.amqp.management.ResponseMessage;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** The node for tokens (wire reference 2). It checks tokens and stores their permissions. */
public final class CbsNode implements RequestNode {
    public static final String ADDRESS = "$cbs";
    /** The size limit of a request: more than any token needs. */
    public static final int REQUEST_BYTES_MAX = 256 * 1024;

    private static final String SAS = "servicebus.windows.net:sastoken";
    private static final int ACCEPTED = 202;

    private final ConnectionAccess access;

    public CbsNode(ConnectionAccess access) {
        this.access = access;
    }

    @Override
    public void handle(ProtonBuffer payload, CommandTarget target, Responder responder) {
        RequestMessage request = RequestMessage.decode(payload);
        Rejection rejection = request.problem() == null ? putToken(request) : request.problem();
        responder.respond(request.replyTo(), response(request, rejection));
    }

    private @Nullable Rejection putToken(RequestMessage request) {
        String operation = request.textProperty("operation");
        if (!"put-token".equals(operation)) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED, "Expected operation put-token, but got '" + shown(operation) + "'.");
        }
        String type = request.textProperty("type");
        if (!SAS.equals(type)) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED, "Expected a token of type " + SAS + ", but got '" + shown(type) + "'.");
        }
        String name = request.textProperty("name");
        if (name == null) {
            return new Rejection(ErrorCode.ARGUMENT, "Expected the audience in property 'name', but it is missing.");
        }
        int query = name.indexOf('?');
        EntityAddress audience = EntityAddress.parse(query < 0 ? name : name.substring(0, query));
        String token = request.body() instanceof String text ? text : null;
        if (!access.gate().isOpenFor(token)) {
            access.uncheckedCredential();
            return CredentialGate.busy();
        }
        Namespace namespace = access.judging(token);
        Grant grant;
        try {
            grant = SharedAccessSignature.check(token, audience, namespace, access.nowMs());
        } catch (AuthenticationException refused) {
            access.refusedCredential(namespace);
            if (refused.isWrongKey()) {
                access.gate().checked(namespace, token, false);
            }
            return refused.rejection();
        }
        access.gate().checked(namespace, token, true);
        if (!access.belongsTo(namespace)) {
            return Rejection.of(ErrorCode.QUOTA_EXCEEDED);
        }
        // The token is valid, so its owner may know whether the entity exists (wire reference 2.3).
        if (!audience.path().isEmpty() && namespace.entity(audience.path()) == null) {
            return access.refusals().notFound(audience);
        }
        access.authorization().put(audience, grant);
        return null;
    }

    private static String shown(@Nullable String text) {
        return text == null ? "nothing" : ClientText.abbreviate(text);
    }

    private ProtonBuffer response(RequestMessage request, @Nullable Rejection rejection) {
        Map<String, Object> application = new LinkedHashMap<>();
        if (rejection == null) {
            application.put("status-code", ACCEPTED);
            application.put("status-description", "Accepted");
        } else {
            application.put("status-code", rejection.code().httpStatus());
            application.put("status-description", access.errors().describe(rejection, ""));
            application.put("error-condition", new Symbol(rejection.code().amqpCondition()));
        }
        return ResponseMessage.encode(request.messageId(), request.replyTo(), application, Map.of());
    }
}
