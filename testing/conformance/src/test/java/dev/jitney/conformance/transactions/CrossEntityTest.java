package dev.jitney.conformance.transactions;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of transactions over several entities in two stores, with the Java SDK (TX-3 to TX-6). */
class CrossEntityTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(2);

    private Sdk sdk;
    private Sdk plain;
    private String in;
    private String out;

    @BeforeEach
    void connect() {
        sdk = new Sdk(builder().enableCrossEntityTransactions());
        plain = broker.sdk();
        in = broker.viaQueue();
        out = broker.queue();
    }

    private static ServiceBusClientBuilder builder() {
        return TestBroker.clientBuilder(broker.lastingConnectionString());
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
        plain.close();
    }

    private static CompleteOptions complete(ServiceBusTransactionContext transaction) {
        return new CompleteOptions().setTransactionContext(transaction);
    }

    @Test
    @DisplayName("TX-5: a completion and a send to another entity take effect together with the commit")
    void commit() throws Exception {
        plain.send(in, "work");
        ServiceBusReceiverClient receiver = sdk.receiver(in);
        List<String> outs = List.of(out, broker.queue(), broker.queue(), broker.queue(), broker.queue());
        List<ServiceBusSenderClient> senders = outs.stream().map(sdk::sender).toList();
        ServiceBusReceivedMessage received = next(receiver);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(received, complete(transaction));
        senders.forEach(sender -> sender.sendMessage(new ServiceBusMessage("done"), transaction));
        assertThat(broker.counts(in).active()).isEqualTo(1);
        for (String queue : outs) {
            assertThat(broker.counts(queue).total()).isZero();
        }
        receiver.commitTransaction(transaction);
        for (String queue : outs) {
            arrived(queue, 1);
        }
        assertThat(broker.counts(in).total()).isZero();
    }

    /** Waits for messages, because entities in different stores are notified of a commit one after the other. */
    private static void arrived(String queue, int count) throws Exception {
        Await.until(
                "a message has arrived in " + queue, () -> broker.counts(queue).active() == count);
    }

    @Test
    @DisplayName("TX-5, TX-14: a rollback has no effect on both entities")
    void rollback() {
        plain.send(in, "work");
        ServiceBusReceiverClient receiver = sdk.receiver(in);
        ServiceBusSenderClient sender = sdk.sender(out);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(next(receiver), complete(transaction));
        sender.sendMessage(new ServiceBusMessage("never"), transaction);
        receiver.rollbackTransaction(transaction);
        assertThat(broker.counts(in).active()).isEqualTo(1);
        assertThat(broker.counts(out).total()).isZero();
    }

    @Test
    @DisplayName("TX-5: a message of a second entity cannot be settled")
    void settlingElsewhere() {
        plain.send(in, "one");
        plain.send(out, "two");
        ServiceBusReceiverClient first = sdk.receiver(in);
        ServiceBusReceiverClient second = sdk.receiver(out);
        ServiceBusReceivedMessage one = next(first);
        ServiceBusReceivedMessage two = next(second);
        ServiceBusTransactionContext transaction = first.createTransaction();
        first.complete(one, complete(transaction));
        assertThatThrownBy(() -> second.complete(two, complete(transaction))).isNotNull();
        assertThatThrownBy(() -> first.commitTransaction(transaction)).isNotNull();
        assertThat(broker.counts(in).active()).isEqualTo(1);
        assertThat(broker.counts(out).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("TX-6: after a complete on a subscription its topic is the via entity")
    void subscription() throws Exception {
        String topic = broker.topics().createVia();
        String subscription = broker.topics().subscribe(topic).name();
        try (ServiceBusSenderClient publisher =
                plain.builder().sender().topicName(topic).buildClient()) {
            publisher.sendMessage(new ServiceBusMessage("work"));
        }
        ServiceBusReceiverClient receiver = sdk.keep(sdk.builder()
                .receiver()
                .topicName(topic)
                .subscriptionName(subscription)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient());
        ServiceBusSenderClient toQueue = sdk.sender(out);
        ServiceBusSenderClient toTopic =
                sdk.keep(sdk.builder().sender().topicName(topic).buildClient());
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(next(receiver), complete(transaction));
        toQueue.sendMessage(new ServiceBusMessage("done"), transaction);
        toTopic.sendMessage(new ServiceBusMessage("next"), transaction);
        receiver.commitTransaction(transaction);
        arrived(out, 1);
        assertThat(next(receiver).getBody()).hasToString("next");
    }

    @Test
    @DisplayName("TX-5: a processor moves every message with its own transaction")
    void processor() throws Exception {
        int count = 20;
        for (int i = 0; i < count; i++) {
            plain.send(in, "m" + i);
        }
        ServiceBusSenderClient sender = sdk.sender(out);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        ServiceBusProcessorClient processor = sdk.builder()
                .processor()
                .queueName(in)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .maxConcurrentCalls(2)
                .processMessage(context -> {
                    ServiceBusTransactionContext transaction = sender.createTransaction();
                    context.complete(complete(transaction));
                    sender.sendMessage(
                            new ServiceBusMessage(context.getMessage().getBody())
                                    .setMessageId(context.getMessage().getMessageId()),
                            transaction);
                    sender.commitTransaction(transaction);
                })
                .processError(context -> failures.add(context.getException()))
                .buildProcessorClient();
        sdk.keep(processor);
        processor.start();
        Await.until(
                "all messages have moved",
                () -> broker.counts(out).active() == count && broker.counts(in).total() == 0);
        assertThat(failures).isEmpty();
    }
}
