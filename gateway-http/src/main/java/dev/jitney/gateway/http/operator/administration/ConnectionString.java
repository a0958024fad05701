package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** The connection string of a key, for the host name under which the client reaches this server. */
final class ConnectionString {
    private ConnectionString() {}

    /**
     * Returns a connection string, or null if the name or the key has a semicolon, which ends a part of it.
     *
     * @param entity the path of the entity that the rule belongs to, or an empty text
     */
    static @Nullable String of(Exchange exchange, AmqpPorts ports, String rule, String key, String entity) {
        if (rule.contains(";") || key.contains(";") || entity.contains(";")) {
            return null;
        }
        boolean plain = "http".equals(exchange.request().scheme());
        return "Endpoint=sb://" + address(exchange, ports, !plain)
                + ";SharedAccessKeyName=" + rule
                + ";SharedAccessKey=" + key
                + (entity.isEmpty() ? "" : ";EntityPath=" + entity)
                + (plain ? ";UseDevelopmentEmulator=true;" : ";");
    }

    /** Returns host and port. The port of the request stays if it serves AMQP too, because a proxy may have changed its number. */
    private static String address(Exchange exchange, AmqpPorts ports, boolean tls) {
        String authority = exchange.authority();
        int local = exchange.request().localAddress().port();
        int amqp = ports.amqpPort(local, tls);
        return amqp == local ? authority : authority.replaceFirst(":[0-9]+$", "") + ":" + amqp;
    }
}
