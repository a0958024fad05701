package dev.jitney.paired.internal.failure;

import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Adapters from the SDK's streams to futures. */
public final class Results {
    private Results() {}

    /** Subscribes immediately. The future fails without wrappers. */
    public static <T> CompletableFuture<T> future(Mono<T> result) {
        CompletableFuture<T> future = new CompletableFuture<>();
        result.subscribe(
                future::complete,
                failure -> future.completeExceptionally(Failures.bare(failure)),
                () -> future.complete(null));
        return future;
    }

    /**
     * Waits for the result.
     *
     * @throws RuntimeException the failure itself
     * @throws CancellationException if the thread is interrupted; the operation may still happen
     */
    public static <T> @Nullable T join(CompletionStage<T> result) {
        try {
            return result.toCompletableFuture().get();
        } catch (ExecutionException e) {
            Throwable failure = Failures.bare(e);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException known) {
                known.addSuppressed(new Exception("The call that waited for it"));
                throw known;
            }
            throw new ServiceBusException(failure, ServiceBusErrorSource.SEND);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            CancellationException interrupted =
                    new CancellationException("Interrupted while waiting. The operation may still happen.");
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
