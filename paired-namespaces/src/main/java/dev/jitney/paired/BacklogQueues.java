package dev.jitney.paired;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Looks up the backlog queues of a primary namespace in the secondary one, and creates what is missing (18.3). */
final class BacklogQueues {
    private static final Logger LOG = LoggerFactory.getLogger(BacklogQueues.class);

    /** Tries per queue, and the time between them (PAIR-5). */
    private static final int TRIES = 3;

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(30);
    private static final int AT_ONCE = 8;

    private final NamespaceTransport secondary;
    private final PairingClock clock;

    BacklogQueues(NamespaceTransport secondary, PairingClock clock) {
        this.secondary = secondary;
        this.clock = clock;
    }

    /** Path of one backlog queue in the secondary namespace (PAIR-23). */
    static String path(String primaryNamespace, int index) {
        return primaryNamespace + "/x-servicebus-transfer/" + index;
    }

    /** Paths of the first {@code count} backlog queues. */
    static List<String> paths(String primaryNamespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> path(primaryNamespace, index))
                .toList();
    }

    /** With exactly the properties of the table in 18.3; all others are the defaults of a queue. */
    static CreateQueueOptions description() {
        return new CreateQueueOptions()
                .setMaxSizeInMegabytes(5120)
                .setMaxDeliveryCount(Integer.MAX_VALUE)
                .setDefaultMessageTimeToLive(DivertedMessages.FOR_EVER)
                .setAutoDeleteOnIdle(DivertedMessages.FOR_EVER)
                .setLockDuration(Duration.ofMinutes(1))
                .setDeadLetteringOnMessageExpiration(true)
                .setBatchedOperationsEnabled(true)
                .setPartitioningEnabled(false);
    }

    /**
     * The queues that can be used, in the order of their indexes. One that cannot be had after three tries is left out
     * (PAIR-5).
     *
     * @return fails with {@link SendAvailabilityBacklogException} if there is none, and with the SDK's exception if the
     *         right to manage is missing
     */
    Mono<List<String>> lookUpOrCreate(String primaryNamespace, int count) {
        return Flux.fromIterable(paths(primaryNamespace, count))
                .flatMapSequential(path -> have(path, 1), AT_ONCE)
                .collectList()
                .flatMap(found -> {
                    List<String> usable =
                            found.stream().flatMap(Optional::stream).toList();
                    return usable.isEmpty()
                            ? Mono.error(new SendAvailabilityBacklogException(
                                    "Expected at least one backlog queue in " + secondary.address() + ", but none of "
                                            + count + " could be looked up or created. The log names the causes.",
                                    null))
                            : Mono.just(usable);
                });
    }

    private Mono<Optional<String>> have(String path, int attempt) {
        return secondary
                .queueExists(path)
                .flatMap(exists -> exists ? Mono.<Void>empty() : secondary.createQueue(path, description()))
                .then(Mono.just(Optional.of(path)))
                .onErrorResume(thrown -> {
                    Throwable failure = Failures.bare(thrown);
                    if (isUnauthorized(failure)) {
                        return Mono.error(failure);
                    }
                    LOG.warn(
                            "Backlog queue {} could not be had, attempt {} of {}: {}",
                            path,
                            attempt,
                            TRIES,
                            failure.toString());
                    return attempt < TRIES
                            ? after(BETWEEN_TRIES).then(Mono.defer(() -> have(path, attempt + 1)))
                            : Mono.just(Optional.empty());
                });
    }

    private static boolean isUnauthorized(Throwable failure) {
        return failure instanceof ClientAuthenticationException
                || ServiceBusFailureReason.UNAUTHORIZED.equals(Failures.reason(failure))
                || failure instanceof HttpResponseException http
                        && http.getResponse() != null
                        && (http.getResponse().getStatusCode() == 401
                                || http.getResponse().getStatusCode() == 403);
    }

    private Mono<Void> after(Duration delay) {
        return Mono.create(sink -> {
            PairingClock.Timer timer = clock.schedule(delay, sink::success);
            sink.onCancel(timer::cancel);
        });
    }
}
