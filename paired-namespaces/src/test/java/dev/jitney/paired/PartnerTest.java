package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of factories, alone and together (18.7). */
final class PartnerTest {
    enum End {
        CLOSE(MessagingFactory::close),
        FAULT(factory -> factory.fault(new IllegalArgumentException("test")));

        final Consumer<MessagingFactory> of;

        End(Consumer<MessagingFactory> of) {
            this.of = of;
        }
    }

    private static Pair syphoning() {
        Pair pair = Pair.with(options -> options.enableSyphon(true));
        pair.clock.seconds(1);
        return pair;
    }

    @ParameterizedTest(name = "PAIR-58, PAIR-59: {0}")
    @EnumSource(End.class)
    @DisplayName("PAIR-58, PAIR-59: when the primary ends the secondary is open at 4.9 s and has failed at 5 s")
    void faultsTheSecondary(End end) {
        Pair pair = syphoning();
        end.of.accept(pair.primary);

        pair.clock.advance(Duration.ofMillis(4_999));
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.OPEN);
        pair.clock.advance(Duration.ofMillis(1));
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.FAULTED);
        assertThatThrownBy(() -> pair.secondary.createMessageSender("orders"))
                .isInstanceOf(PairedMessagingFactoryException.class)
                .hasMessageContaining("fabrikam")
                .hasMessageContaining("contoso")
                .hasMessageContaining("5000 ms")
                .hasCauseInstanceOf(PairedMessagingFactoryException.class);
        assertThat(pair.clock.waiting()).isZero();
        assertThat(pair.fabrikam.openInlets()).isZero();
    }

    @ParameterizedTest(name = "PAIR-58, PAIR-59: {0}")
    @EnumSource(End.class)
    @DisplayName("PAIR-58, PAIR-59: the primary fails when the secondary ends, and its senders report the reason")
    void faultsThePrimary(End end) {
        Pair pair = syphoning();
        MessageSender sender = pair.primary.createMessageSender("orders");
        end.of.accept(pair.secondary);
        sender.send(message("in the grace"));

        pair.clock.advance(Duration.ofSeconds(5));

        assertThat(pair.primary.state()).isEqualTo(FactoryState.FAULTED);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.CLOSED);
        assertThat(failure(sender.sendAsync(message("too late"))))
                .isInstanceOfSatisfying(
                        PairedMessagingFactoryException.class,
                        thrown -> assertThat(thrown.isTransient()).isFalse());
        assertThat(pair.contoso.openOutlets()).isZero();
    }

    @Test
    @DisplayName("PAIR-58: both closed within 5 s: no fault, the timer is canceled and the syphon stops")
    void bothMayClose() {
        Pair pair = syphoning();
        pair.primary.close();
        pair.clock.advance(Duration.ofMillis(4_900));
        pair.secondary.close();

        assertThat(pair.clock.waiting()).isZero();
        pair.clock.advance(Duration.ofMinutes(1));
        assertThat(pair.primary.state()).isEqualTo(FactoryState.CLOSED);
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.CLOSED);
        assertThat(pair.contoso.closings()).isEqualTo(1);
        assertThat(pair.fabrikam.closings()).isEqualTo(1);
    }

    @Test
    @DisplayName("18.7: the workers stop as soon as one factory ends, before the grace period is over")
    void stopsWorkersAtOnce() {
        Pair pair = syphoning();
        pair.primary.close();

        assertThat(pair.fabrikam.openInlets()).isZero();
        assertThat(pair.clock.waiting()).as("the grace").isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-59: closeGrace is configurable; zero fails the partner immediately")
    void takesTheGraceOfTheOptions() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).closeGrace(Duration.ZERO));
        pair.primary.close();
        pair.clock.advance(Duration.ZERO);
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.FAULTED);
    }

    @Test
    @DisplayName("PAIR-58: without a syphon in the process each factory ends independently")
    void leavesThePartnerWithoutASyphon() {
        Pair pair = Pair.withDefaults();
        pair.primary.close();
        pair.clock.advance(Duration.ofHours(1));
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.OPEN);
        assertThatNoException()
                .isThrownBy(() -> pair.secondary.createMessageSender("own").close());
    }

    @Test
    @DisplayName("PAIR-58: a syphon that was closed separately makes no factory fail")
    void faultsNobodyOnceClosed() {
        Pair pair = syphoning();
        pair.primary.syphon().close();
        pair.primary.close();
        pair.clock.advance(Duration.ofHours(1));
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.OPEN);
    }

    @Test
    @DisplayName("18.2, 18.7: the end of a factory cancels failover timers and pings, and closes its senders")
    void endsEverything() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        sender.send(message("m"));
        failure(pair.primary.createMessageSender("bills").sendAsync(message("lost")));
        assertThat(pair.clock.waiting()).isEqualTo(2);

        pair.primary.close();
        pair.primary.close();
        pair.primary.fault(new IllegalStateException("too late"));

        assertThat(pair.primary.state()).isEqualTo(FactoryState.CLOSED);
        assertThat(pair.clock.waiting()).isZero();
        assertThat(pair.contoso.openOutlets() + pair.fabrikam.openOutlets()).isZero();
        assertThat(pair.states()).endsWith(PathState.CLOSED, PathState.CLOSED);
    }

    @Test
    @DisplayName("FactoryState: a closed factory refuses calls with IllegalStateException")
    void refusesWhenClosed() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.primary.close();

        for (Runnable call : List.<Runnable>of(
                () -> pair.primary.createMessageSender("orders"),
                () -> pair.primary.markPathHealthy("orders"),
                () -> sender.send(message("m")),
                sender::createMessageBatch,
                () -> sender.cancelScheduledMessage(1))) {
            assertThatIllegalStateException().isThrownBy(call::run).withMessageContaining("closed");
        }
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.CLOSED);
        assertThatNoException().isThrownBy(sender::close);
    }

    @Test
    @DisplayName("FactoryState: a failed factory refuses every call with PairedMessagingFactoryException and the cause")
    void refusesWhenFaulted() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        IllegalArgumentException reason = new IllegalArgumentException("test");
        assertThatNullPointerException().isThrownBy(() -> pair.primary.fault(null));
        pair.primary.fault(reason);

        for (Runnable call : List.<Runnable>of(
                () -> pair.primary.createMessageSender("orders"),
                () -> pair.primary.markPathHealthy("orders"),
                () -> sender.send(message("m")))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(PairedMessagingFactoryException.class)
                    .hasCause(reason);
        }
    }

    @Test
    @Timeout(90)
    @DisplayName("18.7: factories with their own clocks leave no thread after they are closed")
    void leavesNoThreads() throws InterruptedException {
        ManualClock unused = new ManualClock();
        FakeNamespace contoso = new FakeNamespace("contoso-threads", unused);
        FakeNamespace fabrikam = new FakeNamespace("fabrikam-threads", unused);
        contoso.with("orders");
        MessagingFactory primary = MessagingFactory.builder().transport(contoso).build();
        MessagingFactory secondary =
                MessagingFactory.builder().transport(fabrikam).build();
        primary.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(secondary)
                .enableSyphon(true)
                .failoverInterval(Duration.ZERO)
                .pingPrimaryInterval(Duration.ofSeconds(1))
                .build());
        contoso.fail(SdkErrors::communication);
        primary.createMessageSender("orders").send(message("m"));
        assertThat(ownThreads()).contains("jitney-paired-contoso-threads", "jitney-syphon");
        // The system clock runs: a ping is sent after a second.
        Pair.until(() -> contoso.count("ping orders") > 0);

        primary.close();
        secondary.close();

        Pair.until(() ->
                ownThreads().stream().noneMatch(name -> name.endsWith("-threads") || name.equals("jitney-syphon")));
    }

    @Test
    @Timeout(90)
    @DisplayName("PAIR-58: on the system clock the partner fails after the grace period, and no thread remains")
    void faultsByTheMachinesTime() {
        ManualClock unused = new ManualClock();
        MessagingFactory primary = MessagingFactory.builder()
                .transport(new FakeNamespace("contoso-grace", unused))
                .build();
        MessagingFactory secondary = MessagingFactory.builder()
                .transport(new FakeNamespace("fabrikam-grace", unused))
                .build();
        primary.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(secondary)
                .enableSyphon(true)
                .closeGrace(Duration.ofMillis(50))
                .build());

        primary.close();

        Pair.until(() -> secondary.state() == FactoryState.FAULTED
                && ownThreads().stream().noneMatch(name -> name.endsWith("-grace") || name.equals("jitney-syphon")));
    }

    @Test
    @DisplayName("PAIR-3: factories of an ended pair cannot be paired again, but new factories can")
    void makesRoomForANewPair() {
        Pair pair = syphoning();
        pair.primary.close();
        pair.secondary.close();
        MessagingFactory primary = pair.factory(pair.contoso, new Random());
        MessagingFactory secondary = pair.factory(pair.fabrikam, new Random());

        primary.pairNamespace(
                SendAvailabilityPairedNamespaceOptions.builder(secondary).build());

        assertThat(primary.backlogQueueCount()).isEqualTo(10);
    }

    private static Set<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("jitney-"))
                .collect(Collectors.toSet());
    }
}
