package dev.jitney.conformance.sessions;

import static dev.jitney.conformance.sessions.SessionClients.accept;
import static dev.jitney.conformance.sessions.SessionClients.acceptor;
import static dev.jitney.conformance.sessions.SessionClients.message;
import static dev.jitney.conformance.sessions.SessionClients.send;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The slower tests of sessions: waiting for sessions, and processors that handle one session after another. */
class JavaSdkSessionProcessorTest {
    private static final Duration LOCK = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    /** A broker whose clock moves only when a test moves it, so that no lock ends because the machine is busy. */
    @RegisterExtension
    static final TestBroker standing = TestBroker.frozen();

    private Sdk sdk;
    private String queue;

    @BeforeEach
    void connect() {
        sdk = broker.sdk();
        queue = broker.queue(q -> q.requiresSession(true));
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }

    /** Returns a builder for clients that request a session once. */
    private static ServiceBusClientBuilder impatient() {
        return TestBroker.clientBuilder(broker.lastingConnectionString())
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(Duration.ofSeconds(60)));
    }

    /** Returns a builder whose processors leave a session without messages after some time, also on a busy machine. */
    private ServiceBusClientBuilder.ServiceBusSessionProcessorClientBuilder processor() {
        return sdk.builder().sessionProcessor().queueName(queue).sessionIdleTimeout(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("SESS-5, wire 71: when no session becomes available in time the SDK reports a timeout")
    void acceptTimesOut() throws Exception {
        try (Sdk impatient = new Sdk(impatient())) {
            CompletableFuture<@Nullable Throwable> answer = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> acceptor(impatient, queue).acceptNextSession()));
            // The SDK waits only slightly longer than the server, so the test speeds up the server's clock.
            Await.until("an answer", () -> {
                broker.advance(Duration.ofSeconds(10));
                return answer.isDone();
            });
            assertThat(answer.join())
                    .as("the SDK's error for a missing session")
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("com.microsoft:timeout");
            // The wait has ended, no session is held, and the same connection continues.
            send(sdk, queue, "s", "m");
            assertThat(next(impatient.keep(acceptor(impatient, queue).acceptNextSession()))
                            .getBody())
                    .hasToString("m");
        }
    }

    @Test
    @DisplayName("SESS-5: a client that waits for a session gets the next available one")
    void acceptWaits() throws Exception {
        CompletableFuture<ServiceBusReceiverClient> waiting =
                CompletableFuture.supplyAsync(() -> acceptor(sdk, queue).acceptNextSession());
        send(sdk, queue, "s", "m");
        ServiceBusReceiverClient holder = sdk.keep(waiting.get(60, TimeUnit.SECONDS));
        assertThat(holder.getSessionId()).isEqualTo("s");
        assertThat(next(holder).getBody()).hasToString("m");
    }

    @Test
    @DisplayName("SESS-7, SESS-20: a processor works on many sessions at once, on each in order and one at a time")
    void processesManySessions() throws Exception {
        int sessions = 30;
        int each = 6;
        ServiceBusSenderClient sender = sdk.sender(queue);
        for (int session = 0; session < sessions; session++) {
            int of = session; // a batch has one key (MSG-8)
            sender.sendMessages(IntStream.range(0, each)
                    .mapToObj(round -> message("s" + of, of + "-" + round))
                    .toList());
        }
        Map<String, List<String>> handled = new ConcurrentHashMap<>();
        Set<String> busy = ConcurrentHashMap.newKeySet();
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        CountDownLatch atOnce = new CountDownLatch(8);
        CountDownLatch all = new CountDownLatch(sessions * each);
        ServiceBusProcessorClient processor = processor()
                .maxConcurrentSessions(15)
                .maxConcurrentCalls(1)
                .processMessage(context -> {
                    ServiceBusReceivedMessage message = context.getMessage();
                    if (!busy.add(message.getSessionId())) {
                        problems.add("two at a time in " + message.getSessionId());
                    }
                    atOnce.countDown();
                    try {
                        atOnce.await(60, TimeUnit.SECONDS); // passes only if eight run at once
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    handled.computeIfAbsent(message.getSessionId(), s -> new CopyOnWriteArrayList<>())
                            .add(message.getBody().toString());
                    busy.remove(message.getSessionId());
                    all.countDown();
                })
                .processError(context -> problems.add(String.valueOf(context.getException())))
                .buildProcessorClient();
        processor.start();
        try {
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("all messages handled")
                    .isTrue();
            Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
        } finally {
            processor.close();
        }
        assertThat(problems).isEmpty();
        for (int s = 0; s < sessions; s++) {
            int of = s;
            assertThat(handled.get("s" + s))
                    .containsExactlyElementsOf(IntStream.range(0, each)
                            .mapToObj(round -> of + "-" + round)
                            .toList());
        }
    }

    @Test
    @DisplayName(
            "SESS-7: a message whose handler throws is delivered again immediately, before the rest of its session")
    void failuresComeAgain() throws Exception {
        send(sdk, queue, "s", "1", "2", "3");
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(4);
        ServiceBusProcessorClient processor = processor()
                .maxConcurrentSessions(1)
                .processMessage(context -> {
                    ServiceBusReceivedMessage message = context.getMessage();
                    order.add(message.getBody().toString());
                    all.countDown();
                    if (message.getDeliveryCount() == 0 && order.size() == 1) {
                        throw new IllegalStateException("the first message fails once");
                    }
                })
                .processError(context -> {})
                .buildProcessorClient();
        processor.start();
        try {
            assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
            Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
        } finally {
            processor.close();
        }
        assertThat(order).containsExactly("1", "1", "2", "3");
    }

    @Test
    @DisplayName("SESS-9: a processor renews the lock of the session while its handler takes longer than that")
    void processorRenews() throws Exception {
        Sdk client = standing.sdk();
        String slow = standing.queue(q -> q.requiresSession(true).lockDurationMs(LOCK.toMillis()));
        // The client uses its own clock to detect that a lock is about to end.
        standing.advance(Duration.between(standing.now(), Instant.now()));
        send(client, slow, "s", "slow");
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        ServiceBusProcessorClient processor = client.builder()
                .sessionProcessor()
                .queueName(slow)
                .sessionIdleTimeout(Duration.ofMinutes(2))
                .maxConcurrentSessions(1)
                .maxAutoLockRenewDuration(Duration.ofMinutes(1))
                .processMessage(context -> {
                    if (context.getMessage().getDeliveryCount() > 0) {
                        problems.add("delivered again");
                    }
                    started.countDown();
                    try {
                        go.await(2, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .processError(context -> problems.add(String.valueOf(context.getException())))
                .buildProcessorClient();
        processor.start();
        try {
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
            Instant begun = standing.now();
            while (standing.now().isBefore(begun.plus(LOCK.multipliedBy(2)))) {
                long calls = standing.meter(slow).calls();
                Await.until("a renewal", () -> standing.meter(slow).calls() > calls);
                standing.advance(LOCK.minusSeconds(1));
            }
            go.countDown();
            Await.until("an empty queue", () -> standing.counts(slow).total() == 0);
        } finally {
            go.countDown();
            processor.close();
            client.close();
        }
        assertThat(problems).isEmpty();
    }

    @Test
    @DisplayName("SESS-12: a stopped processor releases its sessions, and the next processor continues with them")
    void theNextProcessorGoesOn() throws Exception {
        send(sdk, queue, "s", "1", "2");
        CountDownLatch first = new CountDownLatch(1);
        ServiceBusProcessorClient processor = processor()
                .maxConcurrentSessions(4)
                .processMessage(context -> first.countDown())
                .processError(context -> {})
                .buildProcessorClient();
        processor.start();
        assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
        Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
        processor.close();
        broker.awaitNoReceivers(queue);
        send(sdk, queue, "s", "3");
        try (Sdk another = broker.sdk()) {
            assertThat(next(accept(another, queue, "s")).getDeliveryCount()).isZero();
        }
    }
}
