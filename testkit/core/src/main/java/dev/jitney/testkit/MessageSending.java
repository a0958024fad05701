package dev.jitney.testkit;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Sends messages of the kit. */
final class MessageSending {
    private MessageSending() {}

    /** Sends a message and returns its message id. */
    static String send(
            NamespaceAccess access,
            String call,
            String entity,
            OutgoingMessage message,
            Consumer<? super OutgoingMessage> properties) {
        properties.accept(message);
        var json = message.toJson();
        access.remember(entity, json);
        access.operator(call, "POST", entity, "/messages", Map.of("messages", List.of(json)));
        return String.valueOf(json.get("messageId"));
    }
}
