package dev.jitney.gateway.http;

import org.jspecify.annotations.Nullable;

/**
 * Where the HTTP gateway listens.
 *
 * @param host name or address of the interface both listeners bind to
 * @param httpPort port without TLS, 0 for any free one, or null for no such listener
 * @param httpsPort port with TLS, 0 for any free one, or null for no such listener
 * @param identity who the server is on the TLS port; needed when {@code httpsPort} is given
 * @param door whether sockets are served too that other listeners have accepted, see {@link HttpGateway#take}
 * @param version version of the program, which operators are told who ask for the stores
 */
public record HttpGatewayOptions(
        String host,
        @Nullable Integer httpPort,
        @Nullable Integer httpsPort,
        @Nullable HttpsIdentity identity,
        boolean door,
        String version) {

    public HttpGatewayOptions {
        if (httpPort == null && httpsPort == null && !door) {
            throw new IllegalArgumentException("Expected a port with or without TLS, but got neither.");
        }
        if (httpsPort != null && identity == null) {
            throw new IllegalArgumentException("Expected a certificate for the HTTPS listener, but got none.");
        }
    }

    /** Listeners alone, without a door, of a server whose version nobody asks for. */
    public HttpGatewayOptions(
            String host, @Nullable Integer httpPort, @Nullable Integer httpsPort, @Nullable HttpsIdentity identity) {
        this(host, httpPort, httpsPort, identity, false, "unknown");
    }
}
