package dev.jitney.crash.paired;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.MessagingFactoryBuilder;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Two brokers, a primary and a secondary, that can be killed and started again with the same ports and data. */
final class PairedServers implements AutoCloseable {
    static final String PRIMARY_NAME = "contoso";
    static final int BACKLOG_QUEUES = 4;

    private final Broker primary;
    private final Broker secondary;

    PairedServers(Path directory) throws IOException, InterruptedException {
        primary = new Broker(
                directory.resolve("primary"),
                ConfigFile.write(
                        directory.resolve("primary.json"),
                        List.of(
                                ConfigFile.queue("plain", 10),
                                ConfigFile.sessionQueue("sessions", 10),
                                ConfigFile.detectingQueue("once")),
                        List.of(ConfigFile.topic("topic", List.of(ConfigFile.subscription("all", 10))))));
        secondary = new Broker(
                directory.resolve("secondary"),
                ConfigFile.write(directory.resolve("secondary.json"), backlogQueues(), List.of()));
    }

    /**
     * Returns backlog queues that exist before they are requested, with a shorter lock duration than the default
     * (PAIR-28). So messages that a syphon lost in transit are delivered again sooner.
     */
    private static List<String> backlogQueues() {
        return IntStream.range(0, BACKLOG_QUEUES)
                .mapToObj(i -> "{\"Name\":\"" + backlogQueue(i)
                        + "\",\"Properties\":{\"LockDuration\":\"PT20S\",\"DefaultMessageTimeToLive\":\"P3650D\","
                        + "\"MaxDeliveryCount\":2000}}")
                .toList();
    }

    private static String backlogQueue(int index) {
        return PRIMARY_NAME + "/x-servicebus-transfer/" + index;
    }

    Broker primary() {
        return primary;
    }

    Broker secondary() {
        return secondary;
    }

    /** Returns a builder for the primary with short timeouts. */
    MessagingFactoryBuilder primaryFactory() {
        return primary.factory().namespaceName(PRIMARY_NAME);
    }

    /** Returns the number of messages in all backlog queues. */
    long backlog() throws Exception {
        long count = 0;
        for (int i : IntStream.range(0, BACKLOG_QUEUES).toArray()) {
            count += secondary.count(backlogQueue(i), "MessageCount");
        }
        return count;
    }

    @Override
    public void close() {
        primary.close();
        secondary.close();
    }

    /** One of the brokers. */
    static final class Broker implements AutoCloseable {
        private static final AmqpRetryOptions RETRIES = new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setMaxRetries(1)
                .setDelay(Duration.ofMillis(100))
                .setTryTimeout(Duration.ofSeconds(5));

        private final ServerProcess.Options options;
        private ServerProcess process;
        private Administration administration;

        private Broker(Path data, Path config) throws IOException, InterruptedException {
            options = new ServerProcess.Options(data)
                    .keepPorts()
                    .java("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                    .server(ConfigFile.options(config));
            process = ServerProcess.start(options);
            administration = new Administration(endpoint(), process.httpPort());
        }

        Endpoint endpoint() {
            return process.endpoint();
        }

        String connectionString() {
            return connectionString(endpoint().port());
        }

        /** Returns the connection string for another port. */
        String connectionString(int port) {
            return "Endpoint=sb://localhost:" + port + ";SharedAccessKeyName="
                    + endpoint().ruleName() + ";SharedAccessKey=" + endpoint().key() + ";UseDevelopmentEmulator=true;";
        }

        MessagingFactoryBuilder factory() {
            return factory(connectionString());
        }

        MessagingFactoryBuilder factory(String connectionString) {
            return MessagingFactory.builder()
                    .connectionString(connectionString)
                    .administrationEndpoint("http://localhost:" + process.httpPort())
                    .retryOptions(RETRIES);
        }

        void kill() throws InterruptedException {
            process.kill();
        }

        /** Starts the broker again with the same ports and data. */
        void restart() throws IOException, InterruptedException {
            process.close();
            process = ServerProcess.start(options);
            administration = new Administration(endpoint(), process.httpPort());
        }

        /** Returns a number in the description of an entity, by the name of its element. */
        long count(String path, String element) throws Exception {
            return Administration.number(AmqpClient.await(administration.get(path)), element);
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
