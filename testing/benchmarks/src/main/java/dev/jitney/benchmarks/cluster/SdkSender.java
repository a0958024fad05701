package dev.jitney.benchmarks.cluster;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.testing.client.Endpoint;

/** A waiting sender of the official Java SDK with its default options, which repeats failed sends itself (CL-23). */
final class SdkSender extends WaitingSender {
    private final ServiceBusSenderClient sender;
    private long number;

    SdkSender(Endpoint endpoint, String queue) {
        super("sdk-sender");
        sender = new ServiceBusClientBuilder()
                .connectionString("Endpoint=sb://" + endpoint.host() + ":" + endpoint.port() + ";SharedAccessKeyName="
                        + endpoint.ruleName() + ";SharedAccessKey=" + endpoint.key() + ";UseDevelopmentEmulator=true")
                .sender()
                .queueName(queue)
                .buildClient();
    }

    @Override
    void send() {
        sender.sendMessage(new ServiceBusMessage("sdk " + number++));
    }

    @Override
    void recover() {
        // The SDK recovers by itself.
    }

    @Override
    public void close() throws InterruptedException {
        super.close();
        sender.close();
    }
}
