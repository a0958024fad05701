package dev.jitney.server;

import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.gateway.http.testmode.TestServer;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.NamespaceConfig;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The server for the requests of tests. The entities of a new namespace are created by a thread of its own. Any thread may call it. */
final class TestModeServer implements TestServer, AutoCloseable {
    private static final int SETUPS_WAITING_MAX = 1_000;

    /** The place that messages of the reader name first, which means nothing to the author of a test. */
    private static final String PREFIX = "config: UserConfig.Namespaces[0]";

    private final ServerOptions options;
    private final AmqpListeners listeners;
    private final Supplier<ConnectionStrings> strings;
    private final ThreadPoolExecutor setups =
            new ThreadPoolExecutor(1, 1, 5, TimeUnit.SECONDS, new ArrayBlockingQueue<>(SETUPS_WAITING_MAX), work -> {
                Thread thread = new Thread(work, "jitney-test-setup");
                thread.setDaemon(true);
                return thread;
            });

    /** @param strings returns the connection strings once the ports are open */
    TestModeServer(ServerOptions options, AmqpListeners listeners, Supplier<ConnectionStrings> strings) {
        this.options = options;
        this.listeners = listeners;
        this.strings = strings;
        setups.allowCoreThreadTimeOut(true);
    }

    @Override
    public TestModeAccess access() {
        return options.testMode();
    }

    @Override
    public Setup read(String name, byte[] config) throws InvalidSetupException {
        NamespaceConfig read;
        try {
            read = ConfigReader.parseNamespace("config", name, config);
        } catch (ConfigException e) {
            String message = String.valueOf(e.getMessage());
            throw new InvalidSetupException(
                    message.startsWith(PREFIX) ? "config" + message.substring(PREFIX.length()) : message);
        }
        if (!read.declaresOnlyEntities()) {
            throw new InvalidSetupException(
                    "config: Expected the members Queues, Topics and Tier. Access rules and quotas of a"
                            + " namespace that is created at run time are those of the server.");
        }
        return new EntitiesOf(read);
    }

    /** The entities of a namespace in a request. */
    private final class EntitiesOf implements Setup {
        private final NamespaceConfig config;

        EntitiesOf(NamespaceConfig config) {
            this.config = config;
        }

        @Override
        public @Nullable TierProfile tier() {
            return config.tier();
        }

        @Override
        public CompletionStage<Void> create(Namespace namespace) {
            if (config.queues().isEmpty() && config.topics().isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<Void> done = new CompletableFuture<>();
            try {
                setups.execute(() -> {
                    try {
                        NamespaceSettings own = NamespaceSettings.of(config, options);
                        EntitySetup.apply(
                                config.partitionedBy(
                                        own.partitioning(), namespace.limits().tier()),
                                EntityCatalogue.of(namespace));
                        done.complete(null);
                    } catch (StartException e) {
                        done.completeExceptionally(new InvalidSetupException(
                                String.valueOf(e.getMessage()).replaceFirst("^--config: ", "")));
                    } catch (RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
            } catch (RejectedExecutionException full) {
                done.completeExceptionally(new BrokerException(new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "Expected at most " + SETUPS_WAITING_MAX
                                + " namespaces in creation. Please wait and try again.")));
            }
            return done;
        }
    }

    @Override
    public String connectionString(AccessRule rule) {
        return strings.get().ofKey(rule);
    }

    @Override
    public void disconnect(Namespace namespace) {
        listeners.disconnect(namespace);
    }

    @Override
    public void delay(Namespace namespace, long ms) {
        listeners.delay(namespace, ms);
    }

    @Override
    public void close() {
        setups.shutdownNow();
    }
}
