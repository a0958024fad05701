package dev.jitney.console;

import dev.jitney.server.JitneyServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The servers of the tests, and what a test of the browser needs of them. */
final class ConsoleServer {
    static final String KEY = "a-key-for-the-tests-of-the-console";

    private ConsoleServer() {}

    /**
     * Starts a server.
     *
     * @param key null for the public key of development
     */
    static JitneyServer start(Path data, @Nullable String key) throws Exception {
        return JitneyServer.builder()
                .dataDir(data)
                .amqpPort(0)
                .httpPort(0)
                .sasKey(key)
                .build()
                .start();
    }

    /** Returns the address and the key of the server for a browser test. */
    static Map<String, String> environment(JitneyServer server) {
        return Map.of(
                "CONSOLE_URL", "http://localhost:" + server.httpPort(),
                "CONSOLE_CONNECTION_STRING", server.connectionString(),
                "CONSOLE_RENEW", System.getProperty("jitney.console.renew", "false"));
    }

    static void await(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
