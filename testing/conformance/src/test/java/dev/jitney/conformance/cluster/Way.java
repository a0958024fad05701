package dev.jitney.conformance.cluster;

/** The transport of a client. All are served on one port. */
enum Way {
    PLAIN,
    TLS,
    /** A WebSocket inside TLS. */
    WEB_SOCKET
}
