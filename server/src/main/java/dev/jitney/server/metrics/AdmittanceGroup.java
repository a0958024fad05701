package dev.jitney.server.metrics;

import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.server.tls.Admittance;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** The metrics of certificates, and of the limits of clients with one address. */
final class AdmittanceGroup {
    private static final double MS_PER_SECOND = 1_000.0;

    private static final Family EXPIRY = Family.gauge(
            "jitney_tls_certificate_expiry_timestamp_seconds",
            "The time at which the certificate of the TLS ports in use, or one of its issuers, expires, in seconds since 1970.");
    private static final Family RELOADS = Family.counter(
            "jitney_tls_certificate_reloads",
            "Changed files of certificates that were put into use without a restart.");
    private static final Family FAILING = Family.gauge(
            "jitney_tls_certificate_unusable_files",
            "Options whose changed files of certificates cannot be used, so that the earlier ones stay in use.");
    private static final Family ADDRESSES =
            Family.gauge("jitney_client_addresses", "Client addresses with open connections.");
    private static final Family MOST =
            Family.gauge("jitney_client_address_connections_max", "The most open connections of one client address.");
    private static final Family PAUSED = Family.gauge(
            "jitney_client_paused_addresses",
            "Client addresses whose credentials are not checked for a while, because too many were refused.");
    private static final Family REFUSED = Family.counter(
            "jitney_client_refused_connections",
            "Connections closed at once because of a limit of the client's address, by reason: connections, rate.");
    private static final Family FAILED = Family.counter(
            "jitney_client_failed_authentications", "Keys and signatures that were checked and are wrong.");
    private static final Family UNCHECKED = Family.counter(
            "jitney_client_unchecked_authentications",
            "Credentials that were not checked, because too many of the client's address were refused.");

    private static final Family RULE_CONNECTIONS = Family.gauge(
            "jitney_credential_connections",
            "Open AMQP connections by namespace and by the access rule that accepted their first credential.");
    private static final Family RULE_FAILED = Family.counter(
            "jitney_credential_failed_authentications",
            "Keys and signatures that were wrong, by namespace and access rule. The rule is empty for all names that are no rules.");

    static final List<Family> FAMILIES = List.of(
            EXPIRY,
            RELOADS,
            FAILING,
            ADDRESSES,
            MOST,
            PAUSED,
            REFUSED,
            FAILED,
            UNCHECKED,
            RULE_CONNECTIONS,
            RULE_FAILED);

    private AdmittanceGroup() {}

    static void collect(Admittance admittance, Samples samples) {
        Admittance.Figures tls = admittance.figures();
        AddressLimits.Figures clients = admittance.clients().addresses().figures();
        if (tls != null) {
            samples.add(EXPIRY, Labels.EMPTY, tls.expiresAtMs() / MS_PER_SECOND);
            samples.add(RELOADS, Labels.EMPTY, tls.changes());
            samples.add(FAILING, Labels.EMPTY, tls.failing());
        }
        samples.add(ADDRESSES, Labels.EMPTY, clients.addresses());
        samples.add(MOST, Labels.EMPTY, clients.mostConnections());
        samples.add(PAUSED, Labels.EMPTY, clients.pausedAddresses());
        samples.add(REFUSED, Labels.of("reason", "connections"), clients.refusedConnections());
        samples.add(REFUSED, Labels.of("reason", "rate"), clients.refusedByRate());
        samples.add(FAILED, Labels.EMPTY, clients.failedAttempts());
        samples.add(UNCHECKED, Labels.EMPTY, clients.refusedAttempts());
        for (CredentialCounts.Count count : admittance.clients().credentials().counts()) {
            Labels labels = Labels.of("namespace", count.namespace(), "rule", count.rule());
            samples.add(RULE_CONNECTIONS, labels, count.connections());
            samples.add(RULE_FAILED, labels, count.failed());
        }
    }
}
