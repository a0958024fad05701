package dev.jitney.paired;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The backlog queues of a primary namespace. It looks them up in the secondary namespace and creates missing ones (18.3). */
final class BacklogQueues {
    private static final Logger LOG = LoggerFactory.getLogger(BacklogQueues.class);

    /** The attempts for each queue, and the time between them (PAIR-5). */
    private static final int TRIES = 3;

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(30);
    private static final int AT_ONCE = 8;

    private final NamespaceTransport secondary;
    private final PairingClock clock;

    BacklogQueues(NamespaceTransport secondary, PairingClock clock) {
        this.secondary = secondary;
        this.clock = clock;
    }

    /** Returns the path of a backlog queue in the secondary namespace (PAIR-23). */
    static String path(String primaryNamespace, int index) {
        return primaryNamespace + "/x-servicebus-transfer/" + index;
    }

    /** Returns the paths of the first {@code count} backlog queues. */
    static List<String> paths(String primaryNamespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> path(primaryNamespace, index))
                .toList();
    }

    /** Returns a description with exactly the properties of the table in 18.3. All others have the defaults of a queue. */
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
     * Returns the usable queues in the order of their indexes. A queue that cannot be looked up or created after three attempts
     * is left out (PAIR-5).
     *
     * @return fails with {@link SendAvailabilityBacklogException} if no queue is usable, and with the SDK's exception if the
     *         right Manage is missing
     */
    Mono<List<String>> lookUpOrCreate(String primaryNamespace, int count) {
        List<String> all = paths(primaryNamespace, count);
        return missing(all, 1).flatMap(missing -> {
            List<String> usable =
                    all.stream().filter(path -> !missing.contains(path)).toList();
            return usable.isEmpty()
                    ? Mono.error(new SendAvailabilityBacklogException(
                            "Expected at least one backlog queue in " + secondary.address() + ", but none of " + count
                                    + " could be looked up or created. See the log for the causes.",
                            null))
                    : Mono.just(usable);
        });
    }

    /** Returns the queues that are unusable. All are tried before any is tried again, so that the pauses do not add up. */
    private Mono<Set<String>> missing(Collection<String> paths, int attempt) {
        return Flux.fromIterable(paths)
                .flatMap(path -> unlessHad(path, attempt), AT_ONCE)
                // Several queues may be refused at the same moment; all refusals are about the same right.
                .onErrorMap(
                        Exceptions::isMultiple,
                        all -> Exceptions.unwrapMultiple(all).get(0))
                .collect(Collectors.toUnmodifiableSet())
                .flatMap(failed -> failed.isEmpty() || attempt == TRIES
                        ? Mono.just(failed)
                        : Waiting.after(clock, BETWEEN_TRIES).then(Mono.defer(() -> missing(failed, attempt + 1))));
    }

    /** Returns the path if the queue cannot be looked up or created now, otherwise nothing. */
    private Mono<String> unlessHad(String path, int attempt) {
        return secondary
                .queueExists(path)
                .flatMap(exists -> exists ? Mono.<Void>empty() : secondary.createQueue(path, description()))
                .then(Mono.<String>empty())
                .onErrorResume(thrown -> {
                    Throwable failure = Failures.bare(thrown);
                    if (isUnauthorized(failure)) {
                        return Mono.error(failure);
                    }
                    LOG.warn(
                            "Backlog queue {} could not be looked up or created, attempt {} of {}: {}",
                            path,
                            attempt,
                            TRIES,
                            failure.toString());
                    return Mono.just(path);
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
}
