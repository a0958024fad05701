package dev.jitney.comparison.broker;

import dev.jitney.server.BuildInfo;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jitney as users start it, with default settings except for the heap. */
public final class JitneyBroker implements Broker {
    public static final String NAME = "Jitney";
    private static final int MAX_DELIVERY_COUNT = 2_000;

    private final @Nullable Path launcher;

    /**
     * @param launcher script {@code jitney}; without it, the server runs from the class path of this process
     */
    public JitneyBroker(@Nullable Path launcher) {
        this.launcher = launcher;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String version() {
        return BuildInfo.version();
    }

    @Override
    public List<String> settings() {
        return List.of(
                launcher == null ? "started from the class path" : "started by its script `jitney server`",
                "every accepted send and every completion synced (`fdatasync`); otherwise default settings");
    }

    @Override
    public BrokerServer prepare(Path directory, Entities entities, String heap) throws IOException {
        List<String> queues = Stream.concat(Stream.of(Entities.READY), entities.queueNames().stream())
                .map(queue -> ConfigFile.queue(queue, MAX_DELIVERY_COUNT))
                .toList();
        List<String> topics = entities.subscriptions() == 0
                ? List.of()
                : List.of(ConfigFile.topic(
                        Entities.TOPIC,
                        entities.subscriptionNames().stream()
                                .map(name -> ConfigFile.subscription(name, MAX_DELIVERY_COUNT))
                                .toList()));
        Path config = ConfigFile.write(directory.resolve("config.json"), queues, topics);
        Path data = directory.resolve("data");
        ServerProcess.Options options = new ServerProcess.Options(data)
                .java("-Xmx" + heap)
                .server(ConfigFile.options(config))
                .server("--log-level", "WARN");
        if (launcher != null) {
            options.launcher(launcher);
        }
        return new Server(options, data);
    }

    /** A server on one directory. */
    private static final class Server implements BrokerServer {
        private final ServerProcess.Options options;
        private final Path data;
        private @Nullable ServerProcess current;

        Server(ServerProcess.Options options, Path data) {
            this.options = options;
            this.data = data;
        }

        @Override
        public void launch() throws IOException {
            close();
            current = ServerProcess.launch(options);
        }

        @Override
        public Endpoint endpoint() {
            return launched().endpoint();
        }

        @Override
        public WatchedProcess process() {
            return launched().process();
        }

        @Override
        public String subscription(String name) {
            return Entities.TOPIC + "/Subscriptions/" + name;
        }

        @Override
        public Path data() {
            return data;
        }

        @Override
        public String said() {
            return current == null ? "" : current.errors();
        }

        @Override
        public void close() {
            if (current != null) {
                current.close();
                current = null;
            }
        }

        private ServerProcess launched() {
            if (current == null) {
                throw new IllegalStateException("Expected a launched server, but it was not launched.");
            }
            return current;
        }
    }
}
