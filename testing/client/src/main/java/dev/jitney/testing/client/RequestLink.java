package dev.jitney.testing.client;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/** A request-response link to a management node, matched by message id. Thread-safe. */
public final class RequestLink {
    private static final int CREDIT = 100;

    private final ClientConnection connection;
    private final Sender sender;
    private final String replyTo;
    private final Map<String, CompletableFuture<Response>> waiting = new HashMap<>();
    private long requests;

    /**
     * A response.
     *
     * @param status a status code like in HTTP
     * @param description text of the status
     * @param body the map in the response
     */
    public record Response(int status, String description, Map<Object, Object> body) {}

    private RequestLink(ClientConnection connection, Sender sender, String replyTo) {
        this.connection = connection;
        this.sender = sender;
        this.replyTo = replyTo;
    }

    static CompletableFuture<RequestLink> open(ClientConnection connection, String node) {
        String replyTo = "reply-" + System.nanoTime();
        Sender sender = connection.session().sender(replyTo + "-s");
        Receiver receiver = connection.session().receiver(replyTo + "-r");
        RequestLink link = new RequestLink(connection, sender, replyTo);
        CompletableFuture<RequestLink> opened = new CompletableFuture<>();
        receiver.setSource(new Source().setAddress(node));
        receiver.setTarget(new Target().setAddress(replyTo));
        receiver.setSenderSettleMode(SenderSettleMode.SETTLED);
        receiver.deliveryReadHandler(delivery -> link.answered(receiver, delivery));
        receiver.openHandler(answered -> receiver.addCredit(CREDIT));
        receiver.closeHandler(over -> opened.completeExceptionally(
                ClientConnection.error(over.getRemoteCondition(), "The broker closed the link from " + node + ".")));
        sender.setSource(new Source().setAddress(replyTo));
        sender.setTarget(new Target().setAddress(node));
        sender.setSenderSettleMode(SenderSettleMode.SETTLED);
        sender.creditStateUpdateHandler(credited -> opened.complete(link));
        sender.closeHandler(over -> opened.completeExceptionally(
                ClientConnection.error(over.getRemoteCondition(), "The broker closed the link to " + node + ".")));
        receiver.open();
        sender.open();
        connection.closed().thenAccept(reason -> link.lost(reason));
        return opened;
    }

    /** Sends a request. Completes with the response, whatever its status. */
    public CompletableFuture<Response> request(String operation, Map<String, Object> body) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        connection.closed().thenAccept(answer::completeExceptionally);
        connection.execute(() -> {
            if (!sender.isSendable()) {
                answer.completeExceptionally(
                        new AmqpException(null, "Expected credit for a request, but there is none.", null));
                return;
            }
            String id = "request-" + ++requests;
            waiting.put(id, answer);
            Map<String, Object> properties = new LinkedHashMap<>();
            properties.put("operation", operation);
            ProtonBuffer request = Messages.encodeRequest(id, replyTo, properties, body);
            sender.next()
                    .setTag(Long.toString(requests).getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                    .settle()
                    .writeBytes(request);
        });
        return answer;
    }

    private void answered(Receiver receiver, IncomingDelivery delivery) {
        if (delivery.isPartial()) {
            return;
        }
        ReceivedMessage message = Messages.decode(delivery.readAll());
        delivery.disposition(Accepted.getInstance(), true);
        receiver.addCredit(1);
        CompletableFuture<Response> answer = waiting.remove(String.valueOf(message.correlationId()));
        if (answer != null) {
            Object status = message.applicationProperties().get("statusCode");
            Map<Object, Object> body = new LinkedHashMap<>();
            if (message.value() instanceof Map<?, ?> map) {
                body.putAll(map);
            }
            answer.complete(new Response(
                    status instanceof Number number ? number.intValue() : 0,
                    String.valueOf(message.applicationProperties().get("statusDescription")),
                    body));
        }
    }

    private void lost(AmqpException reason) {
        connection.execute(() -> {
            waiting.values().forEach(answer -> answer.completeExceptionally(reason));
            waiting.clear();
        });
    }
}
