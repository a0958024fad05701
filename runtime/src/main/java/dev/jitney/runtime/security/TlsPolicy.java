package dev.jitney.runtime.security;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for TLS on the ports of clients.
 *
 * @param versions the accepted versions in Java's spelling, the preferred one first
 * @param suites the accepted cipher suites in Java's spelling, the preferred one first
 * @param engine the implementation of TLS
 * @param clientAuthentication the certificates of clients
 */
public record TlsPolicy(
        List<String> versions, List<String> suites, Engine engine, ClientAuthentication clientAuthentication) {
    private static final String TLS_1_3 = "TLSv1.3";
    private static final String TLS_1_2 = "TLSv1.2";

    /** The accepted versions: older ones have known attacks (RFC 8996). */
    private static final List<String> VERSIONS = List.of(TLS_1_3, TLS_1_2);

    /** TLS 1.2 and 1.3, all suites of {@link TlsSuites}, no certificates of clients. */
    public static final TlsPolicy DEFAULT =
            new TlsPolicy(VERSIONS, TlsSuites.accepted(), Engine.AUTO, ClientAuthentication.OFF);

    /** The implementation of TLS. */
    public enum Engine {
        /** OpenSSL if its native library is present and can apply the policy, otherwise that of the JDK. */
        AUTO,
        /** The implementation of the JDK. */
        JDK,
        /** OpenSSL, or no start. */
        OPENSSL
    }

    /** The certificates that clients may or must show. */
    public enum ClientAuthentication {
        /** Clients show no certificate. */
        OFF,
        /** Clients may show a certificate; a certificate that is not valid ends the handshake. */
        OPTIONAL,
        /** Clients without a valid certificate are refused in the handshake. */
        REQUIRED
    }

    public TlsPolicy {
        versions = List.copyOf(versions);
        suites = List.copyOf(suites);
    }

    /**
     * Parses names of versions, such as {@code 1.3} or {@code TLSv1.2}.
     *
     * @return the versions, the newest first
     * @throws IllegalArgumentException if one is not accepted; its message is for the user
     */
    public static List<String> parseVersions(List<String> names) {
        Set<String> asked = new LinkedHashSet<>();
        for (String name : names) {
            String plain = name.strip().toUpperCase(Locale.ROOT).replaceFirst("^TLS ?V?", "");
            switch (plain) {
                case "1.3" -> asked.add(TLS_1_3);
                case "1.2" -> asked.add(TLS_1_2);
                default ->
                    throw new IllegalArgumentException("Expected TLSv1.2 or TLSv1.3, but got '" + name.strip()
                            + "'. Older versions have known attacks.");
            }
        }
        return VERSIONS.stream().filter(asked::contains).toList();
    }

    /**
     * Parses names of cipher suites in the spelling of Java or OpenSSL.
     *
     * @return the suites in Java's spelling, in the given order
     * @throws IllegalArgumentException if one is not accepted; its message is for the user
     */
    public static List<String> parseSuites(List<String> names) {
        Set<String> asked = new LinkedHashSet<>();
        for (String name : names) {
            String suite = TlsSuites.accepted().stream()
                    .filter(each -> each.equalsIgnoreCase(name.strip())
                            || TlsSuites.openSslName(each).equalsIgnoreCase(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "Expected suites with authenticated encryption and forward secrecy ("
                                    + String.join(", ", TlsSuites.accepted()) + "), but got '" + name.strip() + "'."));
            asked.add(suite);
        }
        return List.copyOf(asked);
    }

    /**
     * Returns one sentence about a contradiction between the versions and the suites, or null if there is none: each version needs
     * at least one suite.
     */
    public @Nullable String contradiction() {
        List<String> without = new ArrayList<>();
        for (String version : versions) {
            if (suites.stream().noneMatch(suite -> TlsSuites.isOfTls13(suite) == version.equals(TLS_1_3))) {
                without.add(version);
            }
        }
        return without.isEmpty()
                ? null
                : "Expected at least one suite for each version, but " + String.join(" and ", without)
                        + " has none. Add a suite, or remove the version.";
    }

    /** Returns whether all suites of TLS 1.3 are accepted, because OpenSSL cannot leave one out. */
    public boolean hasAllSuitesOfTls13() {
        return !versions.contains(TLS_1_3)
                || TlsSuites.accepted().stream().filter(TlsSuites::isOfTls13).allMatch(suites::contains);
    }
}
