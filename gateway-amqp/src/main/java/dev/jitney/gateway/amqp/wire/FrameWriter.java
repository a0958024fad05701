package dev.jitney.gateway.amqp.wire;

import java.util.Objects;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.codec.EncoderState;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.HeaderEnvelope;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.engine.SASLEnvelope;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Close;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.End;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Performative;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * The output of the engine, in place of protonj2's own frame encoder. It writes lists of full length and frames no
 * larger than the peer's maximum, and merges consecutive dispositions of one kind into a range.
 *
 * <p>The frame buffer is reused; a {@link ByteSink} copies the bytes that it keeps.
 */
public final class FrameWriter implements EngineHandler {

    /** The receiver of finished frames, in order. */
    public interface ByteSink {
        void write(ProtonBuffer frame);

        /** Writes bytes that continue the previous frame. */
        void write(byte[] payload, int from, int count);

        /** Returns whether the peer reads bytes fast enough for more of a delivery. */
        default boolean isWritable() {
            return true;
        }
    }

    private static final int FRAME_HEADER_BYTES = 8;
    private static final int SMALLEST_MAX_FRAME_SIZE = 512;
    private static final int SASL_TYPE_AND_OFFSET = 0x02010000;
    private static final int AMQP_TYPE_AND_OFFSET = 0x02000000;
    /** The bytes that a frame with an error needs in addition to its description. */
    private static final int ERROR_OVERHEAD_BYTES = 160;

    private final WireTable table;
    private final ByteSink sink;
    private final long idleTimeoutMs;
    private final PerformativeWriter writer = new PerformativeWriter();
    private final Encoder saslEncoder = CodecFactory.getSaslEncoder();
    private final EncoderState saslState = saslEncoder.newEncoderState();
    private final ProtonBuffer frame = ProtonBufferAllocator.defaultAllocator().outputBuffer(1024);
    private int maxFrameSize = SMALLEST_MAX_FRAME_SIZE;

    private boolean pending;
    private int pendingChannel;
    private Role pendingRole = Role.RECEIVER;
    private int pendingFirst;
    private int pendingLast;
    private @Nullable DeliveryState pendingState;

    /**
     * @param idleTimeoutMs idle timeout that the open announces; 0 for none
     */
    public FrameWriter(WireTable table, long idleTimeoutMs, ByteSink sink) {
        this.table = table;
        this.idleTimeoutMs = idleTimeoutMs;
        this.sink = sink;
    }

    /** Sets the largest frame that both sides accept, known once the peer's open has arrived. */
    public void maxFrameSize(long bytes) {
        maxFrameSize = (int) Math.max(SMALLEST_MAX_FRAME_SIZE, Math.min(bytes, Integer.MAX_VALUE));
        writer.descriptionBytesMax(maxFrameSize - ERROR_OVERHEAD_BYTES);
    }

    /**
     * Writes as many transfers of a delivery as the peer's window and socket accept. They bypass the engine, which
     * would create objects for every delivery only to drop them.
     */
    public void deliver(LinkWire link, PendingDelivery delivery) {
        SessionWire session = link.session();
        link.touch();
        flush();
        while (!delivery.isWritten() && session.maySend() && (!delivery.begun() || sink.isWritable())) {
            boolean first = !delivery.begun();
            if (first) {
                delivery.begin(session.takeDeliveryId());
            }
            start();
            writer.transfer(frame, link.localHandle(), delivery, first, false);
            int room = maxFrameSize - frame.getReadableBytes();
            if (delivery.remaining() > room) {
                start();
                writer.transfer(frame, link.localHandle(), delivery, first, true);
            }
            int size = Math.min(room, delivery.remaining());
            session.transferWritten();
            finish(session.localChannel(), size);
            delivery.writeTo(sink, size);
        }
    }

    /** Writes a settling disposition for one delivery; it may leave as part of a range at {@link #flush}. */
    public void settle(SessionWire session, Role role, int deliveryId, @Nullable DeliveryState outcome) {
        if (session.ended() || session.localChannel() < 0) {
            return;
        }
        if (pending
                && pendingChannel == session.localChannel()
                && pendingRole == role
                && deliveryId == pendingLast + 1
                && Objects.equals(pendingState, outcome)) {
            pendingLast = deliveryId;
            return;
        }
        flush();
        pending = true;
        pendingChannel = session.localChannel();
        pendingRole = role;
        pendingFirst = deliveryId;
        pendingLast = deliveryId;
        pendingState = outcome;
    }

