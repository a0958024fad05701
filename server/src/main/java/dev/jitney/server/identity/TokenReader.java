package dev.jitney.server.identity;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.jitney.model.ClientText;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.AuthenticationException.Reason;
import dev.jitney.runtime.security.IdentityProvider;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of everything in a token except its signature (RFC 7519 section 7.2, RFC 8725, RFC 9068 section 4): form,
 * algorithm, issuer, audience and times. It comes before the signature, so that a token of another issuer costs little and
 * never causes a read of keys.
 */
final class TokenReader {
    /** The accepted algorithms: asymmetric ones, so that a public key cannot be used as a secret. */
    static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    /** The claims that name the owner, the first that is there: some providers have tokens of programs without {@code sub}. */
    private static final List<String> SUBJECTS = List.of("sub", "azp", "appid", "client_id");

    private static final Pattern FORM = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]*");
    private static final int SUBJECT_CHARACTERS_MAX = 256;
    private static final int KEY_ID_CHARACTERS_MAX = 256;
    private static final int NAME_CHARACTERS_MAX = 256;

    /** The last second of the year 9999. */
    private static final double SECONDS_MAX = 253_402_300_799.0;

    private final OidcSettings settings;

    TokenReader(OidcSettings settings) {
        this.settings = settings;
    }

    /**
     * A token whose signature is not verified.
     *
     * @param members     all claims
     * @param signed      the bytes that the signature covers
     * @param expiresAtMs the time from which it is invalid, with the clock skew
     */
    record Unverified(
            JWSHeader header,
            Map<String, Object> members,
            byte[] signed,
            Base64URL signature,
            String subject,
            String name,
            List<String> roles,
            long expiresAtMs) {}

    /** @throws AuthenticationException if the token is refused, whatever its signature is */
    Unverified read(String token, long nowMs) throws AuthenticationException {
        if (token.length() > IdentityProvider.TOKEN_CHARACTERS_MAX) {
            throw malformed("Expected a token of at most " + IdentityProvider.TOKEN_CHARACTERS_MAX
                    + " characters, but got " + token.length() + ".");
        }
        if (!FORM.matcher(token).matches()) {
            throw malformed(
                    "Expected a signed JSON Web Token, which is three parts in base64url with dots between, but got another"
                            + " text.");
        }
        String[] parts = token.split("\\.", -1);
        JWSHeader header = header(parts[0]);
        Map<String, Object> claims = json(parts[1], "claims");
        requireIssuer(claims);
        requireAudience(claims);
        long expiresAtMs = expiry(claims, nowMs);
        return new Unverified(
                header,
                claims,
                (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII),
                new Base64URL(parts[2]),
                subject(claims),
                name(claims),
                roles(claims),
                expiresAtMs);
    }

    private static JWSHeader header(String part) throws AuthenticationException {
        Map<String, Object> members = json(part, "header");
        if (!(members.get("alg") instanceof String algorithm) || !ALGORITHMS.contains(algorithm)) {
            throw malformed("Expected one of the algorithms "
                    + String.join(", ", ALGORITHMS.stream().sorted().toList()) + " in the header of the token, but got "
                    + shown(members.get("alg")) + ".");
        }
        Object type = members.get("typ");
        if (type != null && !(type instanceof String text && TYPES.contains(text.toLowerCase(Locale.ROOT)))) {
            throw malformed("Expected the type JWT or at+jwt in the header of the token, but got " + shown(type) + ".");
        }
        if (members.containsKey("crit")) {
            throw malformed("Expected no critical header parameters in the token, but got 'crit'.");
        }
        if (!(members.get("kid") instanceof String id) || id.isEmpty() || id.length() > KEY_ID_CHARACTERS_MAX) {
            throw malformed(
                    "Expected the id of a key, 'kid', in the header of the token, but it is missing or too long.");
        }
        try {
            return JWSHeader.parse(members, new Base64URL(part));
        } catch (ParseException | RuntimeException wrong) {
            throw malformed("Expected a valid header in the token, but it cannot be read.");
        }
    }

    private static Map<String, Object> json(String part, String what) throws AuthenticationException {
        try {
            String text = new Base64URL(part).decodeToString();
            JsonDepth.check(text);
            return JSONObjectUtils.parse(text);
        } catch (ParseException | RuntimeException wrong) {
            throw malformed("Expected JSON of at most " + JsonDepth.LEVELS_MAX + " levels as the " + what
                    + " of the token, but it cannot be read.");
        }
    }

    private void requireIssuer(Map<String, Object> claims) throws AuthenticationException {
        if (!settings.issuer().equals(claims.get("iss"))) {
            throw AuthenticationException.of(
                    Reason.INVALID_SIGNATURE,
                    "Expected a token of the issuer '" + settings.issuer() + "', but got one of "
                            + shown(claims.get("iss")) + ".");
        }
    }

    private void requireAudience(Map<String, Object> claims) throws AuthenticationException {
        Object audience = claims.get("aud");
        List<?> all = audience instanceof List<?> list ? list : audience == null ? List.of() : List.of(audience);
        if (all.stream()
                .noneMatch(each ->
                        each instanceof String text && settings.audiences().contains(text))) {
            throw AuthenticationException.of(
                    Reason.INVALID_AUDIENCE,
                    "Expected a token for the audience '" + String.join("' or '", settings.audiences())
                            + "', but got one for " + shown(all.isEmpty() ? null : all.get(0)) + ".");
        }
    }

    private long expiry(Map<String, Object> claims, long nowMs) throws AuthenticationException {
        Long expiresAtMs = timeMs(claims, "exp");
        if (expiresAtMs == null) {
            throw malformed("Expected the expiry 'exp' in the token, but it is missing.");
        }
        long untilMs = expiresAtMs + settings.clockSkewMs();
        if (untilMs <= nowMs) {
            throw AuthenticationException.of(Reason.EXPIRED, "The token is expired. Get a new one.");
        }
        Long notBeforeMs = timeMs(claims, "nbf");
        if (notBeforeMs != null && notBeforeMs - settings.clockSkewMs() > nowMs) {
            throw AuthenticationException.of(
                    Reason.EXPIRED,
                    "The token is not valid yet. Compare the clock of this server with that of the identity provider.");
        }
        return untilMs;
    }

    private static @Nullable Long timeMs(Map<String, Object> claims, String name) throws AuthenticationException {
        Object value = claims.get(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Number number) || !(number.doubleValue() >= 0)) {
            throw malformed("Expected seconds since 1970 in the claim '" + name + "', but got another value.");
        }
        return (long) (Math.min(number.doubleValue(), SECONDS_MAX) * 1_000);
    }

    private static String subject(Map<String, Object> claims) throws AuthenticationException {
        for (String name : SUBJECTS) {
            if (claims.get(name) instanceof String text && !text.isBlank()) {
                if (text.length() > SUBJECT_CHARACTERS_MAX) {
                    throw malformed("Expected at most " + SUBJECT_CHARACTERS_MAX + " characters in the claim '" + name
                            + "', but got " + text.length() + ".");
                }
                return text;
            }
        }
        throw malformed("Expected the claim 'sub' in the token, but it is missing.");
    }

    private String name(Map<String, Object> claims) {
        Object value = claims.get(settings.nameClaim());
        return value instanceof String text && text.length() <= NAME_CHARACTERS_MAX ? text.strip() : "";
    }

    /** Returns the roles in the token that have rights. */
    private List<String> roles(Map<String, Object> claims) {
        Set<String> roles = new LinkedHashSet<>();
        for (String claim : settings.roleClaims()) {
            for (String role : values(find(claims, claim), claim)) {
                if (settings.roles().knows(role)) {
                    roles.add(role);
                }
            }
        }
        return List.copyOf(roles);
    }

    private static List<String> values(@Nullable Object value, String claim) {
        List<String> all = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(each -> {
                if (each instanceof String text) {
                    all.add(text);
                }
            });
        } else if (value instanceof String text) {
            // The claims of OAuth scopes separate their values by blanks (RFC 8693, 4.2). Names of roles contain
            // blanks.
            all.addAll(claim.equals("scope") || claim.equals("scp") ? List.of(text.split(" ")) : List.of(text));
        }
        return all;
    }

    /** Returns the claim of a name, otherwise the member that the name describes as a path of names with dots between. */
    private static @Nullable Object find(Map<?, ?> claims, String name) {
        if (claims.containsKey(name)) {
            return claims.get(name);
        }
        for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
            if (claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner) {
                Object found = find(inner, name.substring(dot + 1));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static String shown(@Nullable Object value) {
        return value instanceof String text ? "'" + ClientText.abbreviate(text) + "'" : "none";
    }

    private static AuthenticationException malformed(String sentence) {
        return AuthenticationException.of(Reason.MALFORMED, sentence);
    }
}
