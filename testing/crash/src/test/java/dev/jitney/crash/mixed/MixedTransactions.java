package dev.jitney.crash.mixed;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import dev.jitney.crash.kill.Chains;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A client that advances {@link Chains} with the SDK, in one transaction per step over all queues. Some transactions
 * are rolled back. One thread uses it.
 */
final class MixedTransactions implements AutoCloseable {
    private static final Duration SHORTLY = Duration.ofMillis(300);

    private final Chains chains;
    private final Random random;
    private final ServiceBusReceiverClient receiver;
    private final List<ServiceBusSenderClient> senders = new ArrayList<>();

    /**
     * @param builder the builder for a separate connection with cross-entity transactions
     * @param queues IN, and the queues for notes
     */
    MixedTransactions(Chains chains, ServiceBusClientBuilder builder, List<String> queues, long seed) {
        this.chains = chains;
        this.random = new Random(seed);
        // The first receiver determines the entity through which all transactions are sent.
        this.receiver = builder.receiver()
                .queueName(queues.get(0))
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient();
        for (String queue : queues) {
            senders.add(builder.sender().queueName(queue).buildClient());
        }
    }

    /** Sends the first messages of the chains. No other client may use the queues meanwhile. */
    void begin() {
        for (int chain = 0; chain < chains.count(); chain++) {
            senders.get(0).sendMessage(message(chain, 0));
        }
    }

    private static ServiceBusMessage message(int chain, long number) {
        String name = Chains.message(chain, number);
        return new ServiceBusMessage(name).setMessageId(name);
    }

    /** Advances some chains. */
    boolean step() {
        int moved = 0;
        for (ServiceBusReceivedMessage message : receiver.receiveMessages(4, SHORTLY)) {
            move(message);
            moved++;
        }
        return moved > 0;
    }

    private void move(ServiceBusReceivedMessage message) {
        int chain = Chains.chainOf(message.getMessageId());
        long next = Chains.numberOf(message.getMessageId()) + 1;
        int dice = random.nextInt(100);
        try {
            if (dice < 20) {
                rollBack(send(chain, next));
            }
            ServiceBusTransactionContext transaction = send(chain, next);
            SettlementLimit.within(
                    () -> receiver.complete(message, new CompleteOptions().setTransactionContext(transaction)));
            if (dice == 20) {
                rollBack(transaction); // and the message remains locked, because the SDK treats it as settled
                return;
            }
            chains.attempted(chain, next);
            SettlementLimit.within(() -> receiver.commitTransaction(transaction));
            chains.committed(chain, next);
        } catch (RuntimeException e) {
            abandon(message);
            throw e;
        }
    }

    private ServiceBusTransactionContext send(int chain, long next) {
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        for (ServiceBusSenderClient sender : senders) {
            sender.sendMessage(message(chain, next), transaction);
        }
        return transaction;
    }

    private void rollBack(ServiceBusTransactionContext transaction) {
        SettlementLimit.within(() -> receiver.rollbackTransaction(transaction));
        chains.rolledBack();
    }

    /** Abandons a message so that it is delivered before its lock ends, if it still exists. */
    private void abandon(ServiceBusReceivedMessage message) {
        try {
            SettlementLimit.within(() -> receiver.abandon(message));
        } catch (RuntimeException e) {
            // The lock is lost or the message was removed.
        }
    }

    @Override
    public void close() {
        receiver.close();
        senders.forEach(ServiceBusSenderClient::close);
    }
}
