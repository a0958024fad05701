package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.crash.support.FragileDisk;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test in which the file system of a store becomes read-only under load and is mounted again. */
final class ReadOnlyDiskTest {
    private static final String QUEUE = "readonly";
    private static final int DISK_MIB = 256;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "PART-55, MSG-1: a store on a read-only disk rejects sends with a reason; after a new mount it is complete without a restart")
    void readOnly() throws Exception {
        try (FragileDisk disk = FragileDisk.mount(directory, DISK_MIB)) {
            try (ServerProcess server = ServerProcess.start(options(disk.path()));
                    AmqpClient client = new AmqpClient(1)) {
                Filler filler = new Filler(2_000, 50, Integer.MAX_VALUE / 2);
                ClientConnection connection = client.open(server.endpoint());
                SenderLink link = AmqpClient.await(connection.sender(QUEUE, filler));
                connection.execute(() -> filler.ready(link));
                await("some messages are stored", () -> filler.acceptedCount() > 500);
                disk.fail();
                Outcome refusal = filler.over().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(refusal.condition()).isEqualTo("com.microsoft:server-busy");
                await(
                        "the health check reports the failed store",
                        () -> server.health().statusCode() == 503);
                assertThat(server.health().body()).contains("store 0");

                Administration administration = new Administration(server.endpoint(), server.httpPort());
                assertServed(administration.store(0, false));
                disk.repair();
                assertServed(administration.store(0, true));
                await("the health check succeeds again", () -> server.health().statusCode() == 200);

                BitSet found = new BitSet();
                for (ReceivedMessage message : Browse.all(server.endpoint(), QUEUE)) {
                    found.set(Integer.parseInt(String.valueOf(message.messageId())));
                }
                BitSet lost = (BitSet) filler.accepted().clone();
                lost.andNot(found);
                assertThat(lost).as("messages acknowledged and lost").isEqualTo(new BitSet());
                int first = found.length() + 1_000;
                Filler again = new Filler(2_000, 50, first, 200);
                SenderLink other = AmqpClient.await(connection.sender(QUEUE, again));
                connection.execute(() -> again.ready(other));
                assertThat(again.over()
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                .accepted())
                        .isTrue();
                assertThat(server.terminate()).isZero();
            }
        }
    }

    private static void assertServed(CompletableFuture<HttpResponse<String>> request) throws Exception {
        HttpResponse<String> answer = AmqpClient.await(request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        Eventually.until(what, PATIENCE, condition);
    }

    private ServerProcess.Options options(Path disk) throws IOException {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config))
                .server("--store-dirs", disk.toString());
    }
}
