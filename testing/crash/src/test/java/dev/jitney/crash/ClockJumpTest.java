package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Drain;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.crash.support.Holder;
import dev.jitney.crash.support.Interposed;
import dev.jitney.crash.support.Once;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that set the clock of the machine forward and back while a server runs. */
final class ClockJumpTest {
    private static final String LOCKED = "locked";
    private static final String EXPIRING = "expiring";
    private static final String BUSY = "busy";
    private static final int MESSAGES = Integer.getInteger("jitney.clock.messages", 2_000);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration HOURS = Duration.ofHours(3);
    private static final byte[] BODY = new byte[100];

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "LOCK-7, SCHED-2, TTL-1, MSG-11: a clock set forward ends locks and waits; after a clock set back the server continues")
    void leapsForwardAndBack() throws Exception {
        Interposed system = Interposed.compile(directory);
        try (ServerProcess server = ServerProcess.start(system.around(options()));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            Holder holder = new Holder();
            send(connection, LOCKED, Messages.encode("0", BODY));
            send(connection, EXPIRING, Messages.encode("1", BODY));
            send(
                    connection,
                    LOCKED,
                    Messages.encodeScheduled("2", BODY, System.currentTimeMillis() + HOURS.toMillis() / 2));
            AmqpClient.await(connection.receiver(LOCKED, 1, true, holder));
            await("the first message is locked", () -> holder.count() == 1);

            system.clockAhead(HOURS);
            Holder after = new Holder();
            AmqpClient.await(connection.receiver(LOCKED, 10, true, after));
            await("LOCK-7, SCHED-2: the locked and the scheduled message are delivered", () -> after.count() >= 2);
            assertThat(after.first().stream().map(message -> message.message().messageId()))
                    .contains("0", "2");
            connection.execute(() -> holder.first().element().complete());
            await("an outcome of the settlement", () -> !holder.outcomes().isEmpty());
            assertThat(holder.outcomes().element().condition())
                    .as("LOCK-7: condition for the old lock")
                    .isEqualTo("com.microsoft:message-lock-lost");
            AmqpClient.await(connection.receiver(EXPIRING, 1, true, new Holder()));
            Holder dead = new Holder();
            AmqpClient.await(connection.receiver(EXPIRING + "/$DeadLetterQueue", 1, true, dead));
            await("TTL-1: the expired message is dead-lettered", () -> dead.count() == 1);

            int held = after.count();
            system.clockAhead(HOURS.negated());
            await("LOCK-7: locks still end in time", () -> after.count() >= held + 2);
            assertThat(Objects.requireNonNull(after.last()).deliveryCount()).isPositive();
            send(connection, LOCKED, Messages.encode("3", BODY));
            await(
                    "a new message is delivered",
                    () -> after.first().stream()
                            .anyMatch(message -> "3".equals(message.message().messageId())));
            connection.execute(() -> after.first().forEach(message -> {
                if (message.message().deliveryCount() > 0) {
                    message.complete();
                }
            }));
            assertIdle(server);
            assertThat(server.health().statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("MSG-1, LOCK-3: while the clock is set forward and back, every message is delivered once and in order")
    void losesNothing() throws Exception {
        Interposed system = Interposed.compile(directory);
        Random random = new Random(SEED);
        try (ServerProcess server = ServerProcess.start(system.around(options()));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            Filler filler = new Filler(100, 20, MESSAGES);
            Drain drain = new Drain();
            AmqpClient.await(connection.receiver(BUSY, 50, true, drain));
            SenderLink link = AmqpClient.await(connection.sender(BUSY, filler));
            connection.execute(() -> filler.ready(link));
            await("all messages are received", () -> {
                // The lock duration of this queue is longer than each change of the clock.
                system.clockAhead(Duration.ofSeconds(random.nextInt(480) - 240));
                return drain.completed() == MESSAGES || drain.complaint() != null;
            });
            assertThat(drain.complaint()).as("seed %d", SEED).isNull();
            assertThat(drain.received()).as("seed %d", SEED).isEqualTo(filler.accepted());
        }
        try (ServerProcess server = ServerProcess.start(options())) {
            List<ReceivedMessage> left = Browse.all(server.endpoint(), BUSY);
            assertThat(left)
                    .as("after a start with the correct clock; seed %d", SEED)
                    .isEmpty();
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        Eventually.until(what, PATIENCE, condition);
    }

    private static void send(ClientConnection connection, String queue, byte[] message)
            throws AmqpException, InterruptedException {
        Once once = new Once(message);
        SenderLink link = AmqpClient.await(connection.sender(queue, once));
        connection.execute(() -> once.ready(link));
        assertThat(AmqpClient.await(once.outcome()).accepted()).isTrue();
    }

    /** Checks that no thread is in a busy loop because of the clock. */
    private static void assertIdle(ServerProcess server) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            long before = server.cost().cpuNanos();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            best = Math.min(best, server.cost().cpuNanos() - before);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(best))
                .as("processor time in 500 ms, ms")
                .isLessThan(250);
    }

    private ServerProcess.Options options() throws Exception {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(
                        ConfigFile.impatientQueue(LOCKED, 10, Duration.ofSeconds(15)),
                        ConfigFile.expiringQueue(EXPIRING, Duration.ofHours(1)),
                        ConfigFile.queue(BUSY, 10)),
                List.of());
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
