package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.CertificateCredential;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.http.HttpServerRequest;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The rights of requests without an {@code Authorization} on connections whose client has shown a certificate in the TLS handshake.
 * Any thread may call it.
 */
/*
 * Browsers add a certificate to requests that other sites cause, as they do with cookies. They name the origin of such a request in
 * Sec-Fetch-Site or Origin, which pages cannot change.
 */
final class ClientCertificates {
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    /**
     * The grant of a certificate.
     *
     * @param namespace the namespace whose rules granted the rights
     */
    record Granted(Namespace namespace, Grant grant) {}

    private ClientCertificates() {}

    /**
     * Returns the rights of the certificate of a request, or null if there is no certificate, or it stands for no rule that covers the
     * entity.
     *
     * @param named the namespace that the host of the request names, or null
     * @param anyOf rights of which the request needs one; the grant may have none of them
     */
    static @Nullable Granted grant(
            HttpServerRequest request,
            CertificateRules rules,
            Broker broker,
            @Nullable Namespace named,
            EntityAddress entity,
            AccessRight... anyOf) {
        CertificateCredential credential = credential(request, rules, broker, named);
        Grant grant = credential == null ? null : credential.grant(entity, anyOf);
        return credential == null || grant == null ? null : new Granted(credential.namespace(), grant);
    }

    /** Returns the namespace in which the certificate of a request stands for rules, or null if there is none. */
    static @Nullable Namespace namespace(
            HttpServerRequest request, CertificateRules rules, Broker broker, @Nullable Namespace named) {
        CertificateCredential credential = credential(request, rules, broker, named);
        return credential == null ? null : credential.namespace();
    }

    private static @Nullable CertificateCredential credential(
            HttpServerRequest request, CertificateRules rules, Broker broker, @Nullable Namespace named) {
        X509Certificate certificate = certificate(request);
        return certificate == null || isOfOtherSite(request) ? null : rules.credential(certificate, broker, named);
    }

    private static boolean isOfOtherSite(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !OWN_SITES.contains(site);
        }
        String origin = request.getHeader("Origin");
        return origin != null && !origin.equalsIgnoreCase(request.scheme() + "://" + request.authority());
    }

    private static @Nullable X509Certificate certificate(HttpServerRequest request) {
        SSLSession session = request.sslSession();
        try {
            return session != null && session.getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }
}
