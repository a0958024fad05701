package dev.jitney.server.cli;

import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
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
                    "Rights of roles and groups, separated by semicolons: Send, Listen or Manage, on the whole server,"
                            + " a namespace, or an entity, as in 'ops=Manage;shop-team=Send,Listen@shop;audit=Listen@shop/orders"
                            + "/subscriptions/audit'. NAMESPACE can be * for all. Azure Service Bus Data Owner, ... Data Sender and"
                            + " ... Data Receiver have their rights on the whole server, unless you map them.")
    private List<String> roles = List.of();

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
                            : keys != null ? "--oidc-keys" : !roles.isEmpty() ? "--oidc-roles" : null;
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
        try {
            return new OidcSettings(
                    trusted,
                    audiences,
                    jwksUri == null ? null : OidcSettings.address("--oidc-jwks-uri", jwksUri),
                    keys,
                    ca,
                    clockSkewMs,
                    nameClaim,
                    roleClaims,
                    map);
        } catch (IllegalArgumentException wrong) {
            throw bad.apply(String.valueOf(wrong.getMessage()));
        }
    }
}
