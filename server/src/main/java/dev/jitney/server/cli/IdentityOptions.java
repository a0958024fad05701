package dev.jitney.server.cli;

import dev.jitney.server.identity.LoginSettings;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of an identity provider. */
final class IdentityOptions {
    @Option(
            names = "--oidc-issuer",
            paramLabel = "URL",
            description = "Accept the tokens of the identity provider with this issuer (OpenID Connect), in addition to"
                    + " shared access signatures: the claim iss of its tokens, and the address of its discovery document"
                    + " without /.well-known/openid-configuration. With https, or with http on this machine (default:"
                    + " none).")
    private @Nullable String issuer;

    @Option(
            names = "--oidc-audience",
            paramLabel = "AUDIENCE",
            split = ",",
            description =
                    "The accepted values of the claim aud, separated by commas. Required with --oidc-issuer, because"
                            + " a token for another service must not be valid here. The SDKs of Azure get tokens for"
                            + " https://servicebus.azure.net.")
    private List<String> audiences = List.of();

    @Option(
            names = "--oidc-jwks-uri",
            paramLabel = "URL",
            description = "Address of the keys of the identity provider (default: that of the discovery document).")
    private @Nullable String jwksUri;

    @Option(
            names = "--oidc-keys",
            paramLabel = "FILE",
            description =
                    "File with the keys of the identity provider as a JSON Web Key Set, for a server that cannot reach"
                            + " the provider. It is read again every minute (default: fetch the keys).")
    private @Nullable Path keys;

    @Option(
            names = "--oidc-ca",
            paramLabel = "FILE",
            description =
                    "Certificates in PEM that sign the certificate of the identity provider (default: those of Java).")
    private @Nullable Path ca;

    @Option(
            names = "--oidc-clock-skew",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Skew.class,
            description =
                    "Difference between the clocks of the identity provider and of this server, from 0s to 5m. A token"
                            + " is valid for that time before its start and after its expiry (default: ${DEFAULT-VALUE}).")
    private Long clockSkewMs = 30_000L;

    @Option(
            names = "--oidc-role-claims",
            paramLabel = "CLAIM",
            split = ",",
            description = "Claims that have roles or groups, separated by commas; a dot leads into an object, as in"
                    + " resource_access.jitney.roles (default: roles,groups,realm_access.roles).")
    private List<String> roleClaims = OidcSettings.ROLE_CLAIMS;

    @Option(
            names = "--oidc-name-claim",
            paramLabel = "CLAIM",
            defaultValue = OidcSettings.NAME_CLAIM,
            description =
                    "Claim with the name that the audit trail shows next to the subject (default: ${DEFAULT-VALUE}).")
    private String nameClaim = OidcSettings.NAME_CLAIM;

    @Option(
            names = "--oidc-roles",
            paramLabel = "ROLE=RIGHTS[@SCOPE]",
            split = ";",
            description =
                    "Rights of roles and groups, separated by semicolons: Send, Listen or Manage, or a role of people in the"
                            + " operator API and the web console: Viewer, Reader, Operator or Admin. On the whole server,"
                            + " a namespace, or an entity, as in 'ops=Admin;support=Viewer;shop-team=Send,Listen@shop;audit=Listen@shop/orders"
                            + "/subscriptions/audit'. NAMESPACE can be * for all. Azure Service Bus Data Owner, ... Data Sender and"
                            + " ... Data Receiver have their rights on the whole server, unless you map them.")
    private List<String> roles = List.of();

    @Option(
            names = "--console-oidc-client",
            paramLabel = "ID",
            description =
                    "Let people log in to the web console with the identity provider: the id of the console as a client of"
                            + " the provider (authorization code flow with PKCE). Its redirect URI is"
                            + " CONSOLE-URL/console/login/oidc/callback. Required with --oidc-issuer and --console-url"
                            + " (default: no such login).")
    private @Nullable String consoleClient;

    @Option(
            names = "--console-oidc-secret-file",
            paramLabel = "FILE",
            description =
                    "File with the secret of the client of --console-oidc-client. It is read at each login, so a new secret"
                            + " needs no restart (default: a public client without a secret).")
    private @Nullable Path consoleSecretFile;

