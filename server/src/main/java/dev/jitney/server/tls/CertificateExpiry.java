package dev.jitney.server.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end of a certificate chain: the expiry of the certificate that expires first. */
final class CertificateExpiry {
    private static final Duration SOON = Duration.ofDays(14);

    /** Short-lived certificates are renewed late: the last part of their life in which a renewal is overdue. */
    private static final int LAST_PART = 10;

    private CertificateExpiry() {}

    static Instant of(List<X509Certificate> chain) {
        return first(chain).getNotAfter().toInstant();
    }

    private static X509Certificate first(List<X509Certificate> chain) {
        X509Certificate first = chain.get(0);
        for (X509Certificate each : chain) {
            if (each.getNotAfter().before(first.getNotAfter())) {
                first = each;
            }
        }
        return first;
    }

    /**
     * Returns a sentence about a chain that expires within 14 days, or in the last tenth of its life if that is shorter; otherwise
     * null.
     */
    static @Nullable String ending(List<X509Certificate> chain, long nowMs) {
        X509Certificate first = first(chain);
        long endMs = first.getNotAfter().getTime();
        long lifeMs = endMs - first.getNotBefore().getTime();
        if (endMs - nowMs > Math.min(SOON.toMillis(), lifeMs / LAST_PART)) {
            return null;
        }
        String words = nowMs > endMs ? "expired on " : "expires on ";
        return "The certificate of " + first.getSubjectX500Principal() + " " + words + Instant.ofEpochMilli(endMs)
                + ". Replace its files; no restart is needed.";
    }
}
