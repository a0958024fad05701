package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * The links of one connection with deliveries that were accepted in the bytes being read. They complete them together, at the
 * end of these bytes or before anything that may depend on it. For the event loop.
 */
public final class PendingCompletions {
    private final ConnectionLoop loop;
    private final List<Link> links = new ArrayList<>();

    /** A link that keeps accepted deliveries. */
    public interface Link {

        /** Completes all accepted deliveries. */
        void completeAccepted();
    }

    public PendingCompletions(ConnectionLoop loop) {
        this.loop = loop;
    }

    /** Has a link complete the deliveries that its client accepted, at the end of the bytes being read. */
    public void add(Link link) {
        links.add(link);
    }

    /** Has all links complete the deliveries that their client accepted. */
    public void run() {
        if (!links.isEmpty()) {
            List<Link> all = List.copyOf(links);
            links.clear();
            all.forEach(link -> loop.guarded(link::completeAccepted));
        }
    }
}
