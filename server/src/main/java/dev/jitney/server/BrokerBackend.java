package dev.jitney.server;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.archive.Archiver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The opened stores and the broker on them, for the life cycle of the server; closing closes both. */
interface BrokerBackend extends AutoCloseable {

    /** Returns the broker itself. */
    Broker broker();

    /** Returns the stores of the broker, as they were opened. */
    default List<MessagingStore> stores() {
        return List.of();
    }

    /** Returns the archive of the commits of the stores, or null if there is none. */
    default @Nullable Archiver archive() {
        return null;
    }

    /** Returns the entities of one namespace, by its place in the configuration. */
    EntityCatalogue entities(int namespaceIndex);

    /** Returns null if all is well, otherwise one sentence that describes the problem. */
    @Nullable
    String trouble();

    @Override
    void close();
}
