package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.wire.AcceptedDisposition;
import dev.jitney.gateway.amqp.wire.FrameCheck;
import dev.jitney.gateway.amqp.wire.InboundGuard;
import dev.jitney.gateway.amqp.wire.IncomingTransfer;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.codec.DecodeException;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;
import org.apache.qpid.protonj2.engine.impl.ProtonEngine;

/**
 * The path of bytes into the engine. It checks them, and reads most transfers and outcomes directly from the bytes,
 * without the engine. For the event loop.
 */
final class FrameIntake {
    private static final int FRAME_HEAD_SIZE = 8;

    private final ProtonEngine engine;
    private final InboundGuard guard;
    private final FrameCheck check;
    private final AcceptedDisposition disposition = new AcceptedDisposition();
    private final IncomingTransfer transfer = new IncomingTransfer();
    private int frameBytes;

    FrameIntake(ProtonEngine engine, InboundGuard guard, int frameBytesMax) {
        this.engine = engine;
        this.guard = guard;
        this.check = new FrameCheck(frameBytesMax);
    }

    /**
     * Takes the next bytes of the stream. The engine fails if they are invalid. The caller must not change them
     * afterwards.
     */
    void take(byte[] bytes) {
        int fine = check.check(bytes);
        try {
            takeFine(bytes, fine);
            if (fine < bytes.length && !engine.isFailed()) {
                engine.engineFailed(new DecodeException("Expected a frame, but its encoding is invalid."));
            }
        } catch (RuntimeException | StackOverflowError e) {
            // The engine has already failed and reported the error, except for a value that is nested too deeply: the
            // engine does not catch that.
            if (!engine.isFailed()) {
                engine.engineFailed(new ProtocolViolationException("Expected a frame, but it cannot be decoded."));
            }
        }
    }

    /** Returns the bytes of an incomplete frame, including its copies. */
    int unfinishedBytes() {
        return 2 * check.begunBytes();
    }

    /** Returns the size of the frame that the engine is reading, if its fields are kept. */
    int frameBytes() {
        return frameBytes;
    }

    private void takeFine(byte[] bytes, int to) {
        int from = 0;
        int at = Math.min(to, check.firstFrameAt());
        if (at > 0) {
            feedFrame(bytes, 0, at, check.completedSize());
            from = at;
        }
        while (to - at >= FRAME_HEAD_SIZE) {
            int size = check.sizeAt(bytes, at);
            if (size < FRAME_HEAD_SIZE || size > to - at) {
                break; // the frame is incomplete
            }
            boolean taken = guard.takesDeliveries();
            boolean isTransfer = taken && transfer.read(bytes, at, size);
            if (isTransfer || (taken && disposition.read(bytes, at, size))) {
                feed(bytes, from, at);
                from = at;
                if (guard.takesDeliveries()
                        && (isTransfer ? guard.transferred(transfer) : guard.accepted(disposition))) {
                    from += size;
                }
            } else if (size > ConnectionMemory.USUAL_FRAME_BYTES) {
                feed(bytes, from, at);
                feedFrame(bytes, at, at + size, size);
                from = at + size;
            }
            at += size;
        }
        feed(bytes, from, to);
    }

    private void feedFrame(byte[] bytes, int from, int to, int size) {
        frameBytes = size;
        feed(bytes, from, to);
        frameBytes = 0;
    }

    private void feed(byte[] bytes, int from, int to) {
        if (from < to && !engine.isShutdown()) { // a frame that was read may have ended the connection
            engine.ingest(
                    ProtonBuffers.wrap(ByteBuffer.wrap(bytes, from, to - from)).convertToReadOnly());
        }
    }
}