    /** Writes a disposition that leaves one delivery unsettled, at once. */
    public void answer(SessionWire session, Role role, int deliveryId, DeliveryState state) {
        if (session.ended() || session.localChannel() < 0) {
            return;
        }
        flush();
        start();
        writer.disposition(frame, role, deliveryId, deliveryId, false, state);
        finish(session.localChannel());
    }

    /**
     * Writes a flow for one of our links, with the credit state of the caller, which is more exact than the engine's.
     */
    public void flow(LinkWire link, int deliveryCount, int credit, boolean drain) {
        if (!link.writable()) {
            return;
        }
        flush();
        Flow flow = new Flow();
        flow.setHandle(link.localHandle());
        flow.setDeliveryCount(deliveryCount);
        flow.setLinkCredit(credit);
        flow.setDrain(drain);
        start();
        writer.flow(frame, flow, link.session());
        finish(link.session().localChannel());
    }

    /** Writes an empty frame, so that the peer does not close the connection as idle. */
    public void heartbeat() {
        flush();
        start();
        finish(0);
    }

    /** Writes the disposition that waits for a longer range. */
    public void flush() {
        if (pending) {
            pending = false;
            start();
            writer.disposition(frame, pendingRole, pendingFirst, pendingLast, true, pendingState);
            pendingState = null;
            finish(pendingChannel);
        }
    }

    @Override
    public void handleWrite(EngineHandlerContext context, HeaderEnvelope envelope) {
        sink.write(envelope.getBody().getBuffer());
    }

    @Override
    public void handleWrite(EngineHandlerContext context, SASLEnvelope envelope) {
        start();
        try {
            saslEncoder.writeObject(frame, saslState, envelope.getBody());
        } finally {
            saslState.reset();
        }
        frame.setInt(0, frame.getReadableBytes());
        frame.setInt(4, SASL_TYPE_AND_OFFSET);
        sink.write(frame);
    }

    @Override
    public void handleWrite(EngineHandlerContext context, OutgoingAMQPEnvelope envelope) {
        Performative body = envelope.getBody();
        int channel = envelope.getChannel();
        flush();
        start();
        performative(body, channel);
        finish(channel);
        written(body, channel);
        envelope.handleOutgoingFrameWriteComplete();
    }

    private void performative(Performative body, int channel) {
        if (body instanceof Flow flow) {
            SessionWire session = table.local(channel);
            if (session == null) {
                throw new IllegalStateException("Expected a session on channel " + channel + ".");
            }
            writer.flow(frame, flow, session);
        } else if (body instanceof Attach attach) {
            LinkWire link = table.link(attach.getName());
            writer.attach(frame, attach, link == null ? attach.getName() : link.name());
        } else if (body instanceof Detach detach) {
            writer.detach(frame, detach);
        } else if (body instanceof Begin begin) {
            writer.begin(frame, begin);
        } else if (body instanceof End end) {
            writer.end(frame, end);
        } else if (body instanceof Open open) {
            writer.open(frame, open, idleTimeoutMs);
        } else if (body instanceof Close close) {
            writer.close(frame, close);
        } else {
            throw new IllegalStateException("Expected a performative, but got " + body.getClass() + ".");
        }
    }

    private void written(Performative body, int channel) {
        if (body instanceof Begin begin) {
            table.answerBegin(begin.getRemoteChannel(), channel);
        } else if (body instanceof Attach attach) {
            LinkWire link = table.link(attach.getName());
            if (link != null) {
                link.localHandle(attach.getHandle());
            }
        } else if (body instanceof Detach detach) {
            SessionWire session = table.local(channel);
            if (session != null) {
                for (LinkWire link : session.links()) {
                    if (link.localHandle() == detach.getHandle()) {
                        link.detachSent();
                    }
                }
            }
        } else if (body instanceof End) {
            table.endLocal(channel);
        }
    }

    private void start() {
        frame.setReadOffset(0);
        frame.setWriteOffset(0);
        frame.ensureWritable(FRAME_HEADER_BYTES);
        frame.setWriteOffset(FRAME_HEADER_BYTES);
    }

    private void finish(int channel) {
        finish(channel, 0);
    }

    private void finish(int channel, int payloadSize) {
        int size = frame.getReadableBytes() + payloadSize;
        if (size > maxFrameSize) {
            throw new FrameTooLargeException(size, maxFrameSize);
        }
        frame.setInt(0, size);
        frame.setInt(4, AMQP_TYPE_AND_OFFSET | channel);
        sink.write(frame);
    }
}
