package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.HttpLimits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A real listener on a whole broker with one queue. */
abstract class MessagingScenario {
    static final int WAITING_MAX = 3;

    final TestBroker broker = new TestBroker();
    HttpGateway gateway;
    HttpMessages http;
    Entity queue;

    @BeforeEach
    void start() throws Exception {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                () -> null,
                new RecordingTunnels(),
                new HttpLimits(100, 8, 10, 60, 60, 1 << 20, 64 << 20, WAITING_MAX, 30));
        http = new HttpMessages(gateway.httpPort());
        queue = broker.create("orders");
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    // Tools

    static JsonNode properties(HttpResponse<String> response) throws IOException {
        return new ObjectMapper()
                .readTree(response.headers().firstValue("BrokerProperties").orElseThrow());
    }

    /** Waits until a receive waits for a message, and its receiver is attached. */
    void awaitAttached() throws Exception {
        await(() -> receivers() > 0);
        // The gateway counts and attaches in one task of its event loop; this request runs after that task.
        assertThat(http.call(http.to("/health").GET()).statusCode()).isEqualTo(200);
    }

    int receivers() {
        return gateway.waitingReceives();
    }

    static void await(BooleanSupplier condition) {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                !condition.getAsBoolean() && System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    MessageCounts counts() throws Exception {
        return ((Reply.Counts) submit(new Command.GetCounts())).counts();
    }

    Reply submit(Command command) throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        queue.submit(command, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply value) {
                reply.complete(value);
            }

            @Override
            public void onRejected(Rejection rejection) {
                reply.completeExceptionally(new AssertionError(rejection));
            }
        });
        return reply.get(30, TimeUnit.SECONDS);
    }
}
