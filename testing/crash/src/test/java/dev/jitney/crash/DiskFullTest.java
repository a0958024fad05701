package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Drain;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.crash.support.SmallDisk;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test in which the disk of the server fills up and then has free space again. */
final class DiskFullTest {
    private static final String QUEUE = "full";
    private static final int DISK_MIB = 128;
    private static final int SIZE_BYTES = 8 * 1024;
    /** More messages than fit on the disk. */
    private static final int MANY = 200_000;

    private static final int AGAIN = 500;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    @Test
    @DisplayName("QUOTA-3: a full disk rejects sends with a reason; receiving frees space, and no message is lost")
    void refusesSendsWhenTheDiskIsFullAndAcceptsThemAgain() throws Exception {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        try (SmallDisk disk = SmallDisk.mount(DISK_MIB);
                ServerProcess server = ServerProcess.start(
                        new ServerProcess.Options(disk.path().resolve("data"))
                                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                                .server(ConfigFile.options(config)));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection sending = client.open(server.endpoint());
            Filler filler = new Filler(SIZE_BYTES, 100, MANY);
            Outcome refusal = fill(sending, filler);
            assertThat(refusal.condition())
                    .as("the condition of %s after %s", refusal, server.errors())
                    .isEqualTo("amqp:resource-limit-exceeded");
            assertThat(filler.acceptedCount()).as("messages that fit").isGreaterThan(1_000);
            awaitTroubleInHealth(server);

            Drain drain = new Drain();
            ClientConnection receiving = client.open(server.endpoint());
            AmqpClient.await(receiving.receiver(QUEUE, 100, true, drain));
            Eventually.until(
                    "all messages are received and completed; so far " + drain.completed(),
                    PATIENCE,
                    () -> drain.completed() >= filler.acceptedCount() || drain.complaint() != null);
            assertThat(drain.complaint()).isNull();

            BitSet sent = (BitSet) filler.accepted().clone();
            sent.or(sendAgain(server, sending));
            Eventually.until("all messages arrive", PATIENCE, () -> drain.completed() == sent.cardinality());

            assertThat(drain.received()).as("all accepted messages").isEqualTo(sent);
            assertThat(drain.complaint()).isNull();
            assertThat(server.terminate()).isZero();
        }
    }

    /**
     * Sends until 500 more messages are accepted. While compactions are late, as on a busy machine, the disk may have no room again for
     * a moment.
     */
    private static BitSet sendAgain(ServerProcess server, ClientConnection sending) throws Exception {
        BitSet sent = new BitSet();
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int first = MANY; sent.cardinality() < AGAIN; first += AGAIN) {
            assertThat(System.nanoTime() - end)
                    .as("nanoseconds after the time to accept %s sends; accepted: %s", AGAIN, sent.cardinality())
                    .isNegative();
            Eventually.until(
                    "the health check succeeds again",
                    PATIENCE,
                    () -> server.health().statusCode() == 200);
            Filler again = new Filler(SIZE_BYTES, 100, first, AGAIN - sent.cardinality());
            Outcome last = fill(sending, again);
            assertThat(last.accepted() || "amqp:resource-limit-exceeded".equals(last.condition()))
                    .as("an acceptance, or the refusal for want of room, but got %s", last)
                    .isTrue();
            sent.or(again.accepted());
        }
        return sent;
    }

    /** Sends until a message is refused, or all are sent, and returns the last outcome. */
    private static Outcome fill(ClientConnection connection, Filler filler) throws Exception {
        SenderLink link = AmqpClient.await(connection.sender(QUEUE, filler));
        connection.execute(() -> filler.ready(link));
        Outcome refusal = filler.over().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Eventually.until("every send has an outcome", PATIENCE, () -> ask(connection, link) == 0);
        return refusal;
    }

    private static int ask(ClientConnection connection, SenderLink link) throws Exception {
        java.util.concurrent.CompletableFuture<Integer> unanswered = new java.util.concurrent.CompletableFuture<>();
        connection.execute(() -> unanswered.complete(link.unanswered()));
        return AmqpClient.await(unanswered);
    }

    private static void awaitTroubleInHealth(ServerProcess server) throws Exception {
        Eventually.until(
                "the health check reports the full disk",
                PATIENCE,
                () -> server.health().statusCode() == 503);
        HttpResponse<String> health = server.health();
        assertThat(health.body()).containsIgnoringCase("disk").containsIgnoringCase("full");
    }
}
