package dev.jitney.conformance.paired;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.model.EntityStatus;
import dev.jitney.paired.FailureClassifier;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import dev.jitney.runtime.MeterReading;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of syphons. */
class SyphonTest extends PairedTest {

    private MessagingFactory diverted(String queue, int count) {
        MessagingFactory factory = paired(o -> o);
        disable(queue);
        MessageSender sender = sender(factory, queue);
        for (int i = 0; i < count; i++) {
            sender.send(new ServiceBusMessage("m" + i).setMessageId("m" + i));
        }
        enable(queue);
        return factory;
    }

    /** Sends messages to the backlog, as a sender does whose primary is unavailable. */
    private void park(String... paths) {
        List<ServiceBusMessage> altered = Stream.of(paths)
                .map(path -> {
                    ServiceBusMessage message = new ServiceBusMessage("m").setMessageId("m");
                    message.getApplicationProperties().put("x-ms-path", path);
                    return message;
                })
                .toList();
        atSecondary.sender(backlogQueue(0)).sendMessages(altered);
    }

    @Test
    @DisplayName("PAIR-54, MET-1: a message that goes through the backlog costs four operations: sent to the backlog,"
            + " received from it, sent to the primary, received from that")
    void fourOperations() {
        String queue = primary.queue();
        MessagingFactory factory = diverted(queue, 1);
        awaitHealthy(factory, queue);
        MeterReading ping = primary.meter(queue);
        Syphon syphon = keep(Syphon.start(factory, options(o -> o)));
        ServiceBusReceiverClient receiver = atPrimary.receiver(queue);
        receiver.complete(next(receiver));
        Await.until(
                "the backlog to be empty",
                () -> secondary.counts(backlogQueue(0)).total() == 0);

        MeterReading away = secondary.meter(backlogQueue(0));
        MeterReading home = primary.meter(queue);
        assertThat(ping.sends()).isEqualTo(1);
        assertThat(away.sends()).isEqualTo(1);
        assertThat(away.deliveries()).isEqualTo(1);
        assertThat(home.sends()).isEqualTo(1 + ping.sends());
        assertThat(home.deliveries()).isEqualTo(1);
        assertThat(away.operations() + home.operations() - ping.operations()).isEqualTo(4);
        assertThat(away.bytesIn()).isGreaterThan(home.bytesIn() - ping.bytesIn());
        assertThat(syphon.figures().delivered()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-53: an idle syphon counts its receives; the broker's meter counts none, because a receiver"
            + " that waits on an open AMQP link sends no further requests")
    void idle() {
        secondary.queue(backlogQueue(0), q -> q);
        MessagingFactory factory = unpaired();
        Syphon syphon = keep(Syphon.start(factory, options(o -> o.syphonReadTimeout(Duration.ofSeconds(1)))));
        Await.until("three receives", () -> syphon.figures().receives() >= 3);
        assertThat(secondary.meter(backlogQueue(0)).operations()).isZero();
        assertThat(syphon.figures().delivered()).isZero();
    }

    @Test
    @DisplayName("PAIR-39, PAIR-42: two syphons at once, and each of 200 messages arrives once")
    void twoSyphons() {
        String queue = primary.queue();
        MessagingFactory factory = diverted(queue, 200);
        List<Syphon> syphons = IntStream.range(0, 2)
                .mapToObj(i -> keep(
                        Syphon.start(unpaired(), options(o -> o.syphonBatch(10).syphonPrefetch(5)))))
                .toList();
        AtomicInteger sent = new AtomicInteger(200);
        Await.until("deliveries by both syphons", () -> {
            if (syphons.stream().allMatch(syphon -> syphon.figures().delivered() > 0)) {
                return true;
            }
            // The other syphon may have received all of them before this one began.
            park(queue);
            sent.incrementAndGet();
            return false;
        });
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);
        assertThat(primary.counts(queue).active()).isEqualTo(sent.get());
        assertThat(factory.state(queue)).isNotNull();
    }

