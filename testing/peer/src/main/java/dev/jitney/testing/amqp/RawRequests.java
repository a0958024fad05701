package dev.jitney.testing.amqp;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request/response pair of links, for {@code $cbs} and {@code $management} (wire reference 2 and 6). */
public final class RawRequests implements AutoCloseable {
    private final RawLink sender;
    private final RawLink receiver;
    private final String replyTo;
    private int lastId;

    private RawRequests(RawLink sender, RawLink receiver, String replyTo) {
        this.sender = sender;
        this.receiver = receiver;
        this.replyTo = replyTo;
    }

    /** Opens both links in one session. */
    public static RawRequests open(RawSession session, String node) {
        return open(session, session, node);
    }

    /** Opens the links in separate sessions, as the older Java library does. */
    public static RawRequests open(RawSession forRequests, RawSession forResponses, String node) {
        String replyTo = "reply-" + UUID.randomUUID();
        RawLink receiver = forResponses.attach(new RawSession.Attach(true, "response-" + UUID.randomUUID(), node)
                .source(node)
                .target(replyTo)
                .settleModes(1, 0));
        receiver.expectAttached();
        receiver.credit(100);
        return new RawRequests(forRequests.sender(node), receiver, replyTo);
    }

    /** The client's names of the links of a pair, and the address for the answers. */
    public record Names(String sender, String receiver, String replyTo) {}

    /** Opens both links in one session, with given names and the same properties on both links, or none. */
    public static RawRequests open(RawSession session, String node, Names names, @Nullable Map<?, ?> properties) {
        RawSession.Attach response = new RawSession.Attach(true, names.receiver(), node)
                .source(node)
                .target(names.replyTo())
                .settleModes(1, 0);
        RawSession.Attach request =
                new RawSession.Attach(false, names.sender(), node).target(node).source(names.replyTo());
        if (properties != null) {
            response.properties(properties);
            request.properties(properties);
        }
        RawLink receiver = session.attach(response);
        receiver.expectAttached();
        receiver.credit(100);
        RawLink sender = session.attach(request);
        sender.expectAttached();
        sender.awaitCredit();
        return new RawRequests(sender, receiver, names.replyTo());
    }

    /** Returns the link for the answers. */
    public RawLink receiver() {
        return receiver;
    }

    public RawLink sender() {
        return sender;
    }

    public String replyTo() {
        return replyTo;
    }

    /** Sends a management request, checks the status of the answer, and returns the body of the answer. */
    public Node call(String operation, Map<?, ?> body, int status) {
        RawMessage answer = call(operation, body);
        if (answer.applicationProperty("statusCode").number() != status) {
            throw new AssertionError("Expected status " + status + " for " + operation + ", but got " + answer);
        }
        return answer.value();
    }

    /** Sends a management request and returns the answer. */
    public RawMessage call(String operation, Map<?, ?> body) {
        return send(Wire.map("operation", operation), body);
    }

    /** Sends a request with the given application properties and body. */
    public RawMessage send(Map<?, ?> applicationProperties, @Nullable Object body) {
        return send("request:" + ++lastId, replyTo, applicationProperties, body);
    }

    /** Sends a request with a given id and reply address. */
    public RawMessage send(
            Object messageId, @Nullable String replyAddress, Map<?, ?> applicationProperties, @Nullable Object body) {
        sender.expectAccepted(post(messageId, replyAddress, applicationProperties, body));
        return receiver.receive().message();
    }

    /** Sends a management request in a transaction. The outcome of the request itself must name the transaction too. */
    public RawMessage callIn(byte[] transaction, String operation, Map<?, ?> body) {
        long id = sender.sendIn(
                transaction, encode("request:" + ++lastId, replyTo, Wire.map("operation", operation), body));
        Node outcome = sender.awaitOutcome(id);
        if (outcome.descriptorCode() != Code.TRANSACTIONAL_STATE) {
            throw new AssertionError("Expected a transactional state, but got " + outcome);
        }
        return receiver.receive().message();
    }

    /** Sends a request and returns its delivery-id without waiting. */
    public long post(
            Object messageId, @Nullable String replyAddress, Map<?, ?> applicationProperties, @Nullable Object body) {
        return sender.send(encode(messageId, replyAddress, applicationProperties, body));
    }

    private static byte[] encode(
            Object messageId, @Nullable String replyAddress, Map<?, ?> applicationProperties, @Nullable Object body) {
        return Wire.encode(
                Wire.composite(Code.PROPERTIES, messageId, null, null, null, replyAddress),
                Wire.section(Code.APPLICATION_PROPERTIES, applicationProperties),
                Wire.section(Code.VALUE, body));
    }

    @Override
    public void close() {
        sender.detach(true);
        receiver.detach(true);
    }
}
