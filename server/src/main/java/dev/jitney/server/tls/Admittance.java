package dev.jitney.server.tls;

import dev.jitney.gateway.amqp.GatewayTls;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.client.ClientAdmission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the ports of clients, and the rules by which clients are admitted, for the life of a process. Any thread may call it.
 *
 * @param tls TLS of the ports, or null if no port uses it
 * @param watch the files of certificates
 * @param clients limits and certificates of clients
 */
public record Admittance(@Nullable PortTls tls, CertificateWatch watch, ClientAdmission clients) {

    /** The figures of certificates. */
    public record Figures(long expiresAtMs, long changes, long failing) {}

    /** Returns an object without TLS and limits. */
    public static Admittance open() {
        return new Admittance(null, new CertificateWatch(Clock.system()), ClientAdmission.open());
    }

    /** Returns the settings for connections, or null if no port uses TLS. */
    public @Nullable GatewayTls gateway() {
        return tls == null ? null : tls.gateway();
    }

    /** Returns sentences about certificates that need attention. */
    public List<String> troubles() {
        return watch.troubles();
    }

    /** Returns the figures of certificates, or null if no port uses TLS. */
    public @Nullable Figures figures() {
        PortTls ports = tls;
        return ports == null ? null : new Figures(ports.expiresAtMs(), watch.changes(), watch.failing());
    }
}