    @Test
    @DisplayName("PAIR-43: a syphon that is disconnected between send and complete leaves two copies, or one if the"
            + " primary detects duplicates")
    void cutOff() throws Exception {
        String queue = primary.queue();
        String once = primary.queue(q -> q.requiresDuplicateDetection(true));
        secondary.queue(backlogQueue(0), q -> q);
        try (Relay relay = new Relay(secondary.amqpPort())) {
            MessagingFactory through = keep(factory(
                            secondary,
                            secondary.connectionString().replace(":" + secondary.amqpPort(), ":" + relay.port()))
                    .build());
            SendAvailabilityPairedNamespaceOptions options = SendAvailabilityPairedNamespaceOptions.builder(through)
                    .backlogQueueCount(1)
                    .build();
            Syphon cut = Syphon.start(unpaired(), options);
            String first = primary.queue();
            park(first);
            Await.until("a delivery by the syphon", () -> primary.counts(first).active() == 1);
            Await.until(
                    "the syphon to wait",
                    () -> secondary.counts(backlogQueue(0)).total() == 0);
            relay.holdBack();
            park(queue, once);
            Await.until(
                    "both messages in the primary",
                    () -> primary.counts(queue).active() == 1
                            && primary.counts(once).active() == 1);
            assertThat(secondary.counts(backlogQueue(0)).total()).isEqualTo(2);
            relay.close();
            cut.close();
        }
        secondary.awaitNoReceivers(backlogQueue(0));
        keep(Syphon.start(unpaired(), options(o -> o)));
        secondary.advance(Duration.ofSeconds(61));
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);
        assertThat(primary.counts(queue).active()).isEqualTo(2);
        assertThat(primary.counts(once).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-47: SEED keeps messages of a disabled destination, LEGACY dead-letters them with the reason")
    void disabledDestination() {
        String queue = primary.queue();
        MessagingFactory factory = paired(o -> o);
        disable(queue);
        sender(factory, queue).send(new ServiceBusMessage("m"));
        try (Syphon seed = Syphon.start(factory, options(o -> o))) {
            Await.until("a message that the syphon left", () -> seed.figures().left() > 0);
            assertThat(seed.figures().deadLettered()).isZero();
        }
        secondary.awaitNoReceivers(backlogQueue(0));
        secondary.advance(Duration.ofSeconds(61));
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(1);
        keep(Syphon.start(factory, options(o -> o.classifier(FailureClassifier.LEGACY))));
        ServiceBusReceivedMessage dead = next(atSecondary.deadLetterReceiver(backlogQueue(0)));
        assertThat(dead.getDeadLetterReason()).isEqualTo("SyphonSendFailed");
        assertThat(dead.getDeadLetterErrorDescription()).contains(queue);
        primary.status(queue, EntityStatus.ACTIVE);
    }

    @Test
    @DisplayName(
            "PAIR-44, PAIR-54: messages of an unavailable destination do not block the messages behind them, and while"
                    + " they are locked they are not delivered again; if it is available within that time, each arrives once")
    void goesRound() {
        int many = 400;
        String away = primary.queue();
        String other = primary.queue();
        secondary.queue(backlogQueue(0), q -> q);
        disable(away);
        String[] paths = new String[many];
        Arrays.fill(paths, away);
        park(paths);
        park(other);
        Syphon syphon = keep(Syphon.start(unpaired(), options(o -> o)));
        Await.until("the messages behind them", () -> primary.counts(other).active() == 1);
        assertThat(syphon.figures().left()).isGreaterThanOrEqualTo(many);
        enable(away);
        Await.until(
                "the messages of the destination", () -> primary.counts(away).active() == many);
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);
        assertThat(secondary.meter(backlogQueue(0)).deliveries()).isEqualTo(many + 1);
    }

    @Test
    @DisplayName("PAIR-42: messages of many sessions return to a queue with sessions and to a partitioned one")
    void manySessions() {
        String sessions = primary.queue(q -> q.requiresSession(true));
        String partitioned = primary.queue(q -> q.requiresSession(true).enablePartitioning(true));
        secondary.queue(backlogQueue(0), q -> q);
        List<ServiceBusMessage> altered = IntStream.range(0, 100)
                .mapToObj(i -> {
                    ServiceBusMessage message = new ServiceBusMessage("m" + i);
                    message.getApplicationProperties().put("x-ms-path", i % 2 == 0 ? sessions : partitioned);
                    message.getApplicationProperties().put("x-ms-sessionid", "s" + i % 20);
                    return message;
                })
                .toList();
        atSecondary.sender(backlogQueue(0)).sendMessages(altered);
        keep(Syphon.start(unpaired(), options(o -> o)));
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);
        assertThat(primary.counts(sessions).active()).isEqualTo(50);
        assertThat(primary.counts(partitioned).active()).isEqualTo(50);
    }

    @Test
    @DisplayName("PAIR-19: without a syphon diverted messages remain in the backlog, and return when a syphon runs")
    void withoutSyphon() {
        String queue = primary.queue();
        MessagingFactory factory = diverted(queue, 1);
        awaitHealthy(factory, queue);
        assertThat(primary.counts(queue).total()).isZero();
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(1);
        keep(Syphon.start(factory, options(o -> o)));
        assertThat(next(atPrimary.receiver(queue)).getMessageId()).isEqualTo("m0");
    }
}
