package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Holder;
import dev.jitney.crash.support.Once;
import dev.jitney.crash.support.RoundTrips;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with thousands of connections: opened and dropped repeatedly, and many that work at the same time. */
final class ConnectionStormTest {
    private static final int ROUNDS = Integer.getInteger("jitney.storm.rounds", 3);
    private static final int DROPPED = Integer.getInteger("jitney.storm.connections", 600);
    private static final int WORKING = Integer.getInteger("jitney.storm.working", 150);
    /** One of this number of dropped connections has opened AMQP before. */
    private static final int OPENED_EVERY = 20;

    private static final int AT_ONCE = 50;
    /**
     * The number of connections besides those of a run, because the default limit of a namespace may be too low for a
     * large run.
     */
    private static final int CONNECTIONS_BESIDES = 100;

    private static final int FILES_MORE_MAX = 10;
    private static final long GROWTH_KIB_MAX = 64 * 1024;
    private static final long SLOWEST_MS = 15_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String QUEUE = "storm";
    /**
     * The bytes sent before a connection is dropped: nothing, half a header, the SASL header, a header and half a
     * frame.
     */
    private static final byte[][] OPENINGS = {
        {}, {'A', 'M', 'Q'}, {'A', 'M', 'Q', 'P', 3, 1, 0, 0}, {'A', 'M', 'Q', 'P', 3, 1, 0, 0, 0, 0, 1, 0, 2}
    };

    @TempDir
    Path directory;

    @Test
    @DisplayName("Thousands of short connections leak neither memory nor files, and another client works meanwhile")
    void dropped() throws Exception {
        try (ServerProcess server = ServerProcess.start(options());
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            RoundTrips trips = new RoundTrips();
            AmqpClient.await(connection.receiver(QUEUE, 10, true, trips));
            SenderLink link = AmqpClient.await(connection.sender(QUEUE, trips));
            for (int i = 0; i < 200; i++) {
                trips.one(connection, link);
            }
            int files = server.cost().openFiles();
            storm(server.endpoint(), client, () -> trips.one(connection, link));
            awaitFiles(server, files);
            long residentKiB = server.cost().residentKiB();
            trips.forgetSlowest();
            for (int round = 1; round < ROUNDS; round++) {
                storm(server.endpoint(), client, () -> trips.one(connection, link));
            }
            awaitFiles(server, files);
            long grown = server.cost().residentKiB() - residentKiB;
            trips.tell("in " + ROUNDS + " storms of " + DROPPED + " connections, " + grown / 1024 + " MiB more memory");
            assertThat(grown).as("additional KiB since the first storm").isLessThan(GROWTH_KIB_MAX);
            assertThat(TimeUnit.NANOSECONDS.toMillis(trips.slowestNanos()))
                    .as("slowest round trip, ms")
                    .isLessThan(SLOWEST_MS);
            assertThat(server.health().statusCode()).isEqualTo(200);
        }
    }

    /** The work of the well-behaved client. */
    @FunctionalInterface
    private interface Work {
        void once() throws Exception;
    }

    private static void storm(Endpoint endpoint, AmqpClient client, Work work) throws Exception {
        List<SocketChannel> open = new ArrayList<>();
        List<CompletableFuture<ClientConnection>> opening = new ArrayList<>();
        for (int i = 0; i < DROPPED; i++) {
            if (i % OPENED_EVERY == 0) {
                opening.add(client.connect(endpoint));
            } else {
                open.add(connect(endpoint, i));
            }
            if (open.size() + opening.size() >= AT_ONCE) {
                drop(open, opening);
                work.once();
            }
        }
        drop(open, opening);
    }

    private static SocketChannel connect(Endpoint endpoint, int i) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", endpoint.port()));
        channel.write(ByteBuffer.wrap(OPENINGS[i % OPENINGS.length]));
        if (i % 2 == 0) {
            // The socket is reset instead of closed.
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        return channel;
    }

    private static void drop(List<SocketChannel> open, List<CompletableFuture<ClientConnection>> opening)
            throws Exception {
        for (SocketChannel channel : open) {
            channel.close();
        }
        for (CompletableFuture<ClientConnection> connection : opening) {
            AmqpClient.await(connection).abort();
        }
        open.clear();
        opening.clear();
    }

    private static void awaitFiles(ServerProcess server, int before) throws Exception {
        Eventually.until(
                "the server has closed all connections; it had " + before + " open files, and now has "
                        + server.cost().openFiles(),
                PATIENCE,
                () -> server.cost().openFiles() <= before + FILES_MORE_MAX);
    }

    @Test
    @DisplayName("MSG-1: hundreds or thousands of concurrent connections each send and receive")
    void working() throws Exception {
        try (ServerProcess server = ServerProcess.start(options());
                AmqpClient client = new AmqpClient(2)) {
            List<ClientConnection> connections = new ArrayList<>();
            BitSet received = new BitSet();
            int files = server.cost().openFiles();
            for (int from = 0; from < WORKING; from += AT_ONCE) {
                List<CompletableFuture<ClientConnection>> opening = new ArrayList<>();
                for (int i = from; i < Math.min(WORKING, from + AT_ONCE); i++) {
                    opening.add(client.connect(server.endpoint()));
                }
                for (CompletableFuture<ClientConnection> connection : opening) {
                    connections.add(AmqpClient.await(connection));
                }
            }
            for (int i = 0; i < WORKING; i++) {
                Holder holder = new Holder();
                ClientConnection connection = connections.get(i);
                Once once = new Once(Messages.encode(Integer.toString(i), new byte[100]));
                AmqpClient.await(connection.receiver(QUEUE, 1, true, holder));
                SenderLink link = AmqpClient.await(connection.sender(QUEUE, once));
                connection.execute(() -> once.ready(link));
                assertThat(AmqpClient.await(once.outcome()).accepted()).isTrue();
                Eventually.until("a message for connection " + i, PATIENCE, () -> holder.count() == 1);
                received.set(Integer.parseInt(
                        String.valueOf(holder.first().element().message().messageId())));
                connection.execute(() -> holder.first().element().complete());
                Eventually.until(
                        "the completion of that message",
                        PATIENCE,
                        () -> !holder.outcomes().isEmpty());
            }
            System.out.printf(
                    "%d working connections: %d MiB resident%n",
                    WORKING, server.cost().residentKiB() / 1024);
            assertThat(received.cardinality()).isEqualTo(WORKING);
            assertThat(server.cost().openFiles()).isGreaterThanOrEqualTo(files + WORKING);
            assertThat(server.health().statusCode()).isEqualTo(200);
            connections.forEach(ClientConnection::abort);
            awaitFiles(server, files);
        }
    }

    private ServerProcess.Options options() throws IOException {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        int most = Math.max(5_000, Math.max(WORKING, DROPPED) + CONNECTIONS_BESIDES);
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config))
                .server("--limit", "maxConnections=" + most)
                .server("--limit", "maxReceivers=" + most);
    }
}
