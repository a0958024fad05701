package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * The links of one connection with deliveries that the client accepted in the bytes being read. The links complete
 * these deliveries together, at the end of the bytes or before anything that may depend on the completion. For the
 * event loop.
 */
public final class PendingCompletions {
    private final ConnectionLoop loop;
    private final List<Link> links = new ArrayList<>();

    /** A link that collects accepted deliveries. */
    public interface Link {

        /** Completes all accepted deliveries. */
        void completeAccepted();
    }

    public PendingCompletions(ConnectionLoop loop) {
        this.loop = loop;
    }

    /** Registers a link to complete its accepted deliveries at the end of the bytes being read. */
    public void add(Link link) {
        links.add(link);
    }

    /** Completes the accepted deliveries of all registered links. */
    public void run() {
        if (!links.isEmpty()) {
            List<Link> all = List.copyOf(links);
            links.clear();
            all.forEach(link -> loop.guarded(link::completeAccepted));
        }
    }
}
