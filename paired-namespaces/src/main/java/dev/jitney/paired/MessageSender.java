package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.failure.Results;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends to one queue or topic of a {@link MessagingFactory}. For any thread; close it when it is no longer needed.
 *
 * <p>As long as the primary is available it does what the SDK's sender does, and fails with what that throws (PAIR-6).
 * Once the path is failed over (see {@link PathState}) it puts messages into a backlog queue of the secondary instead, and
 * the call succeeds (PAIR-15). Schedules and transactions are never diverted: while the path is failed over they are
 * refused with {@link IllegalStateException} (PAIR-57).
 *
 * <p>A message belongs to the sender until the call or the stage has ended; it is never changed.
 */
public final class MessageSender implements AutoCloseable {
    private final MessagingFactory factory;
    private final String path;
    /** The way to the path while the factory is not paired. */
    private final Outlet unpaired;

    /** The same with the retries of the pairing, from the first use after it. */
    private @Nullable Outlet paired;

    private @Nullable BacklogSender backlog;
    private boolean closed;

    MessageSender(MessagingFactory factory, String path, Outlet unpaired) {
        this.factory = factory;
        this.path = path;
        this.unpaired = unpaired;
    }

    /** Of the queue or topic. */
    public String path() {
        return path;
    }

    /**
     * Sends a message.
     *
     * @throws com.azure.messaging.servicebus.ServiceBusException what the SDK reports, if it is not diverted
     * @throws SendAvailabilityBacklogException if it was to be diverted, but all backlog queues have failed (PAIR-17)
     * @throws SendAvailabilityMessagingException if the path is unreachable (PAIR-37)
     * @throws IllegalStateException if sender or factory is closed, or if it was to be diverted, but its body cannot be
     *         copied (PAIR-55)
     * @throws PairedMessagingFactoryException if the factory has failed
     * @throws java.util.concurrent.CancellationException if the thread is interrupted; the message may still be sent
     */
    public void send(ServiceBusMessage message) {
        Results.join(sendAsync(message));
    }

    /** As {@link #send(ServiceBusMessage)}, without waiting; the stage fails with what that throws. */
    public CompletionStage<Void> sendAsync(ServiceBusMessage message) {
        Objects.requireNonNull(message, "message");
        return deliver(outlet -> outlet.send(message, null), () -> List.of(message));
    }

    /** Sends messages together, all or nothing; diverted perhaps in parts (see {@link MessageBatch}). */
    public void send(Iterable<ServiceBusMessage> messages) {
        Results.join(sendAsync(messages));
    }

    /** As {@link #send(Iterable)}, without waiting. */
    public CompletionStage<Void> sendAsync(Iterable<ServiceBusMessage> messages) {
        List<ServiceBusMessage> all = listed(messages);
        return deliver(outlet -> outlet.send(all, null), () -> all);
    }

    /** Sends a batch that {@link #createMessageBatch()} of this sender made. */
    public void send(MessageBatch batch) {
        Results.join(sendAsync(batch));
    }

    /** As {@link #send(MessageBatch)}, without waiting. */
    public CompletionStage<Void> sendAsync(MessageBatch batch) {
        if (batch.count() == 0) {
            return Results.future(Mono.empty());
        }
        return deliver(
                outlet -> batch.isOfPrimary() ? outlet.send(batch.room(), null) : outlet.send(batch.messages(), null),
                batch::messages);
    }

    /** A batch with as much room as the queue or topic takes at once. */
    public MessageBatch createMessageBatch() {
        return Objects.requireNonNull(Results.join(createMessageBatchAsync(0)));
    }

    /**
     * A batch with so much room.
     *
     * @param maxSizeInBytes more than 0, and not more than the queue or topic takes at once
     */
    public MessageBatch createMessageBatch(int maxSizeInBytes) {
        if (maxSizeInBytes <= 0) {
            throw new IllegalArgumentException(
                    "Expected maxSizeInBytes of more than 0, but it is " + maxSizeInBytes + ".");
        }
        return Objects.requireNonNull(Results.join(createMessageBatchAsync(maxSizeInBytes)));
    }

