package dev.jitney.server.identity;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the login of people in the web console with an identity provider.
 *
 * @param clientId   the id of the console as a client of the provider
 * @param secretFile a file with the secret of the client, or null for a public client, which only PKCE protects
 * @param scopes     the scopes that the login requests; {@code openid} is among them
 * @param consoleUrl the address of the server as browsers use it: scheme, host and port, without a path
 */
public record LoginSettings(String clientId, @Nullable Path secretFile, List<String> scopes, URI consoleUrl) {
    /** The scopes by default. */
    public static final List<String> SCOPES = List.of("openid", "profile");

    /** The path to which the provider sends the browser back. */
    static final String CALLBACK = "/console/login/oidc/callback";

    private static final int ID_CHARACTERS_MAX = 256;
    private static final int SCOPES_MAX = 32;

    /** The characters of a scope (RFC 6749, section 3.3). */
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,256}");

    /** Creates settings. Throws {@link IllegalArgumentException} with a sentence for people if a value is wrong. */
    public LoginSettings {
        scopes = List.copyOf(scopes);
        if (clientId.isBlank() || clientId.length() > ID_CHARACTERS_MAX) {
            throw new IllegalArgumentException("--console-oidc-client: Expected the id of a client at the identity"
                    + " provider with at most " + ID_CHARACTERS_MAX + " characters, such as jitney-console, but got '"
                    + clientId + "'.");
        }
        if (!scopes.contains("openid")
                || scopes.size() > SCOPES_MAX
                || !scopes.stream().allMatch(each -> SCOPE.matcher(each).matches())) {
            throw new IllegalArgumentException("--console-oidc-scopes: Expected at most " + SCOPES_MAX
                    + " scopes with blanks between, of which one is openid, but got '"
                    + String.join(" ", scopes) + "'.");
        }
        OidcSettings.requireSafe("--console-url", consoleUrl);
        String path = consoleUrl.getRawPath();
        if (path != null && !path.isEmpty() && !path.equals("/") || consoleUrl.getRawQuery() != null) {
            throw new IllegalArgumentException("--console-url: Expected scheme, host and port of the server as browsers"
                    + " use them, such as https://broker.example.com:8443, without a path, but got '" + consoleUrl
                    + "'.");
        }
        consoleUrl = origin(consoleUrl);
    }

    /** Returns scheme, host and port as browsers write them: in lower case, and without the default port. */
    private static URI origin(URI address) {
        String scheme = address.getScheme().toLowerCase(Locale.ROOT);
        int port = address.getPort();
        boolean usual = port < 0 || port == (scheme.equals("https") ? 443 : 80);
        return URI.create(scheme + "://" + address.getHost().toLowerCase(Locale.ROOT) + (usual ? "" : ":" + port));
    }

    /** Returns the scopes in a text with blanks between them. */
    public static List<String> scopesIn(String text) {
        return new ArrayList<>(Arrays.asList(text.strip().split(" +")));
    }

    /** Returns the address to which the provider sends the browser back. It never depends on a request. */
    URI redirectUri() {
        return URI.create(consoleUrl + CALLBACK);
    }
}
