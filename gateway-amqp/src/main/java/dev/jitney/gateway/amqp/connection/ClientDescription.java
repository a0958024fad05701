package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.link.LinkContext;
import dev.jitney.gateway.amqp.link.LinkHandler;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** The description of one connection for operators. For its event loop. */
final class ClientDescription {
    private static final Comparator<ClientLink> BY_AGE =
            Comparator.comparingLong(ClientLink::sinceMs).thenComparing(ClientLink::name);

    private ClientDescription() {}

    /**
     * Returns the description, or null if no link carries messages of the entity or sub-queue.
     *
     * @param number the number of the connection
     * @param sinceMs the time at which it was opened, in milliseconds since the epoch
     * @param client IP address and port
     */
    static @Nullable ConnectedClient of(
            long number,
            long sinceMs,
            String client,
            Connection connection,
            LinkContext context,
            Entity entity,
            EntityAddress address) {
        List<ClientLink> links = new ArrayList<>();
        for (LinkHandler handler : context.links().all()) {
            ClientLink link = handler.describe(entity, address);
            if (link != null) {
                links.add(link);
            }
        }
        if (links.isEmpty()) {
            return null;
        }
        links.sort(BY_AGE);
        Map<Symbol, Object> properties = connection.getRemoteProperties();
        return new ConnectedClient(
                number,
                ConnectedClient.text(connection.getRemoteContainerId()),
                client,
                property(properties, "product"),
                property(properties, "version"),
                property(properties, "platform"),
                property(properties, "user-agent"),
                sinceMs,
                context.deliveries().count(),
                links.size(),
                List.copyOf(links.subList(0, Math.min(links.size(), ConnectedClient.LINKS_MAX))));
    }

    private static String property(@Nullable Map<Symbol, Object> properties, String name) {
        Object value = properties == null ? null : properties.get(Symbol.valueOf(name));
        return value instanceof String || value instanceof Symbol ? ConnectedClient.text(value.toString()) : "";
    }
}
