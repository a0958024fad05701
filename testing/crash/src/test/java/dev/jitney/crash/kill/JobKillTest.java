package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Drain;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server while a job resubmits dead letters, and prints how fast its jobs were. */
final class JobKillTest {
    private static final String ORDERS = "orders";
    private static final String DEAD = "orders%2F$DeadLetterQueue";
    private static final int MESSAGES = 20_000;
    private static final int KILLS = 3;
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ServerProcess server;

    private ServerProcess start() throws Exception {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(ORDERS, 10)), List.of());
        return ServerProcess.start(new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config)));
    }

    private String call(String method, String path, String body) throws Exception {
        HttpResponse<String> answer;
        do {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.httpPort() + "/$operator/v1/" + path))
                    .header("Authorization", new Administration(server.endpoint(), server.httpPort()).authorization())
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            answer = http.send(request, BodyHandlers.ofString());
        } while (answer.statusCode() == 503); // after a start the server reads the jobs
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static long number(String document, String member) {
        Matcher matcher = Pattern.compile("\"" + member + "\":\"?([0-9]+)").matcher(document);
        assertThat(matcher.find()).as("%s in %s", member, document).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private String await(long job, String state) throws Exception {
        String[] last = {""};
        Eventually.until("job " + job + " is " + state, PATIENCE, () -> {
            last[0] = call("GET", "jobs/" + job, "");
            return last[0].contains("\"state\":\"" + state + "\"");
        });
        return last[0];
    }

    /** Orders a job, waits for its end, and prints its rate. */
    private void run(String entity, String operation) throws Exception {
        long begun = System.nanoTime();
        long job = number(call("POST", "entities/" + entity + "/jobs", "{\"operation\": \"" + operation + "\"}"), "id");
        long done = number(await(job, "done"), "done");
        System.out.printf(
                "%s: %,d messages a second%n", operation, done * 1_000_000_000L / (System.nanoTime() - begun));
        assertThat(done).isEqualTo(MESSAGES);
    }

    private void fill(AmqpClient client) throws Exception {
        ClientConnection sending = client.open(server.endpoint());
        Filler filler = new Filler(200, 1_000, MESSAGES);
        SenderLink link = AmqpClient.await(sending.sender(ORDERS, filler));
        sending.execute(() -> filler.ready(link));
        assertThat(filler.over().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).accepted())
                .isTrue();
    }

    @Test
    @DisplayName("A job continues after kill -9, and each dead letter is resubmitted exactly once")
    void continues() throws Exception {
        Random random = new Random(SEED);
        server = start();
        try (AmqpClient client = new AmqpClient(1)) {
            fill(client);
            run(ORDERS, "deadLetter");
            run(DEAD, "resubmit");
            run(ORDERS, "deadLetter");

            long job = number(
                    call(
                            "POST",
                            "entities/" + DEAD + "/jobs",
                            "{\"operation\": \"resubmit\", \"messagesPerSecond\": 2000}"),
                    "id");
            for (int kill = 0; kill < KILLS; kill++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(1_000)));
                assertThat(call("GET", "jobs/" + job, ""))
                        .as("seed %d, kill %d", SEED, kill)
                        .doesNotContain("\"done\",");
                server.kill();
                server.close();
                server = start();
            }
            String result = await(job, "done");
            assertThat(number(result, "refused")).as(result).isZero();
            assertThat(number(call("GET", "entities/" + ORDERS, ""), "deadLetter"))
                    .isZero();

            Drain drain = Drain.inAnyOrder();
            ClientConnection receiving = client.open(server.endpoint());
            AmqpClient.await(receiving.receiver(ORDERS, 1_000, true, drain));
            Eventually.until(
                    "all messages arrive", PATIENCE, () -> drain.completed() >= MESSAGES || drain.complaint() != null);
            assertThat(drain.complaint()).as("seed %d", SEED).isNull();
            assertThat(drain.received().cardinality()).isEqualTo(MESSAGES);
            assertThat(number(call("GET", "entities/" + ORDERS, ""), "active")).isZero();
            assertThat(server.terminate()).isZero();
        } finally {
            server.close();
        }
    }
}
