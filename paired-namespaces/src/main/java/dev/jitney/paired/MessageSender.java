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
 * A sender to one queue or topic of a {@link MessagingFactory}. Thread-safe; close it when it is no longer needed.
 *
 * <p>While the primary is available, this class works like the SDK's sender and throws the same exceptions (PAIR-6). After a
 * failover of the path (see {@link PathState}) it sends messages to a backlog queue of the secondary instead, and the call
 * succeeds (PAIR-15). Scheduled messages and transactions are never diverted: after a failover they are refused with {@link
 * IllegalStateException} (PAIR-57).
 *
 * <p>Do not change a message until the call or the stage has ended. The sender does not change it either.
 */
public final class MessageSender implements AutoCloseable {
    private final MessagingFactory factory;
    private final String path;
    /** The outlet to the path while the factory is not paired. */
    private final Outlet unpaired;

    /** The outlet with the retries of the pairing, created on first use after it. */
    private @Nullable Outlet paired;

    private @Nullable BacklogSender backlog;
    private boolean closed;

    MessageSender(MessagingFactory factory, String path, Outlet unpaired) {
        this.factory = factory;
        this.path = path;
        this.unpaired = unpaired;
    }

    /** Returns the path of the queue or topic. */
    public String path() {
        return path;
    }

    /**
     * Sends a message.
     *
     * @throws com.azure.messaging.servicebus.ServiceBusException the SDK's failure, if the message is not diverted
     * @throws SendAvailabilityBacklogException if the path is failed over, but all backlog queues have failed (PAIR-17)
     * @throws SendAvailabilityMessagingException if the path is unreachable (PAIR-37)
     * @throws IllegalStateException if the sender or factory is closed, or if the path is failed over, but the body cannot be
     *         copied (PAIR-55)
     * @throws PairedMessagingFactoryException if the factory has failed
     * @throws java.util.concurrent.CancellationException if the thread is interrupted; the message may still be sent
     */
    public void send(ServiceBusMessage message) {
        Results.join(sendAsync(message));
    }

    /** Sends like {@link #send(ServiceBusMessage)} without waiting. The stage fails with the same exceptions. */
    public CompletionStage<Void> sendAsync(ServiceBusMessage message) {
        Objects.requireNonNull(message, "message");
        return deliver(outlet -> outlet.send(message, null), () -> List.of(message));
    }

    /** Sends messages together, all or none. Diverted messages may be sent in parts (see {@link MessageBatch}). */
    public void send(Iterable<ServiceBusMessage> messages) {
        Results.join(sendAsync(messages));
    }

    /** Sends like {@link #send(Iterable)} without waiting. */
    public CompletionStage<Void> sendAsync(Iterable<ServiceBusMessage> messages) {
        List<ServiceBusMessage> all = listed(messages);
        return deliver(outlet -> outlet.send(all, null), () -> all);
    }

    /** Sends a batch from {@link #createMessageBatch()} of this sender. */
    public void send(MessageBatch batch) {
        Results.join(sendAsync(batch));
    }

    /** Sends like {@link #send(MessageBatch)} without waiting. */
    public CompletionStage<Void> sendAsync(MessageBatch batch) {
        if (batch.count() == 0) {
            return Results.future(Mono.empty());
        }
        return deliver(
                outlet -> batch.isOfPrimary() ? outlet.send(batch.room(), null) : outlet.send(batch.messages(), null),
                batch::messages);
    }

    /** Creates a batch with the size limit of the queue or topic. */
    public MessageBatch createMessageBatch() {
        return Objects.requireNonNull(Results.join(createMessageBatchAsync(0)));
    }

    /**
     * Creates a batch with this size limit.
     *
     * @param maxSizeInBytes more than 0, and not more than the limit of the queue or topic
     */
    public MessageBatch createMessageBatch(int maxSizeInBytes) {
        if (maxSizeInBytes <= 0) {
            throw new IllegalArgumentException(
                    "Expected maxSizeInBytes of more than 0, but it is " + maxSizeInBytes + ".");
        }
        return Objects.requireNonNull(Results.join(createMessageBatchAsync(maxSizeInBytes)));
    }

    /** Creates a batch like {@link #createMessageBatch()} without waiting. */
    public CompletionStage<MessageBatch> createMessageBatchAsync() {
        return createMessageBatchAsync(0);
    }

