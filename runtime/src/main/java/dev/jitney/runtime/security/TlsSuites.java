package dev.jitney.runtime.security;

import java.util.List;

/**
 * The cipher suites that the TLS listeners of all protocols accept, the preferred one first: authenticated encryption
 * with forward secrecy. Suites in CBC mode are excluded, because their padding has been attacked repeatedly; all TLS
 * 1.2 clients of the last ten years support one of the accepted suites.
 */
public final class TlsSuites {
    private static final List<String> ACCEPTED = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private TlsSuites() {}

    /** Returns whether a suite is one of TLS 1.3, whose names do not contain the key exchange. */
    public static boolean isOfTls13(String suite) {
        return !suite.contains("_WITH_");
    }

    /** Returns the name of a suite in OpenSSL's spelling. Those of TLS 1.3 are the same. */
    public static String openSslName(String suite) {
        if (isOfTls13(suite)) {
            return suite;
        }
        return suite.substring("TLS_".length())
                .replace("_WITH_AES_128_GCM_SHA256", "-AES128-GCM-SHA256")
                .replace("_WITH_AES_256_GCM_SHA384", "-AES256-GCM-SHA384")
                .replace("_WITH_CHACHA20_POLY1305_SHA256", "-CHACHA20-POLY1305")
                .replace('_', '-');
    }

    /** Returns their names in Java's spelling. */
    public static List<String> accepted() {
        return ACCEPTED;
    }
}
