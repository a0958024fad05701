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

/** Destinations that refuse messages or batches: the effect on their messages and on those of others. */
final class SyphonDestinationsTest {
    private static final String FIRST = BACKLOG + 0;

    /** Creates a pair with a syphon that has started to poll. */
    private static Pair syphoning(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        Pair pair = Pair.with(all -> options.apply(all.enableSyphon(true)));
        pair.clock.seconds(1);
        return pair;
    }

    /** Puts a message into a backlog queue like the sender of any factory. */
    private static void park(Pair pair, String queue, String path, ServiceBusMessage message) {
        pair.fabrikam.store(queue, DivertedMessages.alter(message, path).getRawAmqpMessage());
    }

    @Test
    @DisplayName("PAIR-44: an unavailable destination does not stop the others, and gets its messages when it is"
            + " available again")
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
    @DisplayName("PAIR-44, PAIR-47: messages of an unavailable destination are delivered at most once per lock, and do"
            + " not block those behind them")
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
                .as("attempts with growing pauses")
                .isBetween(5L, 9L);

        pair.contoso.heal();
        pair.clock.advance(Duration.ofSeconds(90));
        assertThat(texts(pair.contoso.queue("orders"))).hasSize(2_000).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("PAIR-54: a message whose destination is available again within its lock still costs four operations")
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
    @DisplayName("PAIR-42: the messages of one receive for a destination are sent in one batch")
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
    @DisplayName("PAIR-47: only the faulty message of a batch is dead-lettered")
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
    @DisplayName("PAIR-42, PAIR-47: an entity that accepts only one session id per batch gets a batch for each")
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
    @DisplayName("PAIR-44: a destination that is unavailable for hours is tried with growing pauses, and its"
            + " messages stay")
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
        // One message is sent directly, several as a batch, whose creation reads the size first.
        assertThat(pair.contoso.count("send orders") + pair.contoso.count("batch orders"))
                .isBetween(60L, 130L);
        assertThat(pair.contoso.openOutlets()).isLessThanOrEqualTo(1);
        assertThat(pair.clock.waiting()).isLessThan(10);
    }
}
