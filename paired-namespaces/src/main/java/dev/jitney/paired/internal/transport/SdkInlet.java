package dev.jitney.paired.internal.transport;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A receiver on the SDK's asynchronous client, so that a poll of fifteen minutes holds no thread. The first receive and the
 * receive after a failure open a link, which stays open between polls.
 */
final class SdkInlet implements Inlet {
    /** The time to collect messages after the first one, so that messages which arrive together are dispatched together. */
    private static final Duration LINGER = Duration.ofMillis(20);

    private final ServiceBusReceiverClientBuilder clients;
    private final Supplier<Instant> now;
    private @Nullable Link link;
    private boolean closed;

    SdkInlet(ServiceBusReceiverClientBuilder clients, Supplier<Instant> now) {
        this.clients = clients;
        this.now = now;
    }

    @Override
    public Mono<List<Delivered>> receive(int countMax, Duration wait) {
        return Mono.defer(() -> {
            Arrivals arrivals = open(countMax).arrivals;
            return Mono.fromFuture(arrivals.first(), true)
                    .timeout(wait, Mono.just(false))
                    .flatMap(some -> some
                            ? Mono.delay(arrivals.isFull() ? Duration.ZERO : LINGER)
                                    .then(Mono.fromSupplier(() -> arrivals.take(countMax)))
                            : Mono.just(List.<Delivered>of()));
        });
    }

    private synchronized Link open(int countMax) {
        if (closed) {
            throw new IllegalStateException("Expected an open receiver, but it is closed.");
        }
        Link current = link;
        if (current == null || current.arrivals.isDisposed()) {
            if (current != null) {
                current.client.close();
            }
            current = new Link(clients.buildAsyncClient(), new Arrivals(countMax, now));
            link = current;
            current.client.receiveMessages().subscribe(current.arrivals);
        }
        return current;
    }

    @Override
    public Mono<Void> complete(Delivered message) {
        return Mono.defer(() -> client().complete(sdk(message)));
    }

    @Override
    public Mono<Void> abandon(Delivered message) {
        return Mono.defer(() -> client().abandon(sdk(message)));
    }

    @Override
    public Mono<Void> deadLetter(Delivered message, String reason, String description) {
        DeadLetterOptions options =
                new DeadLetterOptions().setDeadLetterReason(reason).setDeadLetterErrorDescription(description);
        return Mono.defer(() -> client().deadLetter(sdk(message), options));
    }

    private synchronized ServiceBusReceiverAsyncClient client() {
        Link current = link;
        if (current == null) {
            throw new IllegalStateException("Expected an open receiver, but it is closed.");
        }
        return current.client;
    }

    private static ServiceBusReceivedMessage sdk(Delivered message) {
        return ((SdkDelivered) message).message();
    }

    @Override
    public void close() {
        Link last;
        synchronized (this) {
            closed = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.arrivals.dispose();
            last.client.close();
        }
    }

    private record Link(ServiceBusReceiverAsyncClient client, Arrivals arrivals) {}
}