    @Option(
            names = "--console-oidc-scopes",
            paramLabel = "SCOPES",
            description = "Scopes that a login to the web console requests, separated by blanks. Some providers give"
                    + " refresh tokens only with offline_access (default: openid profile).")
    private @Nullable String consoleScopes;

    @Option(
            names = "--console-url",
            paramLabel = "URL",
            description = "Address of the server as browsers use it: scheme, host and port, such as"
                    + " https://broker.example.com:8443. With https, or with http on this machine. The identity"
                    + " provider sends browsers back there (default: none).")
    private @Nullable String consoleUrl;

    /** A time from 0s to 5m, in milliseconds. */
    static final class Skew implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            String text = value.strip();
            if (text.matches("[0-9]{1,3}[sm]")) {
                long number = Long.parseLong(text.substring(0, text.length() - 1));
                long ms = number * (text.endsWith("m") ? 60_000 : 1_000);
                if (ms <= OidcSettings.CLOCK_SKEW_MAX_MS) {
                    return ms;
                }
            }
            throw new TypeConversionException(
                    "Expected a time from 0s to 5m, for example 30s or 1m, but got '" + value + "'.");
        }
    }

    /**
     * Returns the settings, or null without an identity provider.
     *
     * @param bad makes the exception of invalid options
     */
    @Nullable
    OidcSettings settings(Function<String, ParameterException> bad) {
        String trusted = issuer;
        if (trusted == null) {
            String lone = !audiences.isEmpty()
                    ? "--oidc-audience"
                    : jwksUri != null
                            ? "--oidc-jwks-uri"
                            : keys != null
                                    ? "--oidc-keys"
                                    : !roles.isEmpty()
                                            ? "--oidc-roles"
                                            : consoleClient != null ? "--console-oidc-client" : loneOfConsole();
            if (lone != null) {
                throw bad.apply(lone + ": Expected the issuer of tokens, but got none. Add --oidc-issuer.");
            }
            return null;
        }
        RoleMap map;
        try {
            map = RoleMap.of(roles);
        } catch (IllegalArgumentException wrong) {
            throw bad.apply("--oidc-roles: " + wrong.getMessage());
        }
        LoginSettings login = login(bad);
        try {
            OidcSettings settings = new OidcSettings(
                    trusted,
                    audiences,
                    jwksUri == null ? null : OidcSettings.address("--oidc-jwks-uri", jwksUri),
                    keys,
                    ca,
                    clockSkewMs,
                    nameClaim,
                    roleClaims,
                    map);
            return login == null ? settings : settings.withLogin(login);
        } catch (IllegalArgumentException wrong) {
            throw bad.apply(String.valueOf(wrong.getMessage()));
        }
    }

    /** Returns the settings of the login in the web console, or null. */
    private @Nullable LoginSettings login(Function<String, ParameterException> bad) {
        if (consoleClient == null) {
            String lone = loneOfConsole();
            if (lone != null) {
                throw bad.apply(
                        lone
                                + ": Expected the id of a client at the identity provider, but got none. Add --console-oidc-client.");
            }
            return null;
        }
        if (consoleUrl == null) {
            throw bad.apply(
                    "--console-oidc-client: Expected the address of the server as browsers use it, but got none."
                            + " Add --console-url, such as https://broker.example.com:8443.");
        }
        if (consoleSecretFile != null && !Files.isRegularFile(consoleSecretFile)) {
            throw bad.apply("--console-oidc-secret-file " + consoleSecretFile
                    + ": Expected a file with a secret, but there is" + " none.");
        }
        try {
            return new LoginSettings(
                    consoleClient,
                    consoleSecretFile,
                    consoleScopes == null ? LoginSettings.SCOPES : LoginSettings.scopesIn(consoleScopes),
                    OidcSettings.address("--console-url", consoleUrl));
        } catch (IllegalArgumentException wrong) {
            throw bad.apply(String.valueOf(wrong.getMessage()));
        }
    }

    /** Returns an option that has no effect without --console-oidc-client and is set, or null. */
    private @Nullable String loneOfConsole() {
        if (consoleUrl != null) {
            return "--console-url";
        }
        if (consoleSecretFile != null) {
            return "--console-oidc-secret-file";
        }
        return consoleScopes == null ? null : "--console-oidc-scopes";
    }
}
