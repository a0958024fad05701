package dev.jitney.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.models.CompleteOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The Java SDK with default options over the loss of a leader. Clients connect through a follower and are never created anew;
 * only a session is accepted again, because its lock is lost.
 */
class JavaSdkFailoverTest {
    @RegisterExtension
    static final ClusterOfThree cluster = new ClusterOfThree();

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static int names;

    private Sdk sdk;
    private ServiceBusAdministrationClient administration;
    private String queue;

    @BeforeEach
    void connect() {
        sdk = new Sdk(cluster.clients());
        administration = cluster.administration();
        queue = "queue-" + names++;
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }

    @Test
    @DisplayName(
            "CL-23, CL-24: a processor goes on after the loss of the leader, and a message that was locked comes again"
                    + " with the same delivery count")
    void processor() throws Exception {
        administration.createQueue(queue);
        ServiceBusSenderClient sender = sdk.sender(queue);
        Map<String, List<Long>> counts = new ConcurrentHashMap<>();
        List<Throwable> errors = new CopyOnWriteArrayList<>();
        List<String> completed = new CopyOnWriteArrayList<>();
        ServiceBusProcessorClient processor = sdk.keep(sdk.builder()
                .processor()
                .queueName(queue)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .processMessage(context -> {
                    ServiceBusReceivedMessage message = context.getMessage();
                    String id = message.getMessageId();
                    List<Long> all = counts.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>());
                    all.add(message.getDeliveryCount());
                    if (id.equals("held") && all.size() == 1) {
                        return; // its lock ends with the leader
                    }
                    try {
                        context.complete();
                        completed.add(id);
                    } catch (RuntimeException e) {
                        errors.add(e);
                    }
                })
                .processError(context -> errors.add(context.getException()))
                .buildProcessorClient());
        processor.start();
        sender.sendMessage(message("before"));
        sender.sendMessage(message("held"));
        Await.until("both arrive", () -> counts.containsKey("held") && completed.contains("before"));

        cluster.killLeader();
        IntStream.range(0, 20).forEach(i -> sender.sendMessage(message("after-" + i)));

