package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Receives through the SDK's asynchronous client, so that a poll of fifteen minutes holds no thread. A link is opened by
 * the first receive and after a failure, and stays open from poll to poll.
 */
final class SdkInlet implements Inlet {
    /** So that messages which travel together are dispatched together. */
    private static final Duration LINGER = Duration.ofMillis(20);

    private final ServiceBusReceiverClientBuilder clients;
    private @Nullable Link link;
    private boolean closed;

    SdkInlet(ServiceBusReceiverClientBuilder clients) {
        this.clients = clients;
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
                            : Mono.just(List.<ServiceBusReceivedMessage>of()))
                    .map(messages ->
                            messages.stream().<Delivered>map(SdkDelivered::new).toList());
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
            current = new Link(clients.buildAsyncClient(), new Arrivals(countMax));
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

    private record SdkDelivered(ServiceBusReceivedMessage message) implements Delivered {
        @Override
        public AmqpAnnotatedMessage content() {
            return message.getRawAmqpMessage();
        }

        @Override
        public Instant lockedUntil() {
            return message.getLockedUntil().toInstant();
        }

        @Override
        public long sequenceNumber() {
            return message.getSequenceNumber();
        }
    }
}
