package dev.jitney.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A broker in this Java machine, on a free port of the loopback interface. A test usually has a namespace of its own in a broker
 * that it shares with other tests:
 *
 * <pre>{@code
 * try (JitneyBroker broker = JitneyBroker.start();
 *         Jitney namespace = broker.newNamespace(n -> n.queue("orders"))) {
 *     use(namespace.connectionString());
 * }
 * }</pre>
 *
 * <p>The broker and its libraries are in a class loader of their own, which the application does not see and which is kept for
 * later brokers. Any thread may call the methods.
 */
public final class JitneyBroker implements AutoCloseable {
    private final BrokerHttp http;
    private final BrokerClock clock;
    private final NamespaceDefinition definition;
    private final Runnable close;
    private boolean closed;

    private JitneyBroker(BrokerHttp http, NamespaceDefinition definition, Runnable close) {
        this.http = http;
        this.clock = new BrokerClock(http);
        this.definition = definition;
        this.close = close;
    }

    /** Starts a broker that keeps its messages in memory. */
    public static JitneyBroker start() {
        return builder().start();
    }

    /**
     * Connects to a broker that runs already with {@code --test-mode}, such as one in a container. {@link #close} does not stop
     * it.
     *
     * @param host name or address of the broker for this machine; an IPv6 address in brackets
     * @param port the port for AMQP and HTTP, as this machine reaches it
     */
    public static JitneyBroker connect(String host, int port) {
        return new JitneyBroker(new BrokerHttp(host, port), new NamespaceDefinition(), () -> {});
    }

    /** Returns a builder. Every setting has a default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Creates a namespace with the entities of the builder. */
    public Jitney newNamespace() {
        return newNamespace(definition);
    }

    /** Creates a namespace with these entities, and not with those of the builder. */
    public Jitney newNamespace(Consumer<NamespaceDefinition> entities) {
        NamespaceDefinition own = new NamespaceDefinition();
        entities.accept(own);
        return newNamespace(own);
    }

    /** Creates a namespace with these entities, and not with those of the builder. */
    public Jitney newNamespace(NamespaceDefinition entities) {
        return Jitney.create(http, clock, null, entities);
    }

    /**
     * Creates a namespace with a name that the test chooses.
     *
     * @throws JitneyException if the name is not valid, or the broker has a namespace of this name
     */
    public Jitney newNamespace(String name, NamespaceDefinition entities) {
        return Jitney.create(http, clock, name, entities);
    }

    /** Returns the message time of all namespaces. */
    public BrokerClock clock() {
        return clock;
    }

    /** Returns the port for AMQP and HTTP. */
    public int port() {
        return http.port();
    }

    /** Closes the broker with all namespaces. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            close.run();
        }
    }

    @Override
    public String toString() {
        return "JitneyBroker[port " + port() + "]";
    }

    /** The settings of a broker. Not thread-safe. */
    public static final class Builder {
        private final NamespaceDefinition definition = new NamespaceDefinition();
        private final Map<String, String> options = new LinkedHashMap<>();
        private @Nullable Path files;

        private Builder() {}

        /**
         * Keeps messages in files, as the server of an installation does. This needs the dependency {@code org.rocksdb:rocksdbjni},
         * which the test kit does not bring because of its 92 MB.
         *
         * @param directory an empty directory, or one that does not exist yet
         */
        public Builder files(Path directory) {
            files = directory;
            return this;
        }

        /**
         * Sets the level of the broker's log on standard error: TRACE, DEBUG, INFO, WARN (the default), ERROR or OFF. It is that of
         * all brokers in this Java machine, and the last one counts.
         */
        public Builder logLevel(String level) {
            options.put("logLevel", level);
            return this;
        }

        /** Adds a queue to namespaces. */
        public Builder queue(String name) {
            definition.queue(name);
            return this;
        }

        /** Adds a queue to namespaces. */
        public Builder queue(String name, Consumer<QueueDefinition> settings) {
            definition.queue(name, settings);
            return this;
        }

        /** Adds a topic to namespaces. */
        public Builder topic(String name, Consumer<TopicDefinition> settings) {
            definition.topic(name, settings);
            return this;
        }

        /** Adds the entities of a configuration file of Microsoft's emulator to namespaces. */
        public Builder config(Path file) {
            definition.config(file);
            return this;
        }

        /**
         * Starts the broker. The first one in a Java machine takes about a second, later ones a fraction of it.
         *
         * @throws JitneyException if it cannot start; the message says why
         */
        public JitneyBroker start() {
            Path directory = files;
            if (directory != null) {
                requireEmpty(directory);
                BrokerLoader.requireFiles();
                options.put("dataDir", directory.toAbsolutePath().toString());
            }
            Map<String, Object> started = BrokerLoader.start(Map.copyOf(options));
            if (started.get("port") instanceof Integer port && started.get("close") instanceof Runnable close) {
                return new JitneyBroker(new BrokerHttp(port), definition, close);
            }
            throw new JitneyException("start: Expected a port and a way to close the broker, but got "
                    + started.keySet() + ". Use the same version of jitney-testkit and jitney-testkit-broker.");
        }

        /** Messages of an earlier test must not reach this one. */
        private static void requireEmpty(Path directory) {
            if (!Files.exists(directory)) {
                return;
            }
            try (DirectoryStream<Path> content = Files.newDirectoryStream(directory)) {
                if (content.iterator().hasNext()) {
                    throw new JitneyException("files: Expected an empty directory, but " + directory
                            + " has files. Use a new one for each broker, such as that of @TempDir.");
                }
            } catch (IOException e) {
                throw new JitneyException(
                        "files: " + directory + " cannot be read (" + e + "). Choose another directory.", 0, e);
            }
        }
    }
}
