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

/** The library's pings, as the broker treats them. */
class PingsTest extends PairedTest {
    private MessagingFactory factory;

    /** Fails a path over; until it is enabled pings are refused. */
    private void failOver(String path, Runnable disable) {
        factory = paired(o -> o);
        disable.run();
        MessageSender sender = sender(factory, path);
        sender.send(new ServiceBusMessage("diverted").setSessionId("s"));
        assertThat(factory.state(path)).isEqualTo(PathState.FAILED_OVER);
    }

    /** One ping has been paid for, and nothing else has happened. */
    private void assertOnePing(String path) {
        awaitHealthy(factory, path);
        MeterReading meter = primary.meter(path);
        assertThat(meter.sends()).as("sends").isEqualTo(1);
        assertThat(meter.operations() - meter.calls())
                .as("operations but for disabling and enabling it")
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
    @DisplayName("PAIR-32, PAIR-33: a session queue takes the ping for its random session id; no session comes of it")
    void sessionQueue() {
        String queue = primary.queue(q -> q.requiresSession(true));
        failOver(queue, () -> disable(queue));
        enable(queue);
        assertOnePing(queue);
        assertThat(atPrimary.receiver(queue).peekMessages(5).stream()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-32: a topic takes the ping, and its subscriptions get nothing")
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
    @DisplayName("PAIR-32: a queue that forwards takes the ping and does not pass it on")
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
    @DisplayName("PAIR-33, PAIR-37: a ping to a queue that is gone fails, and diversion goes on until it is there again")
    void missingQueue() {
        String queue = primary.queue();
        failOver(queue, () -> primary.delete(queue));
        sender(factory, queue).send(new ServiceBusMessage("diverted too"));
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(2);
        primary.queue(queue, q -> q);
        assertOnePing(queue);
    }
}
