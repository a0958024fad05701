package dev.jitney.server.identity;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a discovery document that the login of people needs (OpenID Connect Discovery 1.0, section 3).
 *
 * @param authorization the address to which browsers go
 * @param token         the address that exchanges codes for tokens
 * @param endSession    the address that ends a session at the provider, or null
 * @param namesIssuer   whether each answer has the parameter {@code iss} (RFC 9207)
 * @param secretInBody  whether the secret of a client belongs into the body of a request, and not into its header
 */
record ProviderDocument(
        URI authorization, URI token, @Nullable URI endSession, boolean namesIssuer, boolean secretInBody) {

    /** Returns the address of the discovery document of an issuer. */
    static URI addressOf(String issuer) {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return URI.create(base + "/.well-known/openid-configuration");
    }

    /** @throws KeysUnreadableException if it is not a discovery document of the issuer for logins with PKCE */
    static ProviderDocument parse(String issuer, String text) {
        URI from = addressOf(issuer);
        Map<String, Object> members;
        try {
            JsonDepth.check(text);
            members = JSONObjectUtils.parse(text);
        } catch (ParseException | RuntimeException notJson) {
            throw new KeysUnreadableException("Expected a discovery document at " + from + ", but it is not JSON.");
        }
        if (!issuer.equals(members.get("issuer"))) {
            throw new KeysUnreadableException(
                    "Expected the issuer '" + issuer + "' in " + from + ", but it has another one.");
        }
        List<?> challenges = list(members, "code_challenge_methods_supported");
        if (!challenges.isEmpty() && !challenges.contains("S256")) {
            throw new KeysUnreadableException(
                    "Expected a provider that supports PKCE with S256, but " + from + " names other methods.");
        }
        URI endSession = members.get("end_session_endpoint") == null ? null : address(members, "end_session_endpoint");
        List<?> secrets = list(members, "token_endpoint_auth_methods_supported");
        return new ProviderDocument(
                address(members, "authorization_endpoint"),
                address(members, "token_endpoint"),
                endSession,
                Boolean.TRUE.equals(members.get("authorization_response_iss_parameter_supported")),
                !secrets.isEmpty()
                        && !secrets.contains("client_secret_basic")
                        && secrets.contains("client_secret_post"));
    }

    private static List<?> list(Map<String, Object> members, String name) {
        return members.get(name) instanceof List<?> list ? list : List.of();
    }

    private static URI address(Map<String, Object> members, String name) {
        try {
            URI address = OidcSettings.address(name, String.valueOf(members.get(name)));
            OidcSettings.requireSafe(name, address);
            return address;
        } catch (IllegalArgumentException wrong) {
            throw new KeysUnreadableException("The discovery document has a wrong address. " + wrong.getMessage());
        }
    }
}
