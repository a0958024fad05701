package dev.jitney.gateway.amqp.listener;

import org.jspecify.annotations.Nullable;

/**
 * A port with the protocols that it serves.
 *
 * @param port port number, 0 for any free one
 * @param amqp whether it serves AMQP without TLS
 * @param http whether it serves HTTP without TLS
 * @param amqps whether it serves AMQP inside TLS
 * @param https whether it serves HTTP inside TLS
 */
public record SharedPort(int port, boolean amqp, boolean http, boolean amqps, boolean https) {

    public SharedPort {
        if (!amqp && !http && !amqps && !https) {
            throw new IllegalArgumentException("Expected a protocol for port " + port + ", but got none.");
        }
    }

    /** Returns whether the port serves anything inside TLS. */
    public boolean tls() {
        return amqps || https;
    }

    /** Returns whether the port serves AMQP without TLS and nothing else. */
    public boolean servesOnlyAmqp() {
        return amqp && !http && !amqps && !https;
    }

    /** Returns whether the port serves AMQP inside TLS and nothing else. */
    public boolean servesOnlyAmqps() {
        return amqps && !amqp && !http && !https;
    }

    /** Returns whether the port serves HTTP without TLS and nothing else. */
    public boolean servesOnlyHttp() {
        return http && !amqp && !amqps && !https;
    }

    /** Returns the same protocols on another port. */
    public SharedPort at(int number) {
        return new SharedPort(number, amqp, http, amqps, https);
    }

    /** Returns the same port with the protocols that both serve, or null if there are none. */
    public @Nullable SharedPort commonWith(SharedPort other) {
        boolean bothAmqp = amqp && other.amqp;
        boolean bothHttp = http && other.http;
        boolean bothAmqps = amqps && other.amqps;
        boolean bothHttps = https && other.https;
        return bothAmqp || bothHttp || bothAmqps || bothHttps
                ? new SharedPort(port, bothAmqp, bothHttp, bothAmqps, bothHttps)
                : null;
    }

    /** Returns the same port with the protocols of both. */
    public SharedPort with(SharedPort other) {
        return new SharedPort(port, amqp || other.amqp, http || other.http, amqps || other.amqps, https || other.https);
    }
}
