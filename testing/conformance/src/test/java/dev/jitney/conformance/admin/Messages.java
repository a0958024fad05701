package dev.jitney.conformance.admin;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.OffsetDateTime;

/** Sends messages to queues, for tests of counters. */
final class Messages {
    private Messages() {}

    /** Leaves three active messages, a scheduled one and a dead-lettered one (HTTP checklist 60). */
    static void sendScheduleAndDeadLetter(TestBroker broker, String queue) throws Exception {
        try (Sdk sdk = broker.sdk()) {
            sdk.send(queue, "dead");
            ServiceBusReceiverClient receiver = sdk.receiver(queue);
            receiver.deadLetter(Sdk.next(receiver));
            for (int i = 0; i < 3; i++) {
                sdk.send(queue, "m" + i);
            }
            sdk.sender(queue)
                    .scheduleMessage(
                            new ServiceBusMessage("later"), OffsetDateTime.now().plusDays(1));
        }
    }
}
