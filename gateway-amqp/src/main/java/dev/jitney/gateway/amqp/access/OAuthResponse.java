package dev.jitney.gateway.amqp.access;

import dev.jitney.runtime.security.IdentityProvider;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The initial response of the SASL mechanisms OAUTHBEARER (RFC 7628, 3.1) and XOAUTH2: fields that end with the byte 1,
 * among them {@code auth=Bearer TOKEN}. OAUTHBEARER has a header of GS2 before them, XOAUTH2 a field {@code user}. Both
 * names are ignored: the token alone names its owner.
 */
final class OAuthResponse {
    /** The size limit: a token, and the names before it. */
    static final int BYTES_MAX = IdentityProvider.TOKEN_CHARACTERS_MAX + 2_048;

    private static final String AUTH = "auth=";
    private static final String BEARER = "Bearer ";

    private OAuthResponse() {}

    /** Returns the token in a response, or null if there is none, or more than one. */
    static @Nullable String token(byte[] response) {
        String token = null;
        for (String field : new String(response, StandardCharsets.UTF_8).split("\1", -1)) {
            if (!field.regionMatches(true, 0, AUTH, 0, AUTH.length())) {
                continue;
            }
            if (token != null || !field.regionMatches(true, AUTH.length(), BEARER, 0, BEARER.length())) {
                return null;
            }
            token = field.substring(AUTH.length() + BEARER.length()).strip();
        }
        return token;
    }
}