    /** As {@link #createMessageBatch()}, without waiting. */
    public CompletionStage<MessageBatch> createMessageBatchAsync() {
        return createMessageBatchAsync(0);
    }

    private CompletionStage<MessageBatch> createMessageBatchAsync(int maxSizeInBytes) {
        // To ask for the room is the first that fails when the primary is away, so it counts like a send that failed.
        return Results.future(this.<MessageBatch>route(
                monitor -> primary().createBatch(maxSizeInBytes).map(room -> new MessageBatch(room, true, path)),
                () -> backlog().createBatch(maxSizeInBytes).map(room -> new MessageBatch(room, false, path))));
    }

    /**
     * Has a message enqueued later.
     *
     * @return its sequence number, for {@link #cancelScheduledMessage}
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public long scheduleMessage(ServiceBusMessage message, OffsetDateTime enqueueTime) {
        return scheduleMessages(List.of(message), enqueueTime).get(0);
    }

    /** As {@link #scheduleMessage}, for several messages; the numbers are in their order. */
    public List<Long> scheduleMessages(Iterable<ServiceBusMessage> messages, OffsetDateTime enqueueTime) {
        return Objects.requireNonNull(Results.join(scheduleMessagesAsync(messages, enqueueTime)));
    }

    /** As {@link #scheduleMessages}, without waiting. */
    public CompletionStage<List<Long>> scheduleMessagesAsync(
            Iterable<ServiceBusMessage> messages, OffsetDateTime enqueueTime) {
        List<ServiceBusMessage> all = listed(messages);
        return straight(
                "Scheduling", judged(() -> primary().schedule(all, enqueueTime).collectList()));
    }

    /**
     * Takes a scheduled message back.
     *
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public void cancelScheduledMessage(long sequenceNumber) {
        cancelScheduledMessages(List.of(sequenceNumber));
    }

    /** As {@link #cancelScheduledMessage}, for several. */
    public void cancelScheduledMessages(Iterable<Long> sequenceNumbers) {
        Results.join(cancelScheduledMessagesAsync(sequenceNumbers));
    }

    /** As {@link #cancelScheduledMessages}, without waiting. */
    public CompletionStage<Void> cancelScheduledMessagesAsync(Iterable<Long> sequenceNumbers) {
        List<Long> all = listed(sequenceNumbers);
        return straight("Cancelling a schedule", monitor -> primary().cancel(all));
    }

    /**
     * Begins a transaction at the primary.
     *
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public ServiceBusTransactionContext createTransaction() {
        return Objects.requireNonNull(
                Results.join(straight("A transaction", monitor -> primary().createTransaction())));
    }

    /** Sends a message as part of a transaction. */
    public void send(ServiceBusMessage message, ServiceBusTransactionContext transaction) {
        Results.join(straight("A send in a transaction", judged(() -> primary().send(message, transaction))));
    }

    /** Sends messages together as part of a transaction. */
    public void send(Iterable<ServiceBusMessage> messages, ServiceBusTransactionContext transaction) {
        List<ServiceBusMessage> all = listed(messages);
        Results.join(straight("A send in a transaction", judged(() -> primary().send(all, transaction))));
    }

    public void commitTransaction(ServiceBusTransactionContext transaction) {
        Results.join(straight("A transaction", monitor -> primary().commit(transaction)));
    }

    public void rollbackTransaction(ServiceBusTransactionContext transaction) {
        Results.join(straight("A transaction", monitor -> primary().rollback(transaction)));
    }

    private CompletionStage<Void> deliver(
            Function<Outlet, Mono<Void>> toPrimary, Supplier<List<ServiceBusMessage>> messages) {
        return Results.future(route(
                monitor -> {
                    Mono<Void> sent = toPrimary.apply(primary());
                    return monitor == null ? sent : sent.doOnSuccess(nothing -> monitor.sendSucceeded());
                },
                () -> divert(messages.get())));
    }

