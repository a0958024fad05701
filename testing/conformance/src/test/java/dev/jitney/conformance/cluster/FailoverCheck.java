package dev.jitney.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One feature in use over a change of the leader. A check has a connection and entities of its own, and its clients are never
 * replaced. {@link #before} and {@link #after} run one after the other, but on different threads.
 */
abstract class FailoverCheck implements AutoCloseable {
    /** The name of a queue or topic that this check creates. */
    protected final String entity = FailoverClients.name();

    protected final Sdk sdk;
    protected final ServiceBusAdministrationClient administration;
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private volatile @Nullable Throwable failure;

    FailoverCheck(FailoverClients clients) {
        sdk = clients.sdk();
        administration = clients.administration();
    }

    /** Returns the statement that this check proves, with its ids. */
    abstract String statement();

    /** Brings entities, messages and clients into the state in which they meet the change. */
    abstract void before() throws Exception;

    /** Runs immediately after the change, when there may be no leader yet. */
    abstract void after() throws Exception;

    /** Runs {@link #before} or {@link #after}, and keeps a failure for {@link #verify}. */
    final void keepFailure(boolean isAfter) {
        if (failure != null) {
            return;
        }
        try {
            if (isAfter) {
                after();
            } else {
                before();
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** Fails as the check did, or if a client reported an error that it must not. */
    final void verify() {
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
        assertThat(errors).allSatisfy(FailoverCheck::assertExpected);
    }

    /** Records an error that a client reported. */
    protected final void note(Throwable error) {
        errors.add(error);
    }

    /**
     * Checks that an error is one that clients may see over a change (CL-23, CL-24): retryable, the loss of a lock, or one from
     * the SDK itself, without a condition of AMQP.
     */
    static void assertExpected(Throwable error) {
        boolean isLoss = error instanceof ServiceBusException bus
                && (bus.getReason() == ServiceBusFailureReason.MESSAGE_LOCK_LOST
                        || bus.getReason() == ServiceBusFailureReason.SESSION_LOCK_LOST);
        for (Throwable e = error; e != null && e != e.getCause(); e = e.getCause()) {
            if (e instanceof AmqpException amqp && amqp.getErrorCondition() != null) {
                assertThat(isLoss || amqp.isTransient())
                        .as("is a lost lock or retryable: " + error)
                        .isTrue();
            }
        }
    }

    /** Returns options with locks and a duplicate history that last longer than a test on a busy machine. */
    protected static CreateQueueOptions queue() {
        return new CreateQueueOptions()
                .setLockDuration(Duration.ofMinutes(5))
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofHours(1));
    }

    /**
     * Returns the answer of a management request, such as a peek. The SDK reports the loss of the connection during such a request
     * with an error of its own, and does not repeat the request, so the application does.
     */
    protected final <T> T repeated(String what, Callable<T> request) {
        AtomicReference<T> answer = new AtomicReference<>();
        await(what, () -> {
            try {
                answer.set(request.call());
                return true;
            } catch (ServiceBusException e) {
                note(e);
                throw e;
            }
        });
        return answer.get();
    }

    protected static void await(String what, Callable<Boolean> condition) {
        Await.until(what, ClusterOfThree.PATIENCE, condition);
    }

    @Override
    public void close() throws Exception {
        sdk.close();
    }
}
