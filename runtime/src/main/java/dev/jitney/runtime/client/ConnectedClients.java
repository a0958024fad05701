package dev.jitney.runtime.client;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The clients that are connected to a gateway. Any thread may call it; no method blocks. */
public interface ConnectedClients {
    /** A gateway without clients. */
    ConnectedClients NONE = new ConnectedClients() {
        @Override
        public int connections(Namespace namespace) {
            return 0;
        }

        @Override
        public CompletionStage<List<ConnectedClient>> of(Entity entity, EntityAddress address, long after, int max) {
            return CompletableFuture.completedFuture(List.of());
        }
    };

    /** Returns the number of open connections to a namespace. */
    int connections(Namespace namespace);

    /**
     * Returns connections with links that carry messages of an entity, in the order of their numbers.
     *
     * @param address the address of the entity, or of one of its sub-queues; then only links to that sub-queue count
     * @param after only connections with larger numbers; 0 for all
     * @param max the largest number of connections, 1 or more
     * @return completes on a thread of the gateway; the links may have changed since
     */
    CompletionStage<List<ConnectedClient>> of(Entity entity, EntityAddress address, long after, int max);
}
