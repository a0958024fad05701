package dev.jitney.paired;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Two fake namespaces, contoso and fabrikam, with one factory each, on one clock. A pair starts with the queues {@code orders}
 * and {@code bills}.
 */
final class Pair implements AutoCloseable {
    static final String BACKLOG = "contoso/x-servicebus-transfer/";

    final ManualClock clock = new ManualClock();
    final FakeNamespace contoso = new FakeNamespace("contoso", clock);
    final FakeNamespace fabrikam = new FakeNamespace("fabrikam", clock);
    final List<PathStateChange> changes = Collections.synchronizedList(new ArrayList<>());
    final MessagingFactory primary = factory(contoso, new Random(42));
    final MessagingFactory secondary = factory(fabrikam, new Random(43));

    Pair() {
        contoso.with("orders");
        contoso.with("bills");
    }

    /** Creates a pair with all defaults. */
    static Pair withDefaults() {
        return with(options -> options);
    }

    /** Creates a pair with the given options. */
    static Pair with(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        Pair pair = new Pair();
        pair.primary.pairNamespace(pair.options(options));
        pair.contoso.forgetCalls();
        pair.fabrikam.forgetCalls();
        return pair;
    }

    SendAvailabilityPairedNamespaceOptions options(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> own) {
        return own.apply(SendAvailabilityPairedNamespaceOptions.builder(secondary))
                .build();
    }

    /** Creates another factory for one of the namespaces, like another process. */
    MessagingFactory factory(FakeNamespace namespace, Random random) {
        return MessagingFactory.builder()
                .transport(namespace)
                .clock(clock)
                .random(random)
                .stateListener(changes::add)
                .build();
    }

    /** Makes a path fail over: a send fails, and the failover interval passes. */
    MessageSender failedOver(String path) {
        contoso.fail(SdkErrors::communication);
        MessageSender sender = primary.createMessageSender(path);
        failure(sender.sendAsync(message("lost")));
        clock.advance(Duration.ofMinutes(1));
        return sender;
    }

    static ServiceBusMessage message(String text) {
        return new ServiceBusMessage(text);
    }

    /** Returns the failure of a call, which must have failed already. */
    static Throwable failure(CompletionStage<?> call) {
        CompletableFuture<?> future = call.toCompletableFuture();
        if (!future.isCompletedExceptionally()) {
            throw new AssertionError("Expected a failure, but the call " + (future.isDone() ? "succeeded" : "waits"));
        }
        return future.handle((result, thrown) -> thrown).join();
    }

    /** Waits up to thirty seconds for a condition that other threads fulfill. */
    static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Expected a condition within thirty seconds, but it is false");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Returns the bodies of a queue's messages. */
    static List<String> texts(FakeQueue queue) {
        return queue.messages.stream().map(stored -> text(stored.content)).toList();
    }

    static String text(AmqpAnnotatedMessage message) {
        return new String(message.getBody().getFirstData(), StandardCharsets.UTF_8);
    }

    /** Returns all messages in backlog queues, in the order of the queues. */
    List<AmqpAnnotatedMessage> backlog() {
        return fabrikam.queues().stream()
                .filter(queue -> queue.path.startsWith(BACKLOG))
                .flatMap(queue -> queue.contents().stream())
                .toList();
    }

    List<String> backlogTexts() {
        return backlog().stream().map(Pair::text).toList();
    }

    /** Returns the paths of the backlog queues that hold messages. */
    List<String> backlogQueuesInUse() {
        return fabrikam.queues().stream()
                .filter(queue -> queue.path.startsWith(BACKLOG) && !queue.messages.isEmpty())
                .map(queue -> queue.path)
                .toList();
    }

    List<PathState> states() {
        return changes.stream().map(PathStateChange::to).toList();
    }

    @Override
    public void close() {
        primary.close();
        secondary.close();
    }
}
