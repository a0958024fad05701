package dev.jitney.conformance.security;

import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.testing.amqp.SasToken;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkSecurityTest extends SdkTest {

    private static Sdk with(String rule, String key) {
        return new Sdk(TestBroker.clientBuilder("Endpoint=sb://localhost:" + broker.amqpPort() + ";SharedAccessKeyName="
                + rule + ";SharedAccessKey=" + key + ";UseDevelopmentEmulator=true"));
    }

    @Test
    @DisplayName("The connection string of the server's first line works unchanged")
    void connectionString() throws Exception {
        String queue = broker.queue();
        try (Sdk plain = new Sdk(TestBroker.clientBuilder(broker.connectionString()))) {
            plain.send(queue, "m");
            assertThat(next(plain.deletingReceiver(queue)).getMessageId()).isEqualTo("m");
        }
    }

    @Test
    @DisplayName("Wire 20: a wrong key and an unknown rule are unauthorized")
    void wrongKey() throws Exception {
        String queue = broker.queue();
        try (Sdk wrong = with(TestBroker.RULE, "wrong");
                Sdk unknown = with("nobody", TestBroker.KEY)) {
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> wrong.send(queue, "m"));
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> unknown.send(queue, "m"));
        }
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("ENT-4: with a rule of the queue a client may only do what the rule allows")
    void rulesOfTheQueue() throws Exception {
        String queue = broker.queue(q -> q.accessRules(List.of(
                new AccessRule("sender", EnumSet.of(AccessRight.SEND), "send-key", null),
                new AccessRule("listener", EnumSet.of(AccessRight.LISTEN), "listen-key", null))));
        try (Sdk sender = with("sender", "send-key");
                Sdk listener = with("listener", "listen-key")) {
            sender.send(queue, "m");
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> listener.send(queue, "refused"));
            ServiceBusReceiverAsyncClient refused =
                    sender.keep(sender.builder().receiver().queueName(queue).buildAsyncClient());
            assertFails(
                    ServiceBusFailureReason.UNAUTHORIZED,
                    () -> refused.receiveMessages().blockFirst(Duration.ofSeconds(30)));
            assertThat(next(listener.deletingReceiver(queue)).getMessageId()).isEqualTo("m");
        }
    }

    @Test
    @DisplayName("A ready-made signature for one queue opens that queue only")
    void signatureOfOneQueue() throws Exception {
        String queue = broker.queue();
        String other = broker.queue();
        String token = SasToken.create(
                "sb://localhost/" + queue,
                TestBroker.RULE,
                TestBroker.KEY,
                broker.now().plusSeconds(600).getEpochSecond());
        try (Sdk signed = new Sdk(TestBroker.clientBuilder("Endpoint=sb://localhost:" + broker.amqpPort()
                + ";SharedAccessSignature=" + token + ";UseDevelopmentEmulator=true"))) {
            signed.send(queue, new ServiceBusMessage("m"));
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> signed.send(other, "refused"));
        }
    }

    @Test
    @DisplayName("ENT-4: after a key is replaced, its clients are unauthorized, and clients of the other key continue")
    void rotatedKey() throws Exception {
        String queue = broker.queue();
        AccessRule root = AccessRule.root(TestBroker.KEY);
        EnumSet<AccessRight> both = EnumSet.of(AccessRight.SEND, AccessRight.LISTEN);
        broker.accessRules(List.of(root, new AccessRule("app", both, "first-key", "second-key")));
        try (Sdk rotated = with("app", "first-key");
                Sdk stays = with("app", "second-key")) {
            rotated.send(queue, "1");
            ServiceBusReceiverAsyncClient receiver =
                    rotated.keep(rotated.builder().receiver().queueName(queue).buildAsyncClient());
            Iterator<ServiceBusReceivedMessage> messages =
                    receiver.receiveMessages().toIterable(1).iterator();
            assertThat(messages.next().getMessageId()).isEqualTo("1");
            ServiceBusReceiverClient other = stays.deletingReceiver(queue);
            stays.send(queue, "2");
            assertThat(messages.next().getMessageId()).isEqualTo("2");
            broker.accessRules(List.of(root, new AccessRule("app", both, "third-key", "second-key")));
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, messages::next);
            assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> rotated.send(queue, "refused"));
            stays.send(queue, "3");
            assertThat(next(other).getMessageId()).isEqualTo("3");
        } finally {
            broker.accessRules(List.of(root));
        }
    }
}
