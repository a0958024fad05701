package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Take;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills the server with {@code kill -9} during transactions over five queues of two stores. Each
 * transaction must take effect as a whole or not at all. Confirmed commits must take effect, and messages to another
 * store must arrive once.
 *
 * <p>{@code -Djitney.crash.rounds=N} sets the number of kills, {@code -Djitney.crash.seed=S} repeats the choices of a
 * run.
 */
final class TransactionKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 6);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final int CHAINS = 40;
    private static final String IN = "in";
    private static final List<String> NOTES = List.of("notes-1", "notes-2", "notes-3", "notes-4");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * The minimum number of commits; fewer prove little. The last round continues until they are done, also on a slow
     * machine.
     */
    private static final long ENOUGH = ROUNDS * 20L;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Chains chains = new Chains(CHAINS);

    @Test
    @DisplayName("TX-12, STATE-2: after kills, a transaction takes effect as a whole or not at all, also across stores")
    void allOrNothing() throws Exception {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                Stream.concat(Stream.of(IN), NOTES.stream())
                        .map(name -> ConfigFile.queue(name, 1_000_000))
                        .toList(),
                List.of());
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(options(config))) {
                if (round == 0) {
                    begin(server.endpoint());
                } else {
                    compare(server);
                }
                workAndKill(server, round == ROUNDS - 1);
            }
            assertThat(chains.complaints()).as("seed %d, round %d", SEED, round).isEmpty();
        }
        try (ServerProcess server = ServerProcess.start(options(config))) {
            compare(server);
            assertThat(server.terminate()).as("exit status after SIGTERM").isZero();
        }
        System.out.printf(
                "%d kills, seed %d: %d commits confirmed, %d found, %d rollbacks%n",
                ROUNDS, SEED, chains.commits(), chains.transactions(), chains.rollbacks());
        assertThat(chains.commits()).as("commits").isGreaterThan(ENOUGH);
    }

    private void workAndKill(ServerProcess server, boolean isLast) throws Exception {
        try (Transacting work = new Transacting(chains, server.endpoint(), IN, NOTES, random.nextLong())) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(1_000)));
            if (isLast) {
                Eventually.until(
                        "clients have more than " + ENOUGH + " commits", PATIENCE, () -> chains.commits() > ENOUGH);
            }
            server.kill();
            work.awaitEnd();
        }
    }

    private void compare(ServerProcess server) throws Exception {
        Administration administration = new Administration(server.endpoint(), server.httpPort());
        Eventually.until(
                "all messages have arrived",
                PATIENCE,
                () -> Administration.number(AmqpClient.await(administration.get(IN)), "TransferMessageCount") == 0);
        long[] found = chains.compare(Browse.all(server.endpoint(), IN));
        for (String queue : NOTES) {
            chains.compareNotes(queue, found, Take.from(server.endpoint(), queue, chains.expectedNotes(found)));
            assertThat(Browse.all(server.endpoint(), queue))
                    .as("seed %d, %s", SEED, queue)
                    .isEmpty();
        }
        assertThat(chains.complaints()).as("seed %d, after a restart", SEED).isEmpty();
        chains.taken(found);
    }

    /** Sends the first messages of the chains. */
    private static void begin(Endpoint endpoint) throws AmqpException, InterruptedException {
        CompletableFuture<Void> all = new CompletableFuture<>();
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(endpoint);
            SenderLink link = AmqpClient.await(connection.sender(IN, new SenderLink.Listener() {
                private int accepted;

                @Override
                public void ready(SenderLink ignored) {}

                @Override
                public void answered(Object context, Outcome outcome) {
                    if (outcome.accepted() && ++accepted == CHAINS) {
                        all.complete(null);
                    }
                }
            }));
            connection.execute(() -> {
                for (int chain = 0; chain < CHAINS; chain++) {
                    String name = Chains.message(chain, 0);
                    link.send(Messages.encode(name, name.getBytes(StandardCharsets.US_ASCII)), name);
                }
            });
            AmqpClient.await(all);
        }
    }

    private ServerProcess.Options options(Path config) {
        List<String> options = new ArrayList<>(List.of(ConfigFile.options(config)));
        options.addAll(List.of("--stores", "2"));
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(options.toArray(String[]::new));
    }
}
