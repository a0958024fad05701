package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import dev.jitney.conformance.support.Sdk;

/** A transaction that is open when the leader changes. */
final class TransactionCheck extends FailoverCheck {
    private ServiceBusSenderClient sender;
    private ServiceBusReceiverClient receiver;
    private ServiceBusTransactionContext open;

    TransactionCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-2, CL-24: an open transaction has no effect, and the next one of the same clients is committed";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue());
        sender = sdk.sender(entity);
        receiver = sdk.receiver(entity);
        sender.sendMessage(message("in"));
        ServiceBusReceivedMessage received = Sdk.next(receiver);
        open = receiver.createTransaction();
        sender.sendMessage(message("rolled back"), open);
        receiver.complete(received, in(open));
    }

    @Override
    void after() {
        Throwable lost = catchThrowable(() -> receiver.commitTransaction(open));
        assertThat(lost).isInstanceOf(RuntimeException.class);
        ServiceBusReceivedMessage again = Sdk.next(receiver);
        assertThat(again.getMessageId()).isEqualTo("in");
        assertThat(again.getDeliveryCount()).isZero();
        ServiceBusTransactionContext next = receiver.createTransaction();
        sender.sendMessage(message("out"), next);
        receiver.complete(again, in(next));
        receiver.commitTransaction(next);
        assertThat(Sdk.next(receiver).getMessageId()).isEqualTo("out");
        assertThat(Sdk.none(receiver)).isEmpty();
    }

    private static CompleteOptions in(ServiceBusTransactionContext transaction) {
        return new CompleteOptions().setTransactionContext(transaction);
    }
}
