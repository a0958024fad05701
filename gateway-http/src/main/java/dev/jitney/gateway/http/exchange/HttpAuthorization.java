package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of credentials in requests (HTTP reference 1.5 to 1.7). Other credentials than shared access signatures are
 * refused with 401 and an explanation. Any thread may call it.
 */
public final class HttpAuthorization {
    private static final String BEARER = "Bearer ";
    private static final String WRAP = "WRAP ";

    /** A token of Entra ID without a scheme, as the older Java client sends it. */
    private static final Pattern BARE_JWT = Pattern.compile("ey[\\w-]+\\.[\\w-]+\\.[\\w-]*");

    private HttpAuthorization() {}

    /**
     * Checks a credential for one request.
     *
     * @param credential value of {@code Authorization}, or of one of the supplementary headers; null if there is none
     * @param entity the entity of the operation; the empty path means the namespace
     * @param requestPath decoded path of the request, which tokens may name instead of the entity
     * @param anyOf one of these rights is needed
     * @throws RefusedException with 401 and the sub-code of the reason
     */
    public static Grant check(
            @Nullable String credential,
            EntityAddress entity,
            String requestPath,
            Namespace namespace,
            long nowMs,
            AccessRight... anyOf)
            throws RefusedException {
        refuseOtherKinds(credential);
        Grant grant;
        try {
            grant = SharedAccessSignature.check(credential, entity, requestPath, namespace, nowMs);
        } catch (AuthenticationException refused) {
            throw new RefusedException(HttpError.of(refused));
        }
        require(grant, entity, nowMs, anyOf);
        return grant;
    }

    /**
     * Checks that a grant has one of some rights.
     *
     * @throws RefusedException with 401 if it has none
     */
    static void require(Grant grant, EntityAddress entity, long nowMs, AccessRight... anyOf) throws RefusedException {
        for (AccessRight right : anyOf) {
            if (grant.permits(right, entity, nowMs)) {
                return;
            }
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

    private static void refuseOtherKinds(@Nullable String credential) throws RefusedException {
        if (credential == null) {
            return;
        }
        String text = credential.strip();
        String kind = null;
        if (text.regionMatches(true, 0, BEARER, 0, BEARER.length())
                || BARE_JWT.matcher(text).matches()) {
            kind = "a token of Microsoft Entra ID";
        } else if (text.regionMatches(true, 0, WRAP, 0, WRAP.length())) {
            kind = "a token of the retired Access Control Service";
        }
        if (kind != null) {
            throw new RefusedException(HttpError.unauthorized(
                    "Expected a shared access signature, but got " + kind + ", which Jitney does not support."));
        }
    }
}
