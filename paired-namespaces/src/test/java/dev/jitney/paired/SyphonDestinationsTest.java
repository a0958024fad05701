package dev.jitney.paired;

import static dev.jitney.paired.Pair.BACKLOG;
import static dev.jitney.paired.Pair.message;
import static dev.jitney.paired.Pair.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.message.DivertedMessages;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Destinations that take no messages, or not all together: what becomes of the messages for them and for others. */
final class SyphonDestinationsTest {
    private static final String FIRST = BACKLOG + 0;

    /** With a syphon that has begun to poll. */
    private static Pair syphoning(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        Pair pair = Pair.with(all -> options.apply(all.enableSyphon(true)));
        pair.clock.seconds(1);
        return pair;
    }

    /** Puts a message into a backlog queue, as the sender of any factory does. */
    private static void park(Pair pair, String queue, String path, ServiceBusMessage message) {
        pair.fabrikam.store(queue, DivertedMessages.alter(message, path).getRawAmqpMessage());
    }

    @Test
    @DisplayName("PAIR-44: a destination that is down stops none of the others, and is served when it is back")
    void isolatesDestinations() {
        Pair pair = syphoning(options -> options.backlogQueueCount(1).syphonBatch(10));
        pair.contoso.fail("send orders", SdkErrors::communication);
        for (int i = 0; i < 50; i++) {
            park(pair, FIRST, i % 2 == 0 ? "orders" : "bills", message("m" + i));
        }
        for (int i = 0; i < 300; i++) {
            park(pair, FIRST, "orders", message("more" + i));
        }
        park(pair, FIRST, "bills", message("behind them"));
        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(texts(pair.contoso.queue("bills"))).hasSize(26).contains("behind them");
        assertThat(pair.backlog()).hasSize(325);
        pair.contoso.heal();
        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(325).doesNotHaveDuplicates();
        assertThat(pair.backlog()).isEmpty();
        assertThat(pair.fabrikam.queue(FIRST).deadLetters).isEmpty();
    }

    @Test
    @DisplayName("PAIR-44, PAIR-47: messages of a destination that is down are delivered at most once per lock, and do"
            + " not keep back those behind them")
    void backsOffPerDestination() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).backlogQueueCount(1));
        pair.contoso.fail("send orders", SdkErrors::communication);
        for (int i = 0; i < 2_000; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        park(pair, FIRST, "bills", message("behind them"));
        pair.clock.seconds(1);
        assertThat(texts(pair.contoso.queue("bills"))).containsExactly("behind them");

        pair.clock.seconds(91);

        assertThat(pair.fabrikam.queue(FIRST).messages).hasSize(2_000).allMatch(stored -> stored.deliveries <= 2);
        assertThat(pair.contoso.count("send orders"))
                .as("tries, ever more rarely")
                .isBetween(5L, 9L);

        pair.contoso.heal();
        pair.clock.advance(Duration.ofSeconds(90));
        assertThat(texts(pair.contoso.queue("orders"))).hasSize(2_000).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("PAIR-54: a message whose destination comes back within its lock costs four operations all the same")
    void deliversOnceInAShortOutage() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).backlogQueueCount(1));
        pair.contoso.fail("send orders", SdkErrors::communication);
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        List<FakeQueue.Stored> stored = List.copyOf(pair.fabrikam.queue(FIRST).messages);
        pair.clock.seconds(20);
        pair.contoso.heal();
        pair.clock.seconds(55);

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(40).doesNotHaveDuplicates();
        assertThat(stored).allMatch(message -> message.deliveries == 1);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-42: what one receive brings for a destination is sent in one batch")
    void sendsInBatches() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).backlogQueueCount(1));
        for (int i = 0; i < 100; i++) {
            park(pair, FIRST, i % 2 == 0 ? "orders" : "bills", message("m" + i));
        }
        pair.clock.seconds(1);

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(50);
        assertThat(texts(pair.contoso.queue("bills"))).hasSize(50);
        assertThat(pair.contoso.count("send orders")).isEqualTo(1);
        assertThat(pair.contoso.count("send bills")).isEqualTo(1);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-47: of a batch only the message that is at fault is dead-lettered")
    void findsTheMessageAtFault() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).backlogQueueCount(1));
        pair.contoso.queue("orders").messageBytesMax = 1_000;
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message(i == 17 ? "x".repeat(2_000) : "m" + i));
        }
        pair.clock.seconds(1);

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(39).doesNotHaveDuplicates();
        assertThat(pair.fabrikam.queue(FIRST).deadLetters).hasSize(1);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-42, PAIR-47: an entity that takes only one session id a batch gets a batch for each")
    void sendsABatchPerSession() {
        Pair pair = Pair.with(
                options -> options.enableSyphon(true).backlogQueueCount(1).syphonBatch(20));
        pair.contoso.queue("orders").oneSessionABatch = true;
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message("m" + i).setSessionId("s" + i % 4));
        }
        pair.clock.seconds(1);

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(40).doesNotHaveDuplicates();
        assertThat(pair.contoso.count("send orders")).isEqualTo(2 * 4);
        assertThat(pair.fabrikam.queue(FIRST).deadLetters).isEmpty();
    }

    @Test
    @DisplayName("PAIR-44: a destination that is down for hours is tried ever more rarely, its messages stay")
    void triesRarely() {
        Pair pair = syphoning(options -> options.backlogQueueCount(1).syphonRetryInterval(Duration.ofMinutes(2)));
        pair.clock.advance(Duration.ofMinutes(2));
        pair.contoso.fail(SdkErrors::communication);
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        pair.contoso.forgetCalls();
        pair.clock.advance(Duration.ofHours(4));

        assertThat(pair.backlog()).hasSize(40);
        // One message is sent as it is, several as a batch, for which the room is asked first.
        assertThat(pair.contoso.count("send orders") + pair.contoso.count("batch orders"))
                .isBetween(60L, 130L);
        assertThat(pair.contoso.openOutlets()).isLessThanOrEqualTo(1);
        assertThat(pair.clock.waiting()).isLessThan(10);
    }
}
