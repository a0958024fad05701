package dev.jitney.server.embedded;

import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.MetricsSettings;
import dev.jitney.server.StartException;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.front.Transport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server in test mode on a free port of the loopback interface. The test kit finds this class by its name in a class
 * loader that the application does not see, so options and results have types of the JDK only.
 *
 * <p>Options, all of them optional:
 *
 * <ul>
 *   <li>{@value #DATA_DIR}: the data directory. Without it messages are in memory.
 *   <li>{@value #LOG_LEVEL}: TRACE, DEBUG, INFO, WARN (the default), ERROR or OFF. It is the level of all servers of this class
 *       loader, and the last one that was set counts.
 * </ul>
 *
 * <p>Results: {@value #PORT}, the {@link Integer} port for AMQP and HTTP, and {@value #CLOSE}, a {@link Runnable} that closes
 * the server. Any thread may call both methods.
 */
public final class EmbeddedServer implements Function<Map<String, String>, Map<String, Object>> {
    static final String DATA_DIR = "dataDir";
    static final String LOG_LEVEL = "logLevel";
    static final String PORT = "port";
    static final String CLOSE = "close";

    private static final Set<String> OPTIONS = Set.of(DATA_DIR, LOG_LEVEL);
    private static final AtomicBoolean WARM = new AtomicBoolean();
    private static final String FIRST_CONFIGURATION = """
            {"Queues": [{"Name": "q", "Properties": {"LockDuration": "PT1M", "MaxDeliveryCount": 10}}], "Topics": []}
            """;

    /** Creates the function. It starts a server for each call. */
    public EmbeddedServer() {}

    /**
     * Starts a server, and returns when it serves clients.
     *
     * @throws IllegalArgumentException if there is no such option or value
     * @throws IllegalStateException if the server cannot start; the message says why
     */
    @Override
    public Map<String, Object> apply(Map<String, String> options) {
        Set<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeAll(OPTIONS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected the options " + new TreeSet<>(OPTIONS) + ", but got " + unknown + ".");
        }
        EmbeddedLog.use(options.getOrDefault(LOG_LEVEL, "WARN"));
        warmUp();
        JitneyServerBuilder builder = JitneyServer.builder()
                .port(0)
                .testMode(TestModeAccess.LOOPBACK)
                // A test that advances the time sees expired messages where they belong, although no receiver is
                // active.
                .expiryEnforcement(ExpiryEnforcement.BACKGROUND)
                // A test does not need metrics, and their library takes time to load.
                .metrics(new MetricsSettings(MetricsAccess.OFF, 0));
        JitneyServer server = start(withStore(builder, options.get(DATA_DIR)));
        Integer port = server.amqpPort();
        if (port == null) {
            throw new IllegalStateException("Expected a port for AMQP and HTTP, but the server has none.");
        }
        Runnable close = server::close;
        return Map.of(PORT, port, CLOSE, close);
    }

    /**
     * Prepares the class loader once. Loads the library for JSON while the first server starts, because the request for a first
     * namespace needs it.
     */
    private static void warmUp() {
        if (WARM.compareAndSet(false, true)) {
            Transport.useNoNativeCode();
            Thread thread = new Thread(EmbeddedServer::readConfiguration, "jitney-warm-up");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void readConfiguration() {
        try {
            ConfigReader.parseNamespace("warm-up", "warm-up", FIRST_CONFIGURATION.getBytes(StandardCharsets.UTF_8));
        } catch (ConfigException e) {
            throw new IllegalStateException("Expected a valid configuration.", e);
        }
    }

    private static JitneyServerBuilder withStore(JitneyServerBuilder builder, @Nullable String dataDir) {
        return dataDir == null ? builder.inMemory(true) : builder.dataDir(Path.of(dataDir));
    }

    private static JitneyServer start(JitneyServerBuilder builder) {
        try {
            return builder.build().start();
        } catch (StartException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
