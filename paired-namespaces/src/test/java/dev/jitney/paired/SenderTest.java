package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static dev.jitney.paired.Pair.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SenderTest {
    private static final OffsetDateTime LATER = OffsetDateTime.of(2026, 2, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    @Test
    @DisplayName("PAIR-57: schedules, cancellations and transactions are refused while failed over, and not diverted")
    void divertsNoSchedulesAndTransactions() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        pair.failedOver("orders");
        pair.contoso.forgetCalls();

        for (Runnable call : List.<Runnable>of(
                () -> sender.scheduleMessage(message("m"), LATER),
                () -> sender.scheduleMessages(List.of(message("m")), LATER),
                () -> sender.cancelScheduledMessage(1),
                () -> sender.cancelScheduledMessages(List.of(1L)),
                sender::createTransaction,
                () -> sender.send(message("m"), transaction),
                () -> sender.send(List.of(message("m")), transaction),
                () -> sender.commitTransaction(transaction),
                () -> sender.rollbackTransaction(transaction))) {
            assertThatIllegalStateException().isThrownBy(call::run).withMessageContaining("cannot be diverted");
        }
        assertThat(pair.contoso.calls()).isEmpty();
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName(
            "PAIR-57: a transactional send that fails with an interval of 0 fails over, but is not diverted itself")
    void divertsNoTransactionalSend() {
        Pair pair = Pair.with(options -> options.failoverInterval(Duration.ZERO));
        MessageSender sender = pair.primary.createMessageSender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        pair.contoso.fail(SdkErrors::communication);

        assertThatThrownBy(() -> sender.send(message("m"), transaction)).isInstanceOf(ServiceBusException.class);

        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-37, PAIR-57: while unreachable they fail with the cause")
    void refusesSchedulesWhileUnreachable() {
        Pair pair = Pair.with(options -> options.classifier(FailureClassifier.LEGACY));
        MessageSender sender = pair.failedOver("orders");
        pair.contoso.fail(SdkErrors::notFound);
        pair.clock.advance(Duration.ofMinutes(1));

        assertThatThrownBy(() -> sender.scheduleMessage(message("m"), LATER))
                .isInstanceOf(SendAvailabilityMessagingException.class);
        assertThatThrownBy(sender::createMessageBatch).isInstanceOf(SendAvailabilityMessagingException.class);
    }

    @Test
    @DisplayName("PAIR-6: schedules and transactions work at the healthy primary, in order and with all results")
    void schedulesAtThePrimary() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");

        assertThat(sender.scheduleMessages(List.of(message("1"), message("2")), LATER))
                .containsExactly(1L, 2L);
        sender.cancelScheduledMessages(List.of(1L, 2L));
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.send(message("m"), transaction);
        sender.send(List.of(message("n"), message("o")), transaction);
        sender.commitTransaction(transaction);
        sender.rollbackTransaction(sender.createTransaction());

        assertThat(pair.contoso.calls())
                .containsExactly(
                        "schedule orders",
                        "cancel orders",
                        "transaction orders",
                        "send orders",
                        "send orders",
                        "commit orders",
                        "transaction orders",
                        "rollback orders");
    }

    @Test
    @DisplayName("Invalid arguments are refused immediately")
    void refusesSenselessArguments() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");

        assertThatNullPointerException()
                .isThrownBy(() -> sender.sendAsync((com.azure.messaging.servicebus.ServiceBusMessage) null));
        assertThatIllegalArgumentException().isThrownBy(() -> sender.send(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> sender.createMessageBatch(0));
        assertThatIllegalArgumentException().isThrownBy(() -> pair.primary.createMessageSender(" "));
        sender.send(sender.createMessageBatch());
        assertThat(pair.contoso.count("send orders"))
                .as("an empty batch is not sent")
                .isZero();
    }

    @Test
    @DisplayName("The stage of an asynchronous send ends with the broker's response, without blocking the caller")
    void sendsWithoutWaiting() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.hold("send orders");
        CompletionStage<Void> good = sender.sendAsync(message("m"));
        AtomicReference<Object> seen = new AtomicReference<>("nothing");
        good.whenComplete((nothing, thrown) -> seen.set(thrown));
        assertThat(seen).hasValue("nothing");

        pair.contoso.release("send orders", null);
        assertThat(seen).hasNullValue();

        ServiceBusException failure = SdkErrors.tooLarge();
        pair.contoso.fail("send orders", () -> failure);
        sender.sendAsync(message("m")).whenComplete((nothing, thrown) -> seen.set(thrown));
        assertThat(seen).as("the failure itself, unwrapped").hasValue(failure);
    }

    @Test
    @Timeout(60)
    @DisplayName("An interrupted send ends with a CancellationException; the thread stays interrupted")
    void endsAnInterruptedSend() throws InterruptedException {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.hold("send orders");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                sender.send(message("m"));
            } catch (RuntimeException e) {
                thrown.set(e);
                interrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        waiting.start();
        Pair.until(() -> pair.contoso.holds("send orders") > 0);

        waiting.interrupt();
        waiting.join();

        assertThat(thrown.get())
                .isInstanceOf(CancellationException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(interrupted).hasValue(true);
        pair.contoso.release("send orders", null);
    }

    @Test
    @Timeout(120)
    @DisplayName("PAIR-7: with many threads sending during failover and recovery, each send ends once and none is lost")
    void endsEachSendOnce() throws InterruptedException {
        Pair pair = Pair.with(
                options -> options.failoverInterval(Duration.ZERO).pingPrimaryInterval(Duration.ofSeconds(1)));
        int threads = 4;
        int each = 2_000;
        AtomicInteger succeeded = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int thread = t;
            MessageSender sender = pair.primary.createMessageSender("orders");
            new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            sender.sendAsync(message(thread + "-" + i)).whenComplete((nothing, thrown) -> {
                                ends.incrementAndGet();
                                (thrown == null ? succeeded : failed).incrementAndGet();
                            });
                        }
                        done.countDown();
                    })
                    .start();
        }
        boolean down = false;
        while (!done.await(1, TimeUnit.MILLISECONDS)) {
            down = !down;
            if (down) {
                pair.contoso.fail(SdkErrors::communication);
                pair.fabrikam.fail("send " + Pair.BACKLOG + 3, SdkErrors::full);
            } else {
                pair.contoso.heal();
                pair.fabrikam.heal();
                pair.clock.advance(Duration.ofSeconds(1));
            }
        }

        assertThat(ends).hasValue(threads * each);
        assertThat(failed).hasValue(0);
        List<String> home = texts(pair.contoso.queue("orders"));
        List<String> away = pair.backlogTexts();
        assertThat(home.size() + away.size()).isEqualTo(succeeded.get());
        assertThat(java.util.stream.Stream.concat(home.stream(), away.stream())).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("Timers, links and reported changes do not grow with the number of sent messages")
    void keepsNothing() {
        Pair pair = Pair.with(options -> options.failoverInterval(Duration.ZERO));
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.fail(SdkErrors::communication);
        sender.send(message("m"));
        int timers = pair.clock.waiting();
        int links = pair.fabrikam.openOutlets() + pair.contoso.openOutlets();

        for (int i = 0; i < 5_000; i++) {
            sender.send(message("m"));
        }

        assertThat(pair.clock.waiting()).isEqualTo(timers);
        assertThat(pair.fabrikam.openOutlets() + pair.contoso.openOutlets()).isEqualTo(links);
        assertThat(pair.changes).hasSize(1);
    }

    @Test
    @DisplayName("PAIR-17, PAIR-13: a failing listener does not stop the other listeners and the send")
    void survivesAListenerThatFails() {
        Pair pair = new Pair();
        AtomicInteger told = new AtomicInteger();
        MessagingFactory primary = MessagingFactory.builder()
                .transport(pair.contoso)
                .clock(pair.clock)
                .stateListener(change -> {
                    throw new IllegalStateException("test");
                })
                .stateListener(change -> told.incrementAndGet())
                .build();
        primary.pairNamespace(pair.options(options -> options.failoverInterval(Duration.ZERO)));
        pair.contoso.fail(SdkErrors::communication);

        primary.createMessageSender("orders").send(message("m"));

        assertThat(told).hasValue(1);
        assertThat(pair.backlogTexts()).containsExactly("m");
    }

    @Test
    @Timeout(60)
    @DisplayName("A listener may read states, even while another thread changes them")
    void letsAListenerAsk() throws InterruptedException {
        Pair pair = new Pair();
        AtomicReference<MessagingFactory> factory = new AtomicReference<>();
        MessagingFactory primary = MessagingFactory.builder()
                .transport(pair.contoso)
                .clock(pair.clock)
                .stateListener(change -> {
                    factory.get().state("orders");
                    factory.get().state("bills");
                    factory.get().backlogQueueCount();
                })
                .build();
        factory.set(primary);
        primary.pairNamespace(pair.options(options -> options));
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            String path = t == 0 ? "orders" : "bills";
            MessageSender sender = primary.createMessageSender(path);
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    pair.contoso.fail("send " + path, SdkErrors::communication);
                    sender.sendAsync(message("m"));
                    pair.contoso.heal("send " + path);
                    sender.sendAsync(message("m"));
                    primary.state(path);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(primary.state("orders")).isEqualTo(PathState.HEALTHY);
    }

    @Test
    @DisplayName("A sender created before the pairing takes part in it")
    void takesPartInALaterPairing() {
        Pair pair = new Pair();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.fail(SdkErrors::communication);
        assertThat(failure(sender.sendAsync(message("lost")))).isInstanceOf(ServiceBusException.class);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.HEALTHY);
        pair.primary.pairNamespace(pair.options(options -> options.failoverInterval(Duration.ZERO)));

        sender.send(message("m"));

        assertThat(pair.backlogTexts()).containsExactly("m");
    }

    @Test
    @DisplayName("Calls in progress end when the factory is closed")
    void endsCallsWhenTheFactoryCloses() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.hold("send orders");
        CompletableFuture<Void> sent = sender.sendAsync(message("m")).toCompletableFuture();
        pair.primary.close();

        pair.contoso.release("send orders", SdkErrors.communication());

        assertThat(failure(sent)).isInstanceOf(ServiceBusException.class);
        assertThat(pair.clock.waiting()).as("no failover timer any more").isZero();
    }
}
