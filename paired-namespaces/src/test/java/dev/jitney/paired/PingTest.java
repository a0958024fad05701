package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import dev.jitney.paired.internal.failure.Failures;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PingTest {

    @Test
    @DisplayName("PAIR-30, PAIR-31: the first ping is sent one interval after the failover, then one per interval")
    void pingsOncePerInterval() {
        Pair pair = Pair.withDefaults();
        pair.failedOver("orders");
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofMillis(59_999));
        assertThat(pair.contoso.calls()).isEmpty();
        pair.clock.advance(Duration.ofMillis(1));
        assertThat(pair.contoso.calls()).containsExactly("ping orders");
        pair.clock.advance(Duration.ofMinutes(9));
        assertThat(pair.contoso.calls()).hasSize(10).containsOnly("ping orders");
    }

    @ParameterizedTest(name = "PAIR-30: every {0} s")
    @ValueSource(longs = {1, 30, 1800})
    @DisplayName("PAIR-30: the interval is that of the option")
    void pingsAtTheGivenInterval(long seconds) {
        Pair pair = Pair.with(options -> options.pingPrimaryInterval(Duration.ofSeconds(seconds)));
        pair.failedOver("orders");
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofSeconds(10 * seconds));

        assertThat(pair.contoso.calls()).hasSize(10);
    }

    @Test
    @DisplayName("PAIR-34: one ping per entity and factory, however many senders it has")
    void pingsOncePerEntityAndFactory() {
        Pair pair = Pair.withDefaults();
        MessagingFactory other = pair.factory(pair.contoso, new Random());
        other.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(pair.factory(pair.fabrikam, new Random()))
                .build());
        pair.contoso.fail(SdkErrors::communication);
        for (MessagingFactory factory : new MessagingFactory[] {pair.primary, other}) {
            for (String path : new String[] {"orders", "ORDERS", "bills"}) {
                failure(factory.createMessageSender(path).sendAsync(message("lost")));
            }
        }
        pair.clock.advance(Duration.ofMinutes(1));
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(pair.contoso.count("ping orders")).isEqualTo(2);
        assertThat(pair.contoso.count("ping bills")).isEqualTo(2);
    }

    @Test
    @DisplayName("PAIR-35, PAIR-32: a successful ping is metered like a message, and nothing is stored")
    void isMetered() {
        Pair pair = Pair.withDefaults();
        pair.failedOver("orders");
        pair.contoso.heal();
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(pair.contoso.operations("orders")).isEqualTo(1);
        assertThat(pair.contoso.queue("orders").messages).isEmpty();
    }

    @Test
    @DisplayName("PAIR-36: after a successful ping there are no pings until the next failover")
    void stopsWhenOneArrives() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        pair.contoso.heal();
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofHours(1));
        assertThat(pair.contoso.calls()).containsExactly("ping orders");
        assertThat(pair.clock.waiting()).isZero();

        pair.contoso.fail(SdkErrors::communication);
        failure(sender.sendAsync(message("lost")));
        pair.clock.advance(Duration.ofMinutes(3));
        assertThat(pair.contoso.count("ping orders")).isEqualTo(3);
    }

    @Test
    @DisplayName("PAIR-36: marking a path healthy during a ping ends that ping")
    void dropsThePingUnderWay() {
        Pair pair = Pair.withDefaults();
        pair.failedOver("orders");
        pair.contoso.hold("ping orders");
        pair.clock.advance(Duration.ofMinutes(1));
        assertThat(pair.contoso.holds("ping orders")).isEqualTo(1);
        int open = pair.contoso.openOutlets();

        pair.primary.markPathHealthy("orders");

        assertThat(pair.contoso.holds("ping orders")).isZero();
        assertThat(pair.contoso.openOutlets()).isEqualTo(open - 1);
        assertThat(pair.clock.waiting()).isZero();
    }

    @Test
    @DisplayName("18.1: a ping times out after pingTimeout; during a ping no other is sent, and afterwards pings"
            + " continue")
    void givesAPingItsTime() {
        Pair pair = Pair.with(
                options -> options.pingPrimaryInterval(Duration.ofSeconds(10)).pingTimeout(Duration.ofSeconds(25)));
        pair.failedOver("orders");
        pair.contoso.hold("ping orders");
        pair.contoso.forgetCalls();

        pair.clock.advance(Duration.ofSeconds(34));
        assertThat(pair.contoso.calls()).hasSize(1);
        assertThat(pair.primary.monitor("orders").cause()).isInstanceOf(ServiceBusException.class);
        pair.clock.advance(Duration.ofSeconds(1));
        assertThat(pair.primary.monitor("orders").cause())
                .isInstanceOf(java.util.concurrent.TimeoutException.class)
                .hasMessageContaining("PT25S");
        assertThat(pair.contoso.holds("ping orders")).isZero();
        pair.clock.advance(Duration.ofSeconds(5));
        assertThat(pair.contoso.calls()).hasSize(2);
    }

    @Test
    @DisplayName("PAIR-33: a queue that would refuse a message refuses a ping: disabled, missing, full or busy")
    void isRefusedLikeAMessage() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        for (var failure : java.util.List.<java.util.function.Supplier<Throwable>>of(
                SdkErrors::disabled, SdkErrors::notFound, SdkErrors::full, SdkErrors::busy, SdkErrors::unauthorized)) {
            pair.contoso.fail(failure);
            pair.clock.advance(Duration.ofMinutes(1));
            assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
            sender.send(message("m"));
        }
        assertThat(pair.backlog()).hasSize(5);
    }

    @Test
    @DisplayName("PAIR-37: SEED keeps diverting while the primary's queue is deleted, until it is created again")
    void seedDivertsWhateverAPingFailsWith() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        pair.contoso.heal();
        pair.contoso.delete("orders");
        pair.clock.advance(Duration.ofHours(1));

        sender.send(message("m"));
        assertThat(pair.backlogTexts()).containsExactly("m");
        pair.contoso.with("orders");
        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(pair.primary.state("orders")).isEqualTo(PathState.HEALTHY);
    }

    @Test
    @DisplayName(
            "PAIR-37: LEGACY refuses sends while the primary's queue is deleted, with the cause; nothing is diverted")
    void legacyRefusesWhenAPingFailsForGood() {
        Pair pair = Pair.with(options -> options.classifier(FailureClassifier.LEGACY));
        MessageSender sender = pair.failedOver("Orders");
        pair.contoso.heal();
        pair.contoso.delete("orders");
        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(failure(sender.sendAsync(message("m"))))
                .isInstanceOfSatisfying(SendAvailabilityMessagingException.class, thrown -> {
                    assertThat(thrown.isTransient()).isFalse();
                    assertThat(thrown.path()).isEqualTo("Orders");
                    assertThat(Failures.reason(thrown.getCause()))
                            .isEqualTo(
                                    com.azure.messaging.servicebus.ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND);
                });
        assertThat(pair.backlog()).isEmpty();
        pair.contoso.with("orders");
        pair.clock.advance(Duration.ofMinutes(1));
        sender.send(message("back"));
        assertThat(Pair.texts(pair.contoso.queue("orders"))).containsExactly("back");
    }
}
