package dev.jitney.server.identity;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an identity provider.
 *
 * @param issuer      the claim {@code iss} of its tokens, and the address of its discovery document
 * @param audiences   the accepted values of the claim {@code aud}; at least one
 * @param jwksUri     the address of its keys, or null to find it in the discovery document
 * @param keysFile    a file with its keys, or null to fetch them
 * @param caFile      certificates in PEM that sign the certificate of the provider, or null for those of Java
 * @param clockSkewMs the difference between the clocks of the provider and of this server, from 0 to {@value #CLOCK_SKEW_MAX_MS} ms
 * @param nameClaim   the claim with the name for people
 * @param roleClaims  the claims with roles and groups, such as {@code realm_access.roles}
 * @param roles       the rights of roles
 * @param login       the login of people in the web console, or null for none
 */
public record OidcSettings(
        String issuer,
        List<String> audiences,
        @Nullable URI jwksUri,
        @Nullable Path keysFile,
        @Nullable Path caFile,
        long clockSkewMs,
        String nameClaim,
        List<String> roleClaims,
        RoleMap roles,
        @Nullable LoginSettings login) {

    /** The largest clock skew, in milliseconds. */
    public static final long CLOCK_SKEW_MAX_MS = 300_000;

    /** The claims that have roles and groups by default: those of Entra ID and of Keycloak. */
    public static final List<String> ROLE_CLAIMS = List.of("roles", "groups", "realm_access.roles");

    /** The claim that has the name for people by default. */
    public static final String NAME_CLAIM = "preferred_username";

    /** Creates settings without a login of people. */
    public OidcSettings(
            String issuer,
            List<String> audiences,
            @Nullable URI jwksUri,
            @Nullable Path keysFile,
            @Nullable Path caFile,
            long clockSkewMs,
            String nameClaim,
            List<String> roleClaims,
            RoleMap roles) {
        this(issuer, audiences, jwksUri, keysFile, caFile, clockSkewMs, nameClaim, roleClaims, roles, null);
    }

    /** Creates settings. Throws {@link IllegalArgumentException} with a sentence for people if a value is wrong. */
    public OidcSettings {
        audiences = List.copyOf(audiences);
        roleClaims = List.copyOf(roleClaims);
        if (audiences.isEmpty() || audiences.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "--oidc-audience: Expected the audience of tokens for this server, such as"
                            + " api://jitney, but got none. A token for another service must not be valid here.");
        }
        if (clockSkewMs < 0 || clockSkewMs > CLOCK_SKEW_MAX_MS) {
            throw new IllegalArgumentException(
                    "--oidc-clock-skew: Expected a duration from PT0S to PT5M, but got " + clockSkewMs + " ms.");
        }
        if (keysFile != null && jwksUri != null) {
            throw new IllegalArgumentException(
                    "--oidc-keys: Expected a file or an address with keys, but got both. Remove --oidc-jwks-uri or"
                            + " --oidc-keys.");
        }
        if (keysFile == null || login != null) {
            requireSafe("--oidc-issuer", address("--oidc-issuer", issuer));
        }
        if (jwksUri != null) {
            requireSafe("--oidc-jwks-uri", jwksUri);
        }
    }

    /** Returns a copy with another audience. */
    OidcSettings forAudience(String audience) {
        return new OidcSettings(
                issuer, List.of(audience), jwksUri, keysFile, caFile, clockSkewMs, nameClaim, roleClaims, roles, login);
    }

    /** Returns a copy with a login of people in the web console. */
    public OidcSettings withLogin(LoginSettings value) {
        return new OidcSettings(
                issuer, audiences, jwksUri, keysFile, caFile, clockSkewMs, nameClaim, roleClaims, roles, value);
    }

    /** Returns an address. Throws {@link IllegalArgumentException} with a sentence that names the option if it is none. */
    public static URI address(String option, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException notAnAddress) {
            throw new IllegalArgumentException(option
                    + ": Expected an address such as https://login.example.com/realms/main, but got '" + text + "'.");
        }
    }

    /** Refuses an address over which other machines in the network could replace the keys. */
    static void requireSafe(String option, URI address) {
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        boolean safe = scheme.equals("https") || scheme.equals("http") && isLoopback(address.getHost());
        if (!safe || address.getHost() == null || address.getUserInfo() != null || address.getFragment() != null) {
            throw new IllegalArgumentException(option
                    + ": Expected an address with https, or with http on this machine, without user and fragment, but got '"
                    + address + "'.");
        }
    }

    private static boolean isLoopback(@Nullable String host) {
        return host != null && (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]"));
    }
}
