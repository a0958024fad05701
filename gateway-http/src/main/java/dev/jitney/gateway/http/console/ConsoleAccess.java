package dev.jitney.gateway.http.console;

/** The clients that get the pages of the web console. Its data always need a login. */
public enum ConsoleAccess {
    /** No clients: the routes do not exist. */
    OFF,
    /** Clients on this machine. */
    LOOPBACK,
    /** All clients that can connect to the port. */
    ON
}
