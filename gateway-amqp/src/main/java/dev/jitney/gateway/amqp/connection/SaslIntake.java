package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.wire.FrameCheck;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.DecodeException;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.engine.SASLEnvelope;
import org.apache.qpid.protonj2.engine.impl.ProtonEngine;
import org.apache.qpid.protonj2.types.security.SaslInit;

/**
 * The path of a SASL init with a token into the engine. The engine of a server refuses SASL frames of more than 512 bytes
 * (AMQP 5.3.2), whatever its settings are, and tokens are longer. So this class checks and decodes a longer init itself. All other
 * bytes go the usual way. For the event loop.
 */
final class SaslIntake {
    /** The size limit of the frame: more than any token needs. */
    private static final int FRAME_BYTES_MAX = 32 * 1024;

    private static final int ENGINE_BYTES_MAX = 512;
    private static final int HEAD_SIZE = 8;
    private static final int PROTOCOL = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';
    private static final int SASL_HEAD = 0x02010000;

    private final ProtonEngine engine;
    private final Consumer<byte[]> usual;
    private byte[] held = {};
    private boolean done;

    /**
     * @param usual takes all other bytes
     * @param active whether the server accepts tokens
     */
    SaslIntake(ProtonEngine engine, Consumer<byte[]> usual, boolean active) {
        this.engine = engine;
        this.usual = usual;
        this.done = !active;
    }

    /** Returns the bytes of an incomplete frame. */
    int unfinishedBytes() {
        return held.length;
    }

    /** Takes the next bytes of the stream. The engine fails if they are invalid. */
    void take(byte[] bytes) {
        if (done) {
            usual.accept(bytes);
            return;
        }
        byte[] all = bytes;
        if (held.length > 0) {
            all = Arrays.copyOf(held, held.length + bytes.length);
            System.arraycopy(bytes, 0, all, held.length, bytes.length);
            held = new byte[0];
        }
        int at = 0;
        while (!done && all.length - at >= HEAD_SIZE) {
            ByteBuffer head = ByteBuffer.wrap(all, at, HEAD_SIZE);
            int size = head.getInt();
            if (size == PROTOCOL && at == 0) {
                at = HEAD_SIZE;
                usual.accept(Arrays.copyOf(all, HEAD_SIZE));
            } else if (head.getInt() != SASL_HEAD || size <= ENGINE_BYTES_MAX || size > FRAME_BYTES_MAX) {
                done = true; // the engine reads it, or refuses it
            } else if (all.length - at < size) {
                break;
            } else {
                done = true;
                init(all, at, size);
                at += size;
            }
        }
        byte[] rest = at == 0 ? all : Arrays.copyOfRange(all, at, all.length);
        if (!done) {
            held = rest;
        } else if (rest.length > 0 && !engine.isFailed() && !engine.isShutdown()) {
            usual.accept(rest);
        }
    }

    private void init(byte[] bytes, int at, int size) {
        try {
            if (!FrameCheck.isFine(bytes, at, size)) {
                throw new DecodeException("Expected a SASL init, but its encoding is invalid.");
            }
            ProtonBuffer body = ProtonBuffers.wrap(ByteBuffer.wrap(bytes, at + HEAD_SIZE, size - HEAD_SIZE));
            Decoder decoder = CodecFactory.getSaslDecoder();
            Object performative = decoder.readObject(body, decoder.newDecoderState());
            if (!(performative instanceof SaslInit init) || body.isReadable()) {
                throw new DecodeException("Expected a SASL init, but got another frame of more than 512 bytes.");
            }
            engine.pipeline().fireRead(new SASLEnvelope(init));
        } catch (RuntimeException | StackOverflowError invalid) {
            if (!engine.isFailed()) {
                engine.engineFailed(new DecodeException("Expected a SASL init, but it cannot be decoded."));
            }
        }
    }
}
