package dev.jitney.server;

import dev.jitney.runtime.Broker;
import org.jspecify.annotations.Nullable;

/** The opened stores and the broker on them, as the server's life cycle sees them; closing closes both. */
interface BrokerBackend extends AutoCloseable {

    /** The broker itself. */
    Broker broker();

    /** The entities of one namespace, by its place in the configuration. */
    EntityCatalogue entities(int namespaceIndex);

    /** Null when all is well, otherwise one sentence that says what is wrong. */
    @Nullable
    String trouble();

    @Override
    void close();
}
