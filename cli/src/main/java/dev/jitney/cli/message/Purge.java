package dev.jitney.cli.message;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Deletion of messages. Active messages go by batch delete or, where that is unavailable, by receive-and-delete, in every session
 * of an entity with sessions. Deferred messages are received by number. Scheduled messages, the only ones of a topic, are
 * canceled. Messages that other receivers have locked stay.
 */
final class Purge {
    /** The time without a message after which an entity counts as empty if peeking shows no active message. */
    private static final Duration EMPTY_AFTER = Duration.ofSeconds(2);
    /** The same if peeking shows active messages: they may be locked, connecting counts too, and a server may be busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The number of messages to peek at in the search for an active one. Messages of all kinds are mixed. */
    private static final int LOOK_AT = 32;
    /** The maximum of sequence numbers in one request. */
    private static final int NUMBERS = 100;

    private final NamespaceClients clients;
    private final EntityAddress address;
    private final Progress progress;
    private final long max;

    Purge(NamespaceClients clients, EntityAddress address, Progress progress, long max) {
        this.clients = clients;
        this.address = address;
        this.progress = progress;
        this.max = max;
    }

    /** Deletes the messages. Returns how many remain, because others lock them or they arrived during the purge. */
    long run() {
        if (BatchDelete.run(clients, address, progress, this::wanted) && seesNothingElse()) {
            return 0;
        }
        if (wanted() <= 0) {
            return 0;
        }
        // Messages that arrived later, that are later by another clock, or that batch delete does not delete.
        try (Receiving receiving = Receiving.of(clients, address, ServiceBusReceiveMode.RECEIVE_AND_DELETE)) {
            drain(receiving, this::seesActive);
        } catch (RuntimeException e) {
            if (Receiving.needsSubscription(e, address)) {
                if (address.subQueue() != SubQueue.NONE) {
                    throw e;
                }
                // A topic has only scheduled messages.
            } else if (Receiving.needsSession(e)) {
                drainSessions();
            } else {
                throw e;
            }
        }
        return wanted() > 0 ? deleteTheRest() : 0;
    }

    private long wanted() {
        return clients.console().interruption().requested() ? 0 : max - progress.done();
    }

    /** @param more returns whether messages are expected */
    private void drain(Receiving receiving, BooleanSupplier more) {
        while (wanted() > 0) {
            List<ServiceBusReceivedMessage> batch =
                    receiving.batch(wanted(), more.getAsBoolean() ? PATIENCE : EMPTY_AFTER);
            progress.add(batch.size());
            if (batch.isEmpty()) {
                break;
            }
        }
    }

    private boolean seesNothingElse() {
        try (Browser browser = new Browser(clients, address)) {
            return browser.forEach(0, 1, message -> {}) == 0;
        }
    }

    private boolean seesActive() {
        boolean[] active = {false};
        try (Browser browser = new Browser(clients, address)) {
            browser.forEach(0, LOOK_AT, message -> active[0] |= message.getState() == ServiceBusMessageState.ACTIVE);
        }
        return active[0];
    }

    private void drainSessions() {
        while (wanted() > 0) {
            try (Receiving session =
                    Receiving.ofSession(clients, address, ServiceBusReceiveMode.RECEIVE_AND_DELETE, null)) {
                long before = progress.done();
                drain(session, () -> progress.done() == before); // the session was accepted because it has messages
            } catch (ServiceBusException e) {
                if (ServiceBusFailureReason.SERVICE_TIMEOUT.equals(e.getReason())) {
                    return; // no session has messages
                }
                throw e;
            } catch (AmqpException | IllegalStateException e) {
                if (String.valueOf(e.getMessage())
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains("timeout")) {
                    return; // the same error if the SDK's own timeout ends first
                }
                throw e;
            }
        }
    }

    /** Finds by peeking the messages that no receiver gets, and deletes them. */
    private long deleteTheRest() {
        List<Long> deferred = new ArrayList<>();
        long[] left = {0};
        try (Browser browser = new Browser(clients, address);
                ServiceBusSenderClient sender =
                        clients.messages().sender().queueName(address.entity()).buildClient()) {
            Cancellation scheduled = new Cancellation(sender, progress);
            browser.forEach(0, Long.MAX_VALUE, message -> {
                boolean wanted = deferred.size() + scheduled.waiting() < wanted();
                if (wanted && message.getState() == ServiceBusMessageState.DEFERRED && message.getSessionId() == null) {
                    if (!deferred.isEmpty()
                            && Cancellation.partition(deferred.get(0))
                                    != Cancellation.partition(message.getSequenceNumber())) {
                        deleteDeferred(deferred); // a request covers one partition
                    }
                    deferred.add(message.getSequenceNumber());
                } else if (wanted && message.getState() == ServiceBusMessageState.SCHEDULED && address.sendable()) {
                    scheduled.add(message.getSequenceNumber());
                } else {
                    left[0]++;
                }
                if (deferred.size() == NUMBERS) {
                    deleteDeferred(deferred);
                }
            });
            deleteDeferred(deferred);
            scheduled.flush();
            return left[0] + scheduled.enqueued();
        }
    }

    private void deleteDeferred(List<Long> numbers) {
        if (!numbers.isEmpty()) {
            try (Receiving receiving = Receiving.of(clients, address, ServiceBusReceiveMode.RECEIVE_AND_DELETE)) {
                ServiceBusReceiverClient receiver = receiving.receiver();
                progress.add(
                        receiver.receiveDeferredMessageBatch(numbers).stream().count());
            }
            numbers.clear();
        }
    }
}
