package dev.jitney.gateway.http.operator.message;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.FieldErrors;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that an operator sends. All of them are one command, so they are accepted together in one commit, or none is. For the event
 * loop of the exchange.
 */
public final class NewMessages implements ReplyListener {
    private static final int BODY_BYTES_MAX = 4 << 20;
    private static final int MESSAGES_MAX = 250;
    private static final String MESSAGES = "messages";
    private static final String COUNT = "count";

    private final Exchange exchange;
    private final AuditedAction action;
    private final int count;

    private NewMessages(Exchange exchange, AuditedAction action, int count) {
        this.exchange = exchange;
        this.action = action;
        this.count = count;
    }

    /**
     * Starts to send the messages in the body.
     *
     * @param grant the right to Send
     * @throws RefusedException if the entity is no queue or topic
     */
    public static void start(Exchange exchange, Grant grant, Entity entity, EntityAddress address)
            throws RefusedException {
        if (entity.kind() == EntityKind.SUBSCRIPTION || address.subQueue() != SubQueue.MAIN) {
            throw new RefusedException(
                    HttpError.badRequest("Expected a queue or a topic, to which messages are sent, but got '"
                            + ClientText.abbreviate(address.path())
                            + address.subQueue().suffix() + "'."));
        }
        AuditedAction action = new AuditedAction(
                "send messages", grant.holder(), exchange.client(), exchange.namespace(), entity.path(), "");
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> {
                    List<IncomingMessage> messages = read(
                            StrictJson.object(body.getBytes()), Math.min(entity.maxMessageSizeBytes(), BODY_BYTES_MAX));
                    entity.submit(
                            new Command.SendMessages(messages),
                            exchange.executor(),
                            new NewMessages(exchange, action, messages.size()));
                }));
    }

    /** @param bytesMax the maximum size of all messages together, so that copies of a large message do not fill the memory */
    private static List<IncomingMessage> read(Map<String, @Nullable Object> members, long bytesMax)
            throws RefusedException {
        FieldErrors errors = new FieldErrors();
        for (String member : members.keySet()) {
            if (!member.equals(MESSAGES) && !member.equals(COUNT)) {
                errors.add(member, "The request has no member of this name. Expected [messages, count].");
            }
        }
        Object given = members.get(MESSAGES);
        List<?> list = given instanceof List<?> array ? array : List.of();
        if (list.isEmpty() || list.size() > MESSAGES_MAX) {
            errors.add(MESSAGES, "Expected an array of 1 to " + MESSAGES_MAX + " objects in 'messages'.");
        }
        int copiesMax = MESSAGES_MAX / Math.max(1, list.size());
        Object count = members.getOrDefault(COUNT, 1);
        int copies = count instanceof Integer number ? number : 0;
        if (copies < 1 || copies > copiesMax) {
            errors.expected(COUNT, "a number of copies from 1 to " + copiesMax, count);
        }
        errors.refuse();
        List<MessageEdit> different = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            MessageEdit message = message(MESSAGES + "[" + i + "]", list.get(i), errors);
            if (message != null) {
                different.add(message);
            }
        }
        errors.refuse();
        List<IncomingMessage> messages = new ArrayList<>();
        long bytes = 0;
        for (MessageEdit message : different) {
            for (int copy = 0; copy < copies; copy++) {
                IncomingMessage next = message.newMessage();
                bytes += next.encodedSizeBytes();
                if (bytes > bytesMax) {
                    throw new RefusedException(new Rejection(
                            ErrorCode.MESSAGE_SIZE_EXCEEDED,
                            "The messages of one request have more than " + bytesMax
                                    + " bytes together, copies included. Send fewer messages in each request."));
                }
                messages.add(next);
            }
        }
        return messages;
    }

    /** Returns a message, or null after an error for each of its members that is wrong. */
    private static @Nullable MessageEdit message(String field, @Nullable Object value, FieldErrors errors) {
        if (!(value instanceof Map<?, ?> object)) {
            errors.expected(field, "an object with the members of a message", value);
            return null;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        object.forEach((name, member) -> members.put(String.valueOf(name), member));
        try {
            MessageEdit message = MessageEdit.of(members);
            message.newMessage();
            return message;
        } catch (RefusedException refused) {
            boolean found = false;
            for (Map.Entry<String, @Nullable Object> member : members.entrySet()) {
                Map<String, @Nullable Object> alone = new LinkedHashMap<>();
                alone.put(member.getKey(), member.getValue());
                try {
                    MessageEdit.of(alone);
                } catch (RefusedException wrong) {
                    errors.add(field + "." + member.getKey(), wrong.error().sentence());
                    found = true;
                }
            }
            if (!found) {
                errors.add(field, refused.error().sentence());
            }
            return null;
        }
    }

    @Override
    public void onReply(Reply reply) {
        Reply.Sent sent = (Reply.Sent) reply;
        JsonArray numbers = new JsonArray();
        for (long number : sent.sequenceNumbers()) {
            numbers.add(Long.toString(number));
        }
        int duplicates = sent.duplicates().size();
        Audit.done(action, count - duplicates + " messages");
        exchange.guarded(() -> JsonAnswer.send(
                exchange,
                new JsonObject()
                        .put("sent", count - duplicates)
                        .put("duplicates", duplicates)
                        .put("sequenceNumbers", numbers)
                        .toBuffer()));
    }

    @Override
    public void onRejected(Rejection rejection) {
        Audit.refused(action, rejection.description());
        exchange.reject(rejection);
    }
}
