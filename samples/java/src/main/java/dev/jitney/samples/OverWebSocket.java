package dev.jitney.samples;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;

/** Sends and receives through a WebSocket inside TLS, on the queue "orders". */
public final class OverWebSocket {

    private OverWebSocket() {}

    public static void main(String[] args) {
        String connectionString = System.getenv()
                .getOrDefault(
                        "SERVICEBUS_CONNECTION_STRING",
                        "Endpoint=sb://localhost;SharedAccessKeyName=RootManageSharedAccessKey;"
                                + "SharedAccessKey=SAS_KEY_VALUE");
        run(connectionString, "https://localhost:8443");
    }

    /**
     * Runs the sample against the queue "orders".
     *
     * @param address the HTTPS address of the server; the SDK's default is port 443 of the host in the connection string
     */
    public static void run(String connectionString, String address) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                .customEndpointAddress(address);
        try (ServiceBusSenderClient sender =
                        builder.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = builder.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {

            sender.sendMessage(new ServiceBusMessage("one coffee, through the firewall"));
            ServiceBusReceivedMessage coffee = receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
            System.out.println("Received: " + coffee.getBody());
            receiver.complete(coffee);
        }
    }
}
