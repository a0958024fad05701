package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.SharedAccessSignature;
import org.jspecify.annotations.Nullable;

/**
 * The check of credentials in requests (HTTP reference 1.5 to 1.7): shared access signatures, and tokens of an identity
 * provider. Others are refused with 401 and an explanation. For the event loop of the exchange.
 */
final class HttpAuthorization {
    private static final String WRAP = "WRAP ";

    private HttpAuthorization() {}

    /**
     * Checks a credential for one request.
     *
     * @param credential value of {@code Authorization}, or of one of the supplementary headers; null if there is none
     * @param entity the entity of the operation; the empty path means the namespace
     * @param requestPath decoded path of the request, which tokens may name instead of the entity
     * @param tokens the verified tokens of the request
     * @param role the role with which an identity needs none of the rights, or null
     * @param anyOf one of these rights is needed
     * @throws RefusedException with 401 and the sub-code of the reason
     */
    static Grant check(
            @Nullable String credential,
            EntityAddress entity,
            String requestPath,
            Namespace namespace,
            long nowMs,
            BearerTokens tokens,
            @Nullable OperatorRole role,
            AccessRight... anyOf)
            throws RefusedException {
        refuseRetired(credential);
        String token = BearerTokens.in(credential);
        Grant grant;
        try {
            grant = token == null
                    ? SharedAccessSignature.check(credential, entity, requestPath, namespace, nowMs)
                    : new IdentityGrant(tokens.identity(token), namespace.name(), tokens.provider());
        } catch (AuthenticationException refused) {
            throw new RefusedException(HttpError.of(refused));
        }
        require(grant, entity, nowMs, role, anyOf);
        return grant;
    }

    /**
     * Checks that a grant has one of some rights, or that an identity has a role.
     *
     * @param role the role with which an identity needs none of the rights, or null
     * @throws RefusedException with 401 if it has none; with 403 if it is an identity without the role
     */
    static void require(
            Grant grant, EntityAddress entity, long nowMs, @Nullable OperatorRole role, AccessRight... anyOf)
            throws RefusedException {
        for (AccessRight right : anyOf) {
            if (grant.permits(right, entity, nowMs)) {
                return;
            }
        }
        if (role != null && grant.hasRole(role, entity, nowMs)) {
            return;
        }
        if (role != null && grant instanceof IdentityGrant) {
            OperatorRole actual = grant.role(entity, nowMs);
            throw new RefusedException(HttpError.forbidden("Expected the role '" + role.word() + "' or a higher one "
                    + (entity.path().isEmpty()
                            ? "on the namespace"
                            : "on '" + ClientText.abbreviate(entity.path()) + "'")
                    + ", but the identity has " + (actual == null ? "no role" : "the role '" + actual.word() + "'")
                    + " there. An operator of the server gives roles with --oidc-roles."));
        }
        throw new RefusedException(HttpError.unauthorized(
                "Unauthorized access. " + words(anyOf) + " required to perform this operation."));
    }

    private static String words(AccessRight... anyOf) {
        StringBuilder words = new StringBuilder();
        for (AccessRight right : anyOf) {
            words.append(words.isEmpty() ? "'" : " or '")
                    .append(right.name().charAt(0))
                    .append(right.name().substring(1).toLowerCase(java.util.Locale.ROOT))
                    .append('\'');
        }
        return words + (anyOf.length == 1 ? " claim is" : " claims are");
    }

    private static void refuseRetired(@Nullable String credential) throws RefusedException {
        if (credential != null && credential.strip().regionMatches(true, 0, WRAP, 0, WRAP.length())) {
            throw new RefusedException(
                    HttpError.unauthorized("Expected a shared access signature, but got a token of the"
                            + " retired Access Control Service, which Jitney does not support."));
        }
    }
}
