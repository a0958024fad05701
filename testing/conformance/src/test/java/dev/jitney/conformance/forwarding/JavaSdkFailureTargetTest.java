package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests with {@code transfer.failureTarget=DLQ}, which is the current behavior of the service (DLQ-32). */
class JavaSdkFailureTargetTest extends ForwardTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredWithStores("""
            {"UserConfig": {"Namespaces": [{"Name": "small", "TransferFailureTarget": "DLQ",
              "Limits": {"maxQueueSizeInMegabytes": 2}}]}}
            """, 3);

    @Override
    TestBroker broker() {
        return broker;
    }

    private void assertDead(String queue, String reason) {
        Await.until("a dead-letter message in " + queue, () -> {
            assertThat(counts(queue).deadLetter()).isEqualTo(1);
            assertThat(counts(queue).total()).isEqualTo(1);
            return true;
        });
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(queue));
        assertThat(dead.getDeadLetterReason()).isEqualTo(reason);
        assertThat(dead.getMessageId()).isEqualTo("m");
    }

    @Test
    @DisplayName("DLQ-32: a disabled destination")
    void disabled() {
        String to = broker.queue();
        String from = queueTo(to);
        broker.status(to, EntityStatus.SEND_DISABLED);
        sdk.send(from, "m");
        assertDead(from, "MessagingEntityDisabledException");
    }

    @Test
    @DisplayName("DLQ-32: a deleted destination")
    void deleted() {
        String to = broker.queue();
        String from = queueTo(to);
        broker.delete(to);
        sdk.send(from, "m");
        assertDead(from, "MessagingEntityNotFoundException");
    }

    @Test
    @DisplayName("DLQ-32, FWD-9: one hop too many")
    void hops() {
        List<String> chain = chain(6);
        sdk.send(chain.get(0), "m");
        assertDead(chain.get(4), HOPS);
    }

    @Test
    @DisplayName(
            "DLQ-32: forwarding to a full destination is retried; once there is space the messages arrive in order")
    void full() {
        String to = smallQueue();
        int taken = fill(to);
        String from = queueTo(to);
        for (String id : List.of("a", "b", "c")) {
            sdk.send(from, large(id));
        }
        broker.advance(Duration.ofMinutes(1));
        assertThat(counts(from).deadLetter() + counts(from).transferDeadLetter())
                .isZero();
        assertThat(counts(from).active() + counts(from).transfer()).isEqualTo(3);
        take(to, taken);
        Await.until("the next attempt", () -> {
            broker.advance(Duration.ofMinutes(1));
            return counts(to).active() == 3;
        });
        assertThat(take(to, 3)).containsExactly("a", "b", "c");
        empty(from);
    }

    @Test
    @DisplayName("DLQ-32, FWD-11: these dead-letter messages are forwarded like others")
    void deadLettersGoOn() {
        String graves = broker.queue();
        String to = broker.queue();
        String from = broker.queue(q -> q.forwardTo(to).forwardDeadLetteredMessagesTo(graves));
        broker.delete(to);
        sdk.send(from, "m");
        arrived(graves, 1);
        ServiceBusReceivedMessage dead = next(sdk.receiver(graves));
        assertThat(dead.getDeadLetterReason()).isEqualTo("MessagingEntityNotFoundException");
        assertThat(dead.getDeadLetterSource()).isEqualTo(from);
        empty(from);
    }
}