    private CompletionStage<MessageBatch> createMessageBatchAsync(int maxSizeInBytes) {
        // Reading the size limit is the first step that fails when the primary is down, so it counts like a failed
        // send.
        return Results.future(this.<MessageBatch>route(
                monitor -> primary().createBatch(maxSizeInBytes).map(room -> new MessageBatch(room, true, path)),
                () -> backlog().createBatch(maxSizeInBytes).map(room -> new MessageBatch(room, false, path))));
    }

    /**
     * Schedules a message.
     *
     * @return its sequence number, for {@link #cancelScheduledMessage}
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public long scheduleMessage(ServiceBusMessage message, OffsetDateTime enqueueTime) {
        return scheduleMessages(List.of(message), enqueueTime).get(0);
    }

    /** Schedules several messages like {@link #scheduleMessage}. The numbers are in the order of the messages. */
    public List<Long> scheduleMessages(Iterable<ServiceBusMessage> messages, OffsetDateTime enqueueTime) {
        return Objects.requireNonNull(Results.join(scheduleMessagesAsync(messages, enqueueTime)));
    }

    /** Schedules like {@link #scheduleMessages} without waiting. */
    public CompletionStage<List<Long>> scheduleMessagesAsync(
            Iterable<ServiceBusMessage> messages, OffsetDateTime enqueueTime) {
        List<ServiceBusMessage> all = listed(messages);
        return straight(
                "Scheduling", judged(() -> primary().schedule(all, enqueueTime).collectList()));
    }

    /**
     * Cancels a scheduled message.
     *
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public void cancelScheduledMessage(long sequenceNumber) {
        cancelScheduledMessages(List.of(sequenceNumber));
    }

    /** Cancels several messages like {@link #cancelScheduledMessage}. */
    public void cancelScheduledMessages(Iterable<Long> sequenceNumbers) {
        Results.join(cancelScheduledMessagesAsync(sequenceNumbers));
    }

    /** Cancels like {@link #cancelScheduledMessages} without waiting. */
    public CompletionStage<Void> cancelScheduledMessagesAsync(Iterable<Long> sequenceNumbers) {
        List<Long> all = listed(sequenceNumbers);
        return straight(
                "The cancellation of scheduled messages", monitor -> primary().cancel(all));
    }

    /**
     * Starts a transaction at the primary.
     *
     * @throws IllegalStateException while the path is failed over (PAIR-57)
     */
    public ServiceBusTransactionContext createTransaction() {
        return Objects.requireNonNull(
                Results.join(straight("A transaction", monitor -> primary().createTransaction())));
    }

    /** Sends a message in a transaction. */
    public void send(ServiceBusMessage message, ServiceBusTransactionContext transaction) {
        Results.join(straight("A send in a transaction", judged(() -> primary().send(message, transaction))));
    }

    /** Sends messages together in a transaction. */
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

    /** Sends to the primary or to the backlog, as the path's state requires, and after a failure possibly to the backlog. */
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
     * Wraps a call that counts like a send. Other calls do not count: they may succeed when sends fail, as with a full queue, and
     * fail when sends succeed, as with the cancellation of a message that was already enqueued.
     */
    private static <T> Function<@Nullable PathMonitor, Mono<T>> judged(Supplier<Mono<T>> send) {
        return monitor -> monitor == null
                ? send.get()
                : send.get()
                        .doOnSuccess(result -> monitor.sendSucceeded())
                        .doOnError(thrown -> monitor.sendFailed(Failures.bare(thrown)));
    }

    /** Calls the primary, without diversion. */
    private <T> CompletionStage<T> straight(String what, Function<@Nullable PathMonitor, Mono<T>> call) {
        return Results.future(Mono.defer(() -> {
            PathMonitor monitor = monitor();
            if (monitor == null) {
                return call.apply(null);
            }
            if (monitor.state() == PathState.FAILED_OVER) {
                return Mono.error(new IllegalStateException(what + " cannot be diverted: expected '" + path
                        + "' to be available, but it is failed over. Try again when it is available."));
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
            throw new IllegalArgumentException("Expected at least one element, but got none.");
        }
        return all;
    }

    /** Closes the sender and its link to a backlog queue. Sends in progress end or fail (PAIR-22). */
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
