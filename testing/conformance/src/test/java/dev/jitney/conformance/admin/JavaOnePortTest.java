package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.samples.ManageQueues;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the Java SDK with a server that has a single port, with and without TLS. */
@OrdinaryOnly("the test is about the port")
class JavaOnePortTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    @Test
    @DisplayName("ENT-1, MSG-1: administration and messages go through one port")
    void administersAndSends() {
        assertThat(broker.httpPort()).isEqualTo(broker.amqpPort());
        ServiceBusAdministrationClient admin = ManageQueues.overPlainHttp(broker.connectionString(), broker.amqpPort());
        admin.createQueue("java-one-port");
        sendAndReceive(new ServiceBusClientBuilder().connectionString(broker.connectionString()), "java-one-port");
        assertThat(admin.getQueueRuntimeProperties("java-one-port").getTotalMessageCount())
                .isZero();
    }

    @Test
    @DisplayName("WebSocket: AMQP over WebSocket goes through the same port")
    void overWebSocket() throws IOException {
        ManageQueues.overPlainHttp(broker.connectionString(), broker.amqpPort()).createQueue("java-web-socket");
        try (TestTrust trust = TestTrust.in(broker.trustStore())) {
            sendAndReceive(
                    new ServiceBusClientBuilder()
                            .connectionString(broker.connectionString().replace("UseDevelopmentEmulator=true;", ""))
                            .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                            .customEndpointAddress("https://localhost:" + broker.amqpPort()),
                    "java-web-socket");
        }
    }

    private static void sendAndReceive(ServiceBusClientBuilder builder, String queue) {
        try (ServiceBusSenderClient sender = builder.sender().queueName(queue).buildClient();
                ServiceBusReceiverClient receiver =
                        builder.receiver().queueName(queue).buildClient()) {
            sender.sendMessage(new ServiceBusMessage("over one port"));
            ServiceBusReceivedMessage message = receiver.receiveMessages(1, Duration.ofSeconds(30)).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(message.getBody()).hasToString("over one port");
            receiver.complete(message);
        }
    }
}
