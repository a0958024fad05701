package dev.jitney.crash.greedy;

import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The server that is attacked, with its entities. */
final class AttackedServer implements AutoCloseable {
    /** The queue of the well-behaved client. */
    static final String MINE = "mine";
    /** The queue of a client that connects during an attack. */
    static final String NEW = "new-clients";
    /** A queue with a few large messages to peek. */
    static final String LARGE = "large";
    /** A queue with large messages to receive. */
    static final String STACKED = "stacked";
    /** A queue with large deferred messages. */
    static final String DEFERRED = "deferred";
    /** A queue with large deferred messages, for replies without credit. */
    static final String UNASKED = "unasked";
    /** A queue with small messages. */
    static final String SMALL = "small";
    /** A queue that accepts all messages. */
    static final String SINK = "sink";

    /** A queue without messages, with an access rule of its own. */
    static final String RULED = "ruled";

    static final String SESSIONS = "sessions";
    static final String TOPIC = "topic";
    static final String SUBSCRIPTION = "topic/Subscriptions/sub";

    /** The lock duration, which is short so that messages are available again for the next attack. */
    private static final Duration LOCK = Duration.ofSeconds(5);

    /** The multiplier for the numbers of connections and messages. */
    static final int SCALE = Integer.getInteger("jitney.greedy.scale", 1);

    /** The connection limit of the namespace: the default, or more for a larger run. */
    private static final int CONNECTIONS_MAX = 5_000 * SCALE;

    private static final String HEAP = System.getProperty("jitney.greedy.heap", "256m");

    private static final String RULE = "greedy";
    private static final String RULE_KEY = "greedy-key";

    private final ServerProcess server;
    private int stacked;
    private List<Long> deferred = List.of();

    private AttackedServer(ServerProcess server) {
        this.server = server;
    }

    /** Starts a server with the entities of all attacks. */
    static AttackedServer start(Path directory) throws IOException, InterruptedException {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(
                        ConfigFile.queue(MINE, 10),
                        ConfigFile.queue(NEW, 10),
                        ConfigFile.queue(LARGE, 2_000),
                        ConfigFile.impatientQueue(STACKED, 2_000, LOCK),
                        ConfigFile.queue(DEFERRED, 2_000),
                        ConfigFile.queue(UNASKED, 2_000),
                        ConfigFile.queue(SMALL, 2_000),
                        ConfigFile.queue(SINK, 2_000),
                        withRule(ConfigFile.queue(RULED, 2_000)),
                        ConfigFile.sessionQueue(SESSIONS, 2_000)),
                List.of(ConfigFile.topic(TOPIC, List.of(ConfigFile.subscription("sub", 10)))));
        List<String> more = new ArrayList<>(List.of(ConfigFile.options(config)));
        more.addAll(List.of("--tls", "auto"));
        more.addAll(
                List.of("--limit", "maxConnections=" + CONNECTIONS_MAX, "--limit", "maxReceivers=" + CONNECTIONS_MAX));
        return new AttackedServer(ServerProcess.start(new ServerProcess.Options(directory.resolve("data"))
                .onePort() // the usual way, and the one where every attacker meets every protocol
                .java("-Xmx" + HEAP)
                .server(more.toArray(String[]::new))));
    }

    private static String withRule(String queue) {
        return queue.substring(0, queue.length() - 1) + ",\"AccessRules\":[{\"Name\":\"" + RULE
                + "\",\"Rights\":[\"Send\",\"Listen\"],\"PrimaryKey\":\"" + RULE_KEY + "\"}]}";
    }

    ServerProcess server() {
        return server;
    }

    Endpoint endpoint() {
        return server.endpoint();
    }

    Endpoint webSocketEndpoint() {
        return server.webSocketEndpoint();
    }

    int httpPort() {
        return server.httpPort();
    }

    int amqpsPort() {
        return server.amqpsPort();
    }

    int httpsPort() {
        return server.httpsPort();
    }

    Administration administration() {
        return new Administration(endpoint(), httpPort());
    }

    /** Returns the Authorization header of the rule of {@link #RULED}. */
    String ruledAuthorization() {
        Endpoint root = endpoint();
        Endpoint ruled = new Endpoint(root.host(), root.port(), false, RULE, RULE_KEY);
        return new Administration(ruled, httpPort()).authorization();
    }

    /** Returns the number of messages in a queue. */
    long count(String queue) throws Exception {
        return Administration.number(AmqpClient.await(administration().get(queue)), "MessageCount");
    }

    /** Ensures that {@link #STACKED} contains this number of large messages. */
    void stack(int count) throws Exception {
        if (stacked < count) {
            Stock.send(endpoint(), STACKED, count - stacked, Stock.LARGE_BYTES);
            stacked = count;
        }
    }

    /** Returns the sequence numbers of the deferred messages in {@link #DEFERRED}. */
    List<Long> deferred() {
        return deferred;
    }

    void deferred(List<Long> numbers) {
        deferred = List.copyOf(numbers);
    }

    @Override
    public void close() {
        server.close();
    }
}
