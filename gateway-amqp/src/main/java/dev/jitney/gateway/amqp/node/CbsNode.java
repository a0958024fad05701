package dev.jitney.gateway.amqp.node;

import dev.jitney.codec.Symbol;
import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.access.CredentialGate;
import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.management.RequestMessage;
import dev.jitney.gateway.amqp.management.ResponseMessage;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The node for tokens (wire reference 2). It checks shared access signatures and, if the server has an identity provider, its
 * tokens, and stores their permissions.
 */
public final class CbsNode implements RequestNode {
    public static final String ADDRESS = "$cbs";
    /** The size limit of a request: more than any token needs. */
    public static final int REQUEST_BYTES_MAX = 256 * 1024;

    private static final String SAS = "servicebus.windows.net:sastoken";
    private static final String JWT = "jwt";

    /** The other name of that type (wire reference 2.2). */
    private static final String AMQP_JWT = "amqp:jwt";

    private static final int ACCEPTED = 202;

    private final ConnectionAccess access;
    private final ConnectionLoop loop;

    public CbsNode(ConnectionAccess access, ConnectionLoop loop) {
        this.access = access;
        this.loop = loop;
    }

    @Override
    public void handle(ProtonBuffer payload, CommandTarget target, Responder responder) {
        RequestMessage request = RequestMessage.decode(payload);
        Rejection malformed = request.problem() == null ? malformed(request) : request.problem();
        if (malformed != null) {
            respond(responder, request, malformed);
        } else if (isJwt(request.textProperty("type"))) {
            putIdentity(request, responder);
        } else {
            respond(responder, request, putSignature(request));
        }
    }

    private void respond(Responder responder, RequestMessage request, @Nullable Rejection rejection) {
        responder.respond(request.replyTo(), response(request, rejection));
    }

    private static boolean isJwt(@Nullable String type) {
        return JWT.equals(type) || AMQP_JWT.equals(type);
    }

    private @Nullable Rejection malformed(RequestMessage request) {
        String operation = request.textProperty("operation");
        if (!"put-token".equals(operation)) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED, "Expected operation put-token, but got '" + shown(operation) + "'.");
        }
        String type = request.textProperty("type");
        boolean withProvider = access.identities().isConfigured();
        if (!SAS.equals(type) && !(withProvider && isJwt(type))) {
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED,
                    "Expected a token of type " + SAS + (withProvider ? " or " + JWT : "") + ", but got '" + shown(type)
                            + "'."
                            + (isJwt(type) ? " An operator can set an identity provider with --oidc-issuer." : ""));
        }
        return request.textProperty("name") == null
                ? new Rejection(ErrorCode.ARGUMENT, "Expected the audience in property 'name', but it is missing.")
                : null;
    }

    private @Nullable Rejection putSignature(RequestMessage request) {
        EntityAddress audience = audience(request);
        String token = request.body() instanceof String text ? text : null;
        if (!access.gate().isOpenFor(token)) {
            access.uncheckedCredential();
            return CredentialGate.busy();
        }
        Namespace namespace = access.judging(token);
        try {
            Grant grant = SharedAccessSignature.check(token, audience, namespace, access.nowMs());
            access.gate().checked(namespace, token, true);
            return put(audience, grant, namespace);
        } catch (AuthenticationException refused) {
            access.refusedCredential(namespace);
            if (refused.isWrongKey()) {
                access.gate().checked(namespace, token, false);
            }
            return refused.rejection();
        }
    }

    /** Verifies a token of the identity provider. The answer follows at once if the key of the token is known. */
    private void putIdentity(RequestMessage request, Responder responder) {
        String token = request.body() instanceof String text ? text : "";
        if (!access.gate().isOpen(CredentialGate.IDENTITY)) {
            access.uncheckedCredential();
            respond(responder, request, CredentialGate.busy());
            return;
        }
        CompletableFuture<Identity> verified =
                access.identities().verify(token, access.nowMs()).toCompletableFuture();
        if (verified.isDone()) {
            respond(responder, request, put(request, verified));
        } else {
            verified.whenCompleteAsync(
                    (identity, failure) -> loop.guarded(() -> {
                        if (!loop.isEnded()) {
                            respond(responder, request, put(request, verified));
                        }
                    }),
                    loop.executor());
        }
    }

    private @Nullable Rejection put(RequestMessage request, CompletableFuture<Identity> verified) {
        EntityAddress audience = audience(request);
        try {
            Identity identity = verified.join();
            access.gate().accepted(CredentialGate.IDENTITY);
            Namespace namespace = access.judging(identity, Objects.requireNonNull(request.textProperty("name")));
            Grant grant = new IdentityGrant(identity, namespace.name(), access.identities());
            boolean useful = audience.path().isEmpty()
                    ? !identity.permissions().isEmpty()
                    : Arrays.stream(AccessRight.values())
                            .anyMatch(right -> grant.permits(right, audience, access.nowMs()));
            if (useful) {
                return put(audience, grant, namespace);
            }
            access.refusedCredential(namespace);
            return new Rejection(
                    ErrorCode.UNAUTHORIZED,
                    "Expected a token with a role that gives rights on '" + ClientText.abbreviate(audience.path())
                            + "', but that of '" + identity.holder()
                            + "' has none. Give it a role, or map one of its roles with --oidc-roles.");
        } catch (CompletionException failed) {
            AuthenticationException refused = failed.getCause() instanceof AuthenticationException known
                    ? known
                    : AuthenticationException.of(
                            AuthenticationException.Reason.UNAVAILABLE,
                            "The token could not be verified because of an internal error. Try again.");
            if (!refused.isTemporary()) {
                access.refusedCredential(access.namespace());
            }
            if (refused.isWrongKey()) {
                access.gate().refused(access.namespace(), CredentialGate.IDENTITY);
            }
            return refused.rejection();
        }
    }

    private @Nullable Rejection put(EntityAddress audience, Grant grant, Namespace namespace) {
        if (!access.belongsTo(namespace)) {
            return Rejection.of(ErrorCode.QUOTA_EXCEEDED);
        }
        // The token is valid, so its owner may know whether the entity exists (wire reference 2.3).
        if (!audience.path().isEmpty() && namespace.entity(audience.path()) == null) {
            return access.refusals().notFound(audience);
        }
        access.authorization().put(audience, grant);
        access.noteAuthentication(); // at once: until then, a new connection may take the place of this one
        return null;
    }

    private static EntityAddress audience(RequestMessage request) {
        String name = Objects.requireNonNull(request.textProperty("name"));
        int query = name.indexOf('?');
        return EntityAddress.parse(query < 0 ? name : name.substring(0, query));
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
