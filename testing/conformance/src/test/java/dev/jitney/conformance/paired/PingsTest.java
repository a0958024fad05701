package dev.jitney.conformance.paired;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.model.EntityStatus;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.runtime.MeterReading;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the broker's treatment of pings. */
class PingsTest extends PairedTest {
    private MessagingFactory factory;

    /** Fails over a path. Its pings are rejected until it is enabled. */
    private void failOver(String path, Runnable disable) {
        factory = paired(o -> o);
        disable.run();
        MessageSender sender = sender(factory, path);
        sender.send(new ServiceBusMessage("diverted").setSessionId("s"));
        assertThat(factory.state(path)).isEqualTo(PathState.FAILED_OVER);
    }

    /** Checks that one ping was metered and nothing else. */
    private void assertOnePing(String path) {
        awaitHealthy(factory, path);
        MeterReading meter = primary.meter(path);
        assertThat(meter.sends()).as("sends").isEqualTo(1);
        assertThat(meter.operations() - meter.calls())
                .as("operations without disabling and enabling it")
                .isEqualTo(1);
        assertThat(meter.bytesIn()).as("bytes").isBetween(40L, 400L);
        assertThat(meter.bytesOut()).isZero();
        assertThat(primary.counts(path).total()).isZero();
    }

    private static void assertNothingComes(ServiceBusReceiverClient receiver) {
        assertThat(receiver.peekMessages(5).stream()).isEmpty();
        assertThat(Sdk.none(receiver)).isEmpty();
    }

    @Test
    @DisplayName("PAIR-32, PAIR-33, PAIR-35, PAIR-36, MET-3: a disabled queue refuses pings, for free; the first one"
            + " afterwards is metered as one send with its bytes, is never received or peeked, and ends the pings")
    void queue() {
        String queue = primary.queue();
        failOver(queue, () -> disable(queue));
        long begin = System.nanoTime();
        Await.until("a ping", () -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(1_500));
        assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
        assertThat(primary.meter(queue).sends()).isZero();
        enable(queue);
        assertOnePing(queue);
        assertNothingComes(atPrimary.receiver(queue));
        primary.advance(Duration.ofMinutes(5));
        assertThat(primary.meter(queue).sends()).isEqualTo(1);
        assertThat(atPrimary.deadLetterReceiver(queue).peekMessages(5).stream()).isEmpty();
    }

    @Test
    @DisplayName(
            "PAIR-32, PAIR-33: a session queue accepts the ping because of its random session id; the ping creates no session")
    void sessionQueue() {
        String queue = primary.queue(q -> q.requiresSession(true));
        failOver(queue, () -> disable(queue));
        enable(queue);
        assertOnePing(queue);
        assertThat(atPrimary.receiver(queue).peekMessages(5).stream()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-32: a topic accepts the ping, and its subscriptions get nothing")
    void topic() {
        String topic = primary.topics().create();
        Subscription subscription = primary.topics().subscribe(topic);
        failOver(topic, () -> primary.topics().update(topic, t -> t.status(EntityStatus.DISABLED)));
        primary.topics().update(topic, t -> t.status(EntityStatus.ACTIVE));
        assertOnePing(topic);
        assertNothingComes(atPrimary.receiver(subscription));
        assertThat(primary.meter(subscription.path()).sends()).isZero();
    }

    @Test
    @DisplayName("PAIR-32: a queue that forwards accepts the ping and does not forward it")
    void forwardingQueue() {
        String destination = primary.queue();
        String queue = primary.queue(q -> q.forwardTo(destination));
        failOver(queue, () -> disable(queue));
        enable(queue);
        assertOnePing(queue);
        assertNothingComes(atPrimary.receiver(destination));
        assertThat(primary.meter(destination).sends()).isZero();
    }

    @Test
    @DisplayName(
            "PAIR-33, PAIR-37: a ping to a deleted queue fails, and diversion continues until the queue exists again")
    void missingQueue() {
        String queue = primary.queue();
        failOver(queue, () -> primary.delete(queue));
        sender(factory, queue).send(new ServiceBusMessage("diverted too"));
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(2);
        primary.queue(queue, q -> q);
        assertOnePing(queue);
    }
}
