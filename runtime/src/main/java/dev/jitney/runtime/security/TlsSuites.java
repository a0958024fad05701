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

    /** Returns their names in Java's spelling. */
    public static List<String> accepted() {
        return ACCEPTED;
    }
}