        Await.until(
                "all messages are completed",
                PATIENCE,
                () -> completed.contains("held")
                        && IntStream.range(0, 20).allMatch(i -> completed.contains("after-" + i)));
        assertThat(counts.get("held"))
                .as("delivery counts")
                .hasSizeGreaterThan(1)
                .containsOnly(0L);
        assertThat(processor.isRunning()).isTrue();
        assertThat(errors).allSatisfy(JavaSdkFailoverTest::retryable);
    }

    @Test
    @DisplayName(
            "CL-24: the lock of a session is lost with the leader, but its messages, their order and its state are not")
    void session() throws Exception {
        administration.createQueue(queue, new CreateQueueOptions().setSessionRequired(true));
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.sendMessages(IntStream.range(0, 5)
                .mapToObj(i -> message("m" + i).setSessionId("s"))
                .toList());
        ServiceBusSessionReceiverClient sessions = sdk.keep(sdk.builder()
                .sessionReceiver()
                .queueName(queue)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient());
        ServiceBusReceiverClient held = sessions.acceptSession("s");
        ServiceBusReceivedMessage first = Sdk.next(held);
        held.complete(first);
        held.setSessionState("half".getBytes(StandardCharsets.UTF_8));
        ServiceBusReceivedMessage second = Sdk.next(held);

        cluster.killLeader();
        sender.sendMessage(message("m5").setSessionId("s"));

        assertThatThrownBy(() -> held.complete(second)).isInstanceOf(RuntimeException.class);
        held.close();
        try (ServiceBusReceiverClient again = accept(sessions)) {
            assertThat(again.getSessionState()).asString().isEqualTo("half");
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ServiceBusReceivedMessage message = Sdk.next(again);
                assertThat(message.getDeliveryCount())
                        .as(message.getMessageId())
                        .isZero();
                again.complete(message);
                ids.add(message.getMessageId());
            }
            assertThat(ids).containsExactly("m1", "m2", "m3", "m4", "m5");
        }
    }

    /** Accepts the session. The SDK does not repeat this call after every error, so the application does. */
    private static ServiceBusReceiverClient accept(ServiceBusSessionReceiverClient sessions) {
        ServiceBusReceiverClient[] accepted = new ServiceBusReceiverClient[1];
        Await.until("the session is accepted", PATIENCE, () -> {
            accepted[0] = sessions.acceptSession("s");
            return true;
        });
        return accepted[0];
    }

    @Test
    @DisplayName(
            "CL-2, CL-24: a transaction that is open when the leader is lost has no effect, and the next one of the same"
                    + " clients works")
    void transaction() throws Exception {
        administration.createQueue(queue);
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        sender.sendMessage(message("in"));
        ServiceBusReceivedMessage before = Sdk.next(receiver);
        ServiceBusTransactionContext open = receiver.createTransaction();
        sender.sendMessage(message("rolled back"), open);
        receiver.complete(before, new CompleteOptions().setTransactionContext(open));

        cluster.killLeader();

        assertThatThrownBy(() -> receiver.commitTransaction(open)).isInstanceOf(RuntimeException.class);
        ServiceBusReceivedMessage again = Sdk.next(receiver);
        assertThat(again.getMessageId()).isEqualTo("in");
        assertThat(again.getDeliveryCount()).isZero();
        ServiceBusTransactionContext next = receiver.createTransaction();
        sender.sendMessage(message("out"), next);
        receiver.complete(again, new CompleteOptions().setTransactionContext(next));
        receiver.commitTransaction(next);
        assertThat(Sdk.next(receiver).getMessageId()).isEqualTo("out");
        assertThat(Sdk.none(receiver)).isEmpty();
    }

    @Test
    @DisplayName(
            "CL-24, CL-25: scheduled messages arrive once, and can be canceled by their numbers, after the loss of the"
                    + " leader")
    void scheduled() throws Exception {
        administration.createQueue(queue);
        ServiceBusSenderClient sender = sdk.sender(queue);
        OffsetDateTime soon = OffsetDateTime.now().plusSeconds(8).truncatedTo(ChronoUnit.MILLIS);
        long kept = sender.scheduleMessage(message("kept"), soon);
        long canceled = sender.scheduleMessage(message("canceled"), soon.plusSeconds(20));

        cluster.killLeader();
        sender.sendMessage(message("at once"));
        sender.cancelScheduledMessage(canceled);

        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(Sdk.next(receiver).getMessageId()).isEqualTo("at once");
        ServiceBusReceivedMessage arrived = Sdk.next(receiver);
        assertThat(arrived.getMessageId()).isEqualTo("kept");
        assertThat(arrived.getSequenceNumber()).isGreaterThanOrEqualTo(kept);
        assertThat(arrived.getEnqueuedTime()).isAfterOrEqualTo(soon);
        assertThat(Sdk.none(receiver)).isEmpty();
        assertThat(administration.getQueueRuntimeProperties(queue).getScheduledMessageCount())
                .isZero();
    }

    @Test
    @DisplayName(
            "CL-23, CL-30: an administration client goes on after the loss of the leader, and all entities are there")
    void administration() throws Exception {
        administration.createQueue(queue, new CreateQueueOptions().setMaxDeliveryCount(7));

        cluster.killLeader();

        administration.createQueue(queue + "-next");
        assertThat(administration.getQueue(queue).getMaxDeliveryCount()).isEqualTo(7);
        assertThat(administration.listQueues().stream().map(properties -> properties.getName()))
                .contains(queue, queue + "-next");
        administration.deleteQueue(queue + "-next");
        assertThat(administration.getQueueExists(queue + "-next")).isFalse();
    }

    private static ServiceBusMessage message(String id) {
        return new ServiceBusMessage(id).setMessageId(id);
    }

    /** Checks that an error is retryable, reports the loss of a lock, or comes from the SDK itself. */
    private static void retryable(Throwable error) {
        for (Throwable e = error; e != null && e != e.getCause(); e = e.getCause()) {
            if (e instanceof AmqpException amqp && amqp.getErrorCondition() != null) {
                boolean isLoss = error instanceof ServiceBusException bus
                        && String.valueOf(bus.getReason()).endsWith("LOCK_LOST");
                assertThat(amqp.isTransient() || isLoss)
                        .as(String.valueOf(error))
                        .isTrue();
            }
        }
    }
}
