package dev.jitney.server.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts certificates of the authority if they are those of nodes. A certificate of an operator may make connections, but not to the
 * port on which members append and vote (CL-71). Any thread may call it.
 */
final class MembersTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager authority;

    /** @param authority accepts all certificates of the authority */
    MembersTrust(X509ExtendedTrustManager authority) {
        this.authority = authority;
    }

    private static void requireNode(X509Certificate[] chain) throws CertificateException {
        if (!CertificateUse.isNode(chain[0])) {
            throw new CertificateException("Expected the certificate of a node, but this one is for clients only.");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authority.checkClientTrusted(chain, type, socket);
        requireNode(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authority.checkClientTrusted(chain, type, engine);
        requireNode(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authority.checkClientTrusted(chain, type);
        requireNode(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authority.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authority.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authority.checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authority.getAcceptedIssuers();
    }
}
