package dev.jitney.conformance.http;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.SdkTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Java SDK, as the operator API describes it")
class ConnectedClientsTest extends SdkTest {

    @Test
    @DisplayName("a receiver is listed with its product and version, its link, and the lock that it holds")
    void receiver() {
        String queue = broker.queue();
        sdk.send(queue, new ServiceBusMessage("order 1"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        next(receiver);

        HttpResponse<String> clients = new HttpCalls(broker).look(queue + "/clients");

        assertThat(clients.statusCode()).as(clients.body()).isEqualTo(200);
        assertThat(clients.body())
                .containsPattern("\"product\":\"azure-messaging-servicebus\"")
                .containsPattern("\"version\":\"7\\.\\d+\\.\\d+\"")
                .contains("\"direction\":\"receive\"", "\"mode\":\"peekLock\"", "\"locksHeld\":1")
                .containsPattern("\"address\":\"[^\"]+:\\d+\"");
        assertThat(new HttpCalls(broker)
                        .look(queue + "%2F$DeadLetterQueue/clients")
                        .body())
                .contains("\"clients\":[]");
    }
}
