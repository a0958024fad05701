package dev.jitney.conformance.websocket;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.conformance.support.OverWebSocket;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on the port that clients use by default. */
@OverWebSocket
class StandardPortTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps();

    @Test
    @DisplayName("With --https-port 443 the Java SDK needs only a connection string and the transport")
    void javaSdk() throws Exception {
        String queue = broker.queue();
        try (Sdk sdk = new Sdk(TestBroker.clientBuilder("Endpoint=sb://localhost;SharedAccessKeyName=" + TestBroker.RULE
                        + ";SharedAccessKey=" + TestBroker.KEY)
                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS))) {
            sdk.send(queue, "m");
            ServiceBusReceivedMessage message = next(sdk.deletingReceiver(queue));
            assertThat(message.getMessageId()).isEqualTo("m");
        }
    }
}