    private Mono<Void> divert(List<ServiceBusMessage> messages) {
        List<ServiceBusMessage> altered = new ArrayList<>(messages.size());
        for (ServiceBusMessage message : messages) {
            altered.add(DivertedMessages.alter(message, path));
        }
        return backlog().send(altered);
    }

    /** To the primary or to the backlog, as the path's state says now, and after a failure perhaps to the backlog. */
    private <T> Mono<T> route(Function<@Nullable PathMonitor, Mono<T>> toPrimary, Supplier<Mono<T>> toBacklog) {
        return Mono.defer(() -> {
            PathMonitor monitor = monitor();
            if (monitor == null) {
                return toPrimary.apply(null);
            }
            return switch (monitor.state()) {
                case FAILED_OVER -> toBacklog.get();
                case UNREACHABLE -> Mono.error(new SendAvailabilityMessagingException(path, monitor.cause()));
                case HEALTHY, SUSPECT, CLOSED ->
                    toPrimary.apply(monitor).onErrorResume(thrown -> {
                        Throwable failure = Failures.bare(thrown);
                        return monitor.sendFailed(failure) ? toBacklog.get() : Mono.error(failure);
                    });
            };
        });
    }

    /**
     * A call that counts like a send. Others do not, since their success says nothing of sends, as when a queue is full,
     * nor does their failure, as when a schedule to be cancelled has passed.
     */
    private static <T> Function<@Nullable PathMonitor, Mono<T>> judged(Supplier<Mono<T>> send) {
        return monitor -> monitor == null
                ? send.get()
                : send.get()
                        .doOnSuccess(result -> monitor.sendSucceeded())
                        .doOnError(thrown -> monitor.sendFailed(Failures.bare(thrown)));
    }

    /** To the primary or not at all. */
    private <T> CompletionStage<T> straight(String what, Function<@Nullable PathMonitor, Mono<T>> call) {
        return Results.future(Mono.defer(() -> {
            PathMonitor monitor = monitor();
            if (monitor == null) {
                return call.apply(null);
            }
            if (monitor.state() == PathState.FAILED_OVER) {
                return Mono.error(new IllegalStateException(what + " is not diverted: expected '" + path
                        + "' to be available, but it is failed over. Try again when it is back."));
            }
            if (monitor.state() == PathState.UNREACHABLE) {
                return Mono.error(new SendAvailabilityMessagingException(path, monitor.cause()));
            }
            return call.apply(monitor);
        }));
    }

    private @Nullable PathMonitor monitor() {
        synchronized (this) {
            if (closed) {
                factory.requireOpen();
                throw new IllegalStateException("Expected an open sender of '" + path + "', but it is closed.");
            }
        }
        return factory.monitor(path);
    }

    private synchronized Outlet primary() {
        if (closed) {
            throw new IllegalStateException("Expected an open sender of '" + path + "', but it is closed.");
        }
        if (paired == null) {
            paired = factory.pairedOutlet(path);
        }
        return paired == null ? unpaired : paired;
    }

    private synchronized BacklogSender backlog() {
        if (closed) {
            throw new IllegalStateException("Expected an open sender of '" + path + "', but it is closed.");
        }
        BacklogSender current = backlog;
        if (current == null) {
            current = factory.backlogSender();
            backlog = current;
        }
        return current;
    }

    private static <T> List<T> listed(Iterable<T> items) {
        List<T> all = new ArrayList<>();
        items.forEach(all::add);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one, but there is none.");
        }
        return all;
    }

    /** Also closes its link to a backlog queue; what is being sent ends or fails (PAIR-22). */
    @Override
    public void close() {
        BacklogSender own;
        Outlet ownPaired;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            own = backlog;
            ownPaired = paired;
        }
        factory.forget(this);
        unpaired.close();
        if (ownPaired != null) {
            ownPaired.close();
        }
        if (own != null) {
            own.close();
        }
    }
}
