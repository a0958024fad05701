package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** The connection string of a key, for the address under which the client reaches this server. */
final class ConnectionString {
    private ConnectionString() {}

    /**
     * Returns a connection string, or null if the name or the key has a semicolon, which ends a part of it.
     *
     * @param entity the path of the entity that the rule belongs to, or an empty text
     */
    static @Nullable String of(Exchange exchange, String rule, String key, String entity) {
        if (rule.contains(";") || key.contains(";") || entity.contains(";")) {
            return null;
        }
        boolean plain = "http".equals(exchange.request().scheme());
        return "Endpoint=sb://" + exchange.authority()
                + ";SharedAccessKeyName=" + rule
                + ";SharedAccessKey=" + key
                + (entity.isEmpty() ? "" : ";EntityPath=" + entity)
                + (plain ? ";UseDevelopmentEmulator=true;" : ";");
    }
}
