package dev.jitney.testing.amqp;

import static dev.jitney.testing.amqp.Wire.uint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A link of the raw client, sender or receiver. */
public final class RawLink {
    /** The outcome states with which a receiver settles. */
    public static final Object ACCEPTED = Wire.composite(Code.ACCEPTED);

    public static final Object RELEASED = Wire.composite(Code.RELEASED);

    private final RawSession session;
    private final RawSession.Attach attach;
    private final int handle;
    private @Nullable RawFrame attachReply;
    private long deliveryCount;
    private @Nullable Object transferState;

    RawLink(RawSession session, RawSession.Attach attach, int handle) {
        this.session = session;
        this.attach = attach;
        this.handle = handle;
        session.send(attach.performative(handle));
    }

    private boolean isAttachReply(RawFrame frame) {
        return session.owns(frame)
                && frame.is(Code.ATTACH)
                && frame.field(0).text().equals(attach.name)
                && frame.field(2).bool() != attach.receiver;
    }

    /** Waits for the server's attach, whatever its contents. */
    public RawLink awaitReply() {
        attachReply = session.connection().await("attach of " + attach.name, this::isAttachReply);
        return this;
    }

    /** Returns whether the server has not answered the attach. */
    public boolean unanswered() {
        RawFrame reply = attachReply == null ? session.connection().poll(this::isAttachReply) : attachReply;
        attachReply = reply;
        return reply == null;
    }

    public static Object rejected(String condition, @Nullable String description, @Nullable Object info) {
        return Wire.composite(Code.REJECTED, Wire.composite(Code.ERROR, Wire.sym(condition), description, info));
    }

    /** Returns the outcome of an SDK's dead-letter call. */
    public static Object deadLettered(String reason, String description) {
        return rejected(
                "com.microsoft:dead-letter",
                null,
                Wire.map(
                        Wire.sym("DeadLetterReason"), reason,
                        Wire.sym("DeadLetterErrorDescription"), description));
    }

    public static Object modified(@Nullable Boolean failed, @Nullable Boolean undeliverableHere, @Nullable Object map) {
        return Wire.composite(Code.MODIFIED, failed, undeliverableHere, map);
    }

    public String name() {
        return attach.name;
    }

    public int handle() {
        return handle;
    }

    public RawSession session() {
        return session;
    }

    public RawFrame attachReply() {
        return Objects.requireNonNull(attachReply, "the attach was answered");
    }

    /** Returns the server's limit for messages on this link. */
    public long maxMessageSize() {
        return attachReply().field(10).number();
    }

    /** Returns whether a frame with a handle at {@code index} belongs to this link. */
    private boolean owns(RawFrame frame, int code, int index) {
        return session.owns(frame)
                && frame.is(code)
                && !frame.field(index).isNull()
                && frame.field(index).number() == attachReply().field(1).number();
    }

    /** Fails if the server refused the link. */
    public void expectAttached() {
        Node terminus = attachReply().field(attach.receiver ? 5 : 6);
        if (terminus.isNull()) {
            throw new AssertionError("Expected the link to be attached, but got " + awaitDetach());
        }
    }

    /** Waits for the server's flow that grants credit, and returns the credit. */
    public long awaitCredit() {
        RawFrame flow = session.connection()
                .await("credit", f -> owns(f, Code.FLOW, 4) && f.field(6).number() > 0);
        return flow.field(6).number();
    }

    /** Waits for the server's detach. */
    public RawFrame awaitDetach() {
        return session.connection().await("detach of " + attach.name, f -> owns(f, Code.DETACH, 0));
    }

    /** Waits for a detach and returns the condition of its error. */
    public String awaitDetachCondition() {
        Node error = awaitDetach().field(2);
        return error.at(0).text();
    }

    /** Returns the next flow for this link. */
    public RawFrame awaitFlow() {
        return session.connection().await("flow", f -> owns(f, Code.FLOW, 4));
    }

    /** Returns a transfer, flow or detach that has already arrived, or null. */
    public @Nullable RawFrame poll() {
        return session.connection()
                .poll(f -> owns(f, Code.TRANSFER, 0) || owns(f, Code.FLOW, 4) || owns(f, Code.DETACH, 0));
    }

    // Sending

    /** Sends an unsettled delivery in one frame and returns the delivery-id. */
    public long send(byte[] payload) {
        return send(payload, 0, false);
    }

    public long sendSettled(byte[] payload) {
        return send(payload, 0, true);
    }

    /** Sends an unsettled delivery with that message format and returns the delivery-id. */
    public long sendBatch(byte[] payload) {
        return send(payload, 0x80013700L, false);
    }

    /** Sends an unsettled delivery in a transaction and returns the delivery-id. */
    public long sendIn(byte[] transaction, byte[] payload) {
        return sendIn(transaction, payload, 0);
    }

    /** Sends an unsettled delivery with that message format in a transaction and returns the delivery-id. */
    public long sendIn(byte[] transaction, byte[] payload, long format) {
        transferState = inTransaction(transaction, null);
        try {
            return send(payload, format, false);
        } finally {
            transferState = null;
        }
    }

    /** Returns the state of work in a transaction. */
    public static Object inTransaction(byte[] transaction, @Nullable Object outcome) {
        return Wire.composite(Code.TRANSACTIONAL_STATE, transaction, outcome);
    }

