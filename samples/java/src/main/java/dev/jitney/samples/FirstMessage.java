package dev.jitney.samples;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.time.OffsetDateTime;

/** Sends, receives, defers, dead-letters, schedules and peeks, on the queue "orders". */
public final class FirstMessage {

    private FirstMessage() {}

    public static void main(String[] args) {
        String connectionString = System.getenv()
                .getOrDefault(
                        "SERVICEBUS_CONNECTION_STRING",
                        "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey;"
                                + "SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;");
        run(connectionString);
    }

    /** Runs the sample against the queue "orders". */
    public static void run(String connectionString) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(connectionString);
        try (ServiceBusSenderClient sender =
                        builder.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = builder.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient();
                ServiceBusReceiverClient deadLetters = builder.receiver()
                        .queueName("orders")
                        .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                        .disableAutoComplete()
                        .buildClient()) {

            // Send and receive. The message is locked for us until we complete it.
            sender.sendMessage(new ServiceBusMessage("one coffee"));
            ServiceBusReceivedMessage coffee = receive(receiver);
            System.out.println("Received: " + coffee.getBody());
            receiver.complete(coffee);

            // Defer a message, and receive it by its sequence number.
            sender.sendMessage(new ServiceBusMessage("one cake, when it is baked"));
            ServiceBusReceivedMessage cake = receive(receiver);
            receiver.defer(cake);
            ServiceBusReceivedMessage baked = receiver.receiveDeferredMessage(cake.getSequenceNumber());
            System.out.println("Deferred: " + baked.getBody());
            receiver.complete(baked);

            // Dead-letter a message that cannot be processed, with a reason, and receive it from the dead-letter queue.
            sender.sendMessage(new ServiceBusMessage("one unicorn"));
            receiver.deadLetter(receive(receiver), new DeadLetterOptions().setDeadLetterReason("not on the menu"));
            ServiceBusReceivedMessage unicorn = receive(deadLetters);
            System.out.println("Dead-lettered: " + unicorn.getBody() + ", " + unicorn.getDeadLetterReason());
            deadLetters.complete(unicorn);

            // Schedule a message, and peek at it without receiving it.
            sender.scheduleMessage(
                    new ServiceBusMessage("one tea"), OffsetDateTime.now().plusSeconds(2));
            ServiceBusReceivedMessage waiting = receiver.peekMessage();
            System.out.println("Peeked: " + waiting.getBody() + ", " + waiting.getState());
            ServiceBusReceivedMessage tea = receive(receiver);
            System.out.println("Scheduled: " + tea.getBody());
            receiver.complete(tea);
        }
    }

    private static ServiceBusReceivedMessage receive(ServiceBusReceiverClient receiver) {
        return receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                .findFirst()
                .orElseThrow();
    }
}
