package dev.jitney.conformance.receiving;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.PartitionedRun.numberBeside;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class JavaSdkReceivingTest extends SdkTest {
    private void sendMany(String queue, int count) {
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.sendMessages(IntStream.range(0, count)
                .mapToObj(i -> inOrder("m" + i).setMessageId("m" + i))
                .toList());
    }

    @Test
    @DisplayName("RECV-1: a message received under a lock is gone once it is completed")
    void completedMessageIsGone() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        assertThat(message.getLockedUntil().toInstant()).isEqualTo(broker.now().plusSeconds(60));
        assertThat(broker.counts(queue).active()).isEqualTo(1);

        receiver.complete(message);

        assertThat(broker.counts(queue).total()).isZero();
        assertThat(none(receiver)).isEmpty();
    }

    @Test
    @DisplayName("RECV-2: receive-and-delete removes at delivery, and the message cannot be settled")
    void receiveAndDelete() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        ServiceBusReceivedMessage message = next(receiver);

        Await.until("the message to be removed", () -> broker.counts(queue).total() == 0);
        assertThatThrownBy(() -> receiver.complete(message)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("RECV-10: a receive of ten gets the three available ones and does not wait for more")
    void receiveDoesNotWaitToFillUp() {
        String queue = broker.queue();
        sendMany(queue, 3);
        long start = System.nanoTime();
        List<ServiceBusReceivedMessage> messages =
                sdk.receiver(queue).receiveMessages(10, Duration.ofSeconds(100)).stream()
                        .toList();
        assertThat(messages).extracting(ServiceBusReceivedMessage::getMessageId).containsExactly("m0", "m1", "m2");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(80));
    }

    @Test
    @DisplayName("RECV-3: a waiting receive returns as soon as a message arrives")
    void waitingReceiveReturnsAtOnce() throws Exception {
        String queue = broker.queue();
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        AtomicBoolean got = new AtomicBoolean();
        Thread waiting = new Thread(() -> got.set(next(receiver).getMessageId().equals("late")));
        waiting.start();
        sdk.send(queue, "late");
        waiting.join(60_000);
        assertThat(got).isTrue();
    }

    @Test
    @DisplayName("RECV-5, LOCK-12: an abandoned message is delivered again immediately and before later ones")
    void abandonedMessageComesBeforeLaterOnes() {
        String queue = broker.queue();
        sendMany(queue, 3);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage first = next(receiver);
        receiver.abandon(first);

        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getMessageId()).isEqualTo("m0");
        assertThat(again.getSequenceNumber()).isEqualTo(first.getSequenceNumber());
        assertThat(again.getDeliveryCount()).isEqualTo(first.getDeliveryCount() + 1);
        assertThat(again.getLockToken()).isNotEqualTo(first.getLockToken());
    }

    @Test
    @DisplayName("RECV-7: properties given with an abandon arrive with the next delivery")
    void abandonSetsProperties() {
        String queue = broker.queue();
        ServiceBusMessage sent = new ServiceBusMessage("m");
        sent.getApplicationProperties().put("kept", "k");
        sent.getApplicationProperties().put("changed", "old");
        sdk.send(queue, sent);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.abandon(
                next(receiver), new AbandonOptions().setPropertiesToModify(Map.of("changed", "new", "added", 7)));

        assertThat(next(receiver).getApplicationProperties())
                .containsExactlyInAnyOrderEntriesOf(Map.of("kept", "k", "changed", "new", "added", 7));
    }

    @Test
    @DisplayName("STATE-6: the stored count goes up by one with each abandon and not with a peek")
    void deliveryCountFollowsFailedDeliveries() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int failures = 0; failures < 3; failures++) {
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(message.getDeliveryCount()).isEqualTo(failures);
            receiver.abandon(message);
            assertThat(receiver.peekMessage(1).getDeliveryCount()).isEqualTo(failures + 1);
        }
    }

    @Test
    @DisplayName("RECV-4: among competing receivers every message goes to exactly one")
    void competingReceiversShareTheMessages() throws Exception {
        String queue = broker.queue();
        int count = 500;
        sendMany(queue, count);
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        CountDownLatch all = new CountDownLatch(count);
        for (int i = 0; i < 5; i++) {
            ServiceBusReceiverAsyncClient receiver = sdk.keep(sdk.builder()
                    .receiver()
                    .queueName(queue)
                    .prefetchCount(10)
                    .disableAutoComplete()
                    .buildAsyncClient());
            Disposable subscription = receiver.receiveMessages()
                    .concatMap(m -> {
                        seen.add(m.getMessageId());
                        return receiver.complete(m).doFinally(done -> all.countDown());
                    })
                    .subscribe();
            sdk.keep(subscription::dispose);
        }
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).hasSize(count).doesNotHaveDuplicates();
        Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName("A processor handles messages concurrently and completes them")
    void processorCompletesConcurrently() throws Exception {
        String queue = broker.queue();
        int count = 100;
        sendMany(queue, count);
        CountDownLatch four = new CountDownLatch(4);
        CountDownLatch all = new CountDownLatch(count);
        Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        ServiceBusProcessorClient processor = sdk.builder()
                .processor()
                .queueName(queue)
                .maxConcurrentCalls(4)
                .prefetchCount(8)
                .processMessage(context -> {
                    four.countDown();
                    try {
                        four.await(60, TimeUnit.SECONDS); // passes only if four run at once
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    all.countDown();
                })
                .processError(context -> errors.add(context.getException()))
                .buildProcessorClient();
        processor.start();
        try {
            assertThat(four.await(60, TimeUnit.SECONDS))
                    .as("four concurrent calls")
                    .isTrue();
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("all messages handled")
                    .isTrue();
            Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
        } finally {
            processor.close();
        }
        assertThat(errors).isEmpty();
    }

    @Test
    @DisplayName("A processor abandons a message if its handler throws, and gets it again")
    void processorAbandonsWhatFails() throws Exception {
        String queue = broker.queue();
        sdk.send(queue, "m");
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        ServiceBusProcessorClient processor = sdk.builder()
                .processor()
                .queueName(queue)
                .processMessage(context -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    done.countDown();
                })
                .processError(context -> {})
                .buildProcessorClient();
        processor.start();
        try {
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
        } finally {
            processor.close();
        }
        assertThat(calls).hasValue(3);
    }

    @Test
    @DisplayName("STATE-4: a restart keeps messages and counts, drops locks, and clients continue")
    void restartKeepsMessages() {
        String queue = broker.queue();
        sendMany(queue, 3);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage abandoned = next(receiver);
        receiver.abandon(abandoned);
        ServiceBusReceivedMessage locked = next(receiver);
        assertThat(locked.getMessageId()).isEqualTo("m0");
        long scheduled = sdk.sender(queue)
                .scheduleMessage(
                        inOrder("later"), broker.now().plusSeconds(3600).atOffset(java.time.ZoneOffset.UTC));

        broker.restart();

        assertThat(broker.counts(queue).active()).isEqualTo(3);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        // Requests made before the client has noticed fail in other ways.
        Await.until("the client to be connected again", () -> receiver.peekMessage(1) != null);
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(locked));
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getMessageId()).isEqualTo("m0");
        assertThat(again.getDeliveryCount())
                .as("delivery count without the restart")
                .isEqualTo(1);
        receiver.complete(again);
        sdk.send(queue, "after");
        assertThat(receiver.peekMessages(10, numberBeside(scheduled, 1)))
                .extracting(ServiceBusReceivedMessage::getSequenceNumber)
                .as("sequence numbers increase and are unique")
                .containsExactly(scheduled - 2, scheduled - 1, scheduled, scheduled + 1);
    }

    @Test
    @DisplayName("Wire 88: a running processor survives a restart of the server")
    void processorSurvivesRestart() throws Exception {
        String queue = broker.queue();
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        ServiceBusProcessorClient processor = sdk.builder()
                .processor()
                .queueName(queue)
                .receiveMode(ServiceBusReceiveMode.PEEK_LOCK)
                .processMessage(context -> seen.add(context.getMessage().getMessageId()))
                .processError(context -> {})
                .buildProcessorClient();
        processor.start();
        try {
            sdk.send(queue, "before");
            Await.until("the first message", () -> seen.contains("before"));
            Await.until(
                    "the completion of the first message",
                    () -> broker.counts(queue).total() == 0);
            broker.restart();
            try (Sdk fresh = broker.sdk()) {
                fresh.send(queue, "after");
            }
            Await.until("the second message", Duration.ofSeconds(60), () -> seen.contains("after"));
        } finally {
            processor.close();
        }
    }

    @Test
    @DisplayName("SUSP-1, SUSP-5: a receive-disabled queue delivers no messages, but existing locks can be settled")
    void receiveDisabledQueue() {
        String queue = broker.queue();
        sendMany(queue, 2);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage held = next(receiver);
        broker.status(queue, EntityStatus.RECEIVE_DISABLED);
        ServiceBusReceiverClient other = sdk.receiver(queue);
        other.complete(held); // over management: the link of the delivery may be detached at any time
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        sdk.send(queue, "still taken");
        assertReceiveFails(ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED, queue);
        broker.status(queue, EntityStatus.ACTIVE);
        assertThat(next(sdk.receiver(queue)).getMessageId()).isEqualTo("m1");
    }

    @Test
    @DisplayName("Wire 86: deleting a queue in use ends its receivers with the reason")
    void deletedQueueEndsReceivers() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage held = next(receiver);
        broker.delete(queue);
        assertThatThrownBy(() -> receiver.complete(held)).isNotNull();
        assertReceiveFails(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, queue);
    }

    /** Checks a receive with the asynchronous client, because the synchronous one hides the reason. */
    private void assertReceiveFails(ServiceBusFailureReason reason, String queue) {
        ServiceBusReceiverAsyncClient receiver =
                sdk.keep(sdk.builder().receiver().queueName(queue).buildAsyncClient());
        assertFails(reason, () -> receiver.receiveMessages().blockFirst(Duration.ofSeconds(30)));
    }
}