    private long send(byte[] payload, long format, boolean settled) {
        long id = session.takeDeliveryId();
        int room = RawPeer.MAX_FRAME_SIZE - 256;
        int from = 0;
        do {
            int to = Math.min(payload.length, from + room);
            boolean more = to < payload.length;
            sendPart(id, from == 0, format, settled, more, Arrays.copyOfRange(payload, from, to));
            from = to;
        } while (from < payload.length);
        return id;
    }

    /** Sends one frame of a delivery. */
    public void sendPart(long id, boolean first, long format, boolean settled, boolean more, byte[] payload) {
        Object transfer = Wire.composite(
                Code.TRANSFER,
                uint(handle),
                first ? uint(id) : null,
                first ? ByteBuffer.allocate(4).putInt((int) id).array() : null,
                first ? uint(format) : null,
                settled,
                more,
                null,
                first ? transferState : null);
        session.connection().sendFrame(0, session.channel(), Wire.encode(transfer), payload);
        if (!more) {
            deliveryCount++;
        }
    }

    /** Returns the next delivery-id of the session, for {@link #sendPart}. */
    public long takeDeliveryId() {
        return session.takeDeliveryId();
    }

    /** Waits for the outcome of a delivery. */
    public Node awaitOutcome(long deliveryId) {
        return session.awaitDisposition(true, deliveryId);
    }

    /** Sends a delivery and expects it to be accepted. */
    public void sendAccepted(byte[] payload) {
        expectAccepted(send(payload));
    }

    public void expectAccepted(long deliveryId) {
        Node outcome = awaitOutcome(deliveryId);
        if (outcome.descriptorCode() != Code.ACCEPTED) {
            throw new AssertionError("Expected accepted, but got " + outcome);
        }
    }

    /** Waits for a refusal and returns its error. */
    public Node awaitRejection(long deliveryId) {
        Node outcome = awaitOutcome(deliveryId);
        if (outcome.descriptorCode() != Code.REJECTED) {
            throw new AssertionError("Expected rejected, but got " + outcome);
        }
        return outcome.at(0);
    }

    // Receiving

    /** Grants credit. */
    public void credit(int credit) {
        flow(credit, false, false);
    }

    /** Sends a flow for the link. */
    public void flow(int credit, boolean drain, boolean echo) {
        session.send(Wire.composite(
                Code.FLOW,
                uint(session.nextIncomingId()),
                uint(RawSession.WINDOW),
                uint(0),
                uint(RawSession.WINDOW),
                uint(handle),
                uint(deliveryCount),
                uint(credit),
                null,
                drain,
                echo));
    }

    /** Returns the next delivery; its credit must have been granted. */
    public RawDelivery receive() {
        return receive(session.connection().await("transfer", f -> owns(f, Code.TRANSFER, 0)));
    }

    private RawDelivery receive(RawFrame first) {
        List<RawFrame> frames = new ArrayList<>(List.of(first));
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(first.payload());
        RawFrame last = first;
        while (!last.field(5).isNull() && last.field(5).bool()) {
            last = session.connection().await("rest of a transfer", f -> owns(f, Code.TRANSFER, 0));
            frames.add(last);
            payload.writeBytes(last.payload());
        }
        deliveryCount++;
        return new RawDelivery(frames, payload.toByteArray());
    }

    /** Grants credit for one delivery and returns it. */
    public RawDelivery receiveOne() {
        credit(1);
        return receive();
    }

    /** Receives up to {@code credit} messages that are available now. */
    public List<RawDelivery> drain(int credit) {
        long expected = deliveryCount + credit;
        flow(credit, true, false);
        List<RawDelivery> deliveries = new ArrayList<>();
        while (true) {
            RawFrame frame = session.connection()
                    .await(
                            "transfer or drained flow",
                            f -> owns(f, Code.TRANSFER, 0)
                                    || (owns(f, Code.FLOW, 4)
                                            && !f.field(8).isNull()
                                            && f.field(8).bool()));
            if (frame.is(Code.TRANSFER)) {
                deliveries.add(receive(frame));
                continue;
            }
            if (frame.field(6).number() != 0 || frame.field(5).number() != expected) {
                throw new AssertionError("Expected credit 0 at delivery-count " + expected + ", but got " + frame);
            }
            deliveryCount = expected;
            return deliveries;
        }
    }

    /** Sends an outcome, waits for the server's answer, and returns its state. */
    public Node settle(RawDelivery delivery, Object outcome) {
        disposition(delivery.id(), null, false, outcome);
        return awaitSettled(delivery.id());
    }

    /** Sends an outcome; {@code last} may be null. */
    public void disposition(long first, @Nullable Long last, boolean settled, @Nullable Object outcome) {
        session.send(Wire.composite(
                Code.DISPOSITION, true, uint(first), last == null ? null : uint(last), settled, outcome, null));
    }

    /** Waits for the server's answer to an outcome. */
    public Node awaitSettled(long deliveryId) {
        return session.awaitDisposition(false, deliveryId);
    }

    /** Returns the state of every delivery of a range, whether the server answers them together or separately. */
    public List<Node> awaitSettledRange(long first, long last) {
        List<Node> states = new ArrayList<>();
        for (long id = first; id <= last; id++) {
            states.add(awaitSettled(id));
        }
        return states;
    }

    /** Detaches and waits for the answer. */
    public RawFrame detach(boolean closed) {
        session.send(Wire.composite(Code.DETACH, uint(handle), closed, null));
        return awaitDetach();
    }

    /** Waits at most the given time for the link's detach; for refusals only. */
    public RawFrame awaitDetach(Duration patience) {
        return session.connection().await("detach of " + attach.name, patience, f -> owns(f, Code.DETACH, 0));
    }
}
