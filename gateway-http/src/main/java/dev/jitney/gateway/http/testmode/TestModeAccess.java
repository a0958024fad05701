package dev.jitney.gateway.http.testmode;

/** The clients that may use the requests of tests, which need no key. */
public enum TestModeAccess {
    /** No clients: the requests do not exist. */
    OFF,
    /** Clients on this machine. */
    LOOPBACK,
    /** All clients that can connect to the port. */
    ANY
}
