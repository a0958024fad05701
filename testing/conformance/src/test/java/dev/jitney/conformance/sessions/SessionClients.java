package dev.jitney.conformance.sessions;

import static dev.jitney.conformance.support.Sdk.next;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusSessionReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.conformance.support.Sdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The common steps of session tests. */
final class SessionClients {

    private SessionClients() {}

    /** Returns a message of a session with that text as its body and its id. */
    static ServiceBusMessage message(String sessionId, String text) {
        return new ServiceBusMessage(text).setMessageId(text).setSessionId(sessionId);
    }

    static void send(Sdk sdk, String queue, String sessionId, String... texts) {
        try (ServiceBusSenderClient sender =
                sdk.builder().sender().queueName(queue).buildClient()) {
            Arrays.stream(texts).forEach(text -> sender.sendMessage(message(sessionId, text)));
        }
    }

    /** Returns a session client in peek-lock mode without automatic renewals. */
    static ServiceBusSessionReceiverClient acceptor(Sdk sdk, String queue) {
        return acceptor(sdk, queue, b -> b);
    }

    static ServiceBusSessionReceiverClient acceptor(
            Sdk sdk, String queue, UnaryOperator<ServiceBusSessionReceiverClientBuilder> options) {
        return sdk.keep(options.apply(sdk.builder()
                        .sessionReceiver()
                        .queueName(queue)
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .disableAutoComplete())
                .buildClient());
    }

    /**
     * Accepts a session. The SDK names the link after the session and finds links of a connection by their names. So
     * accepting the same session again requires another connection.
     */
    static ServiceBusReceiverClient accept(Sdk sdk, String queue, String sessionId) {
        return sdk.keep(acceptor(sdk, queue).acceptSession(sessionId));
    }

    /** Receives the next messages, all of which must arrive. */
    static List<ServiceBusReceivedMessage> take(ServiceBusReceiverClient receiver, int count) {
        List<ServiceBusReceivedMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(next(receiver));
        }
        return messages;
    }

    static List<String> texts(List<ServiceBusReceivedMessage> messages) {
        return messages.stream().map(message -> message.getBody().toString()).toList();
    }
}
