package dev.jitney.server.tls;

import dev.jitney.runtime.security.TlsPolicy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of TLS on the ports of clients, except for the certificate of the server.
 *
 * @param policy versions, suites, engine, and whether clients show certificates
 * @param clientAuthorities PEM file with the authorities that sign certificates of clients, or null
 * @param clientRules JSON file with the access rules that certificates of clients stand for, or null
 */
public record TlsSettings(
        TlsPolicy policy,
        @Nullable Path clientAuthorities,
        @Nullable Path clientRules) {
    /** The default policy, without certificates of clients. */
    public static final TlsSettings DEFAULT = new TlsSettings(TlsPolicy.DEFAULT, null, null);
}
