package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.security.SaslInit;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/** AMQP headers, frames and messages as bytes (AMQP 1.0 part 2, sections 2.2 and 2.3). */
final class Frames {
    /** The maximum frame size of the server in bytes. */
    static final int FRAME_BYTES_MAX = 65_536;

    private static final int AMQP = 0;
    private static final int SASL = 1;
    private static final int HEAD_BYTES = 8;
    /** The space in bytes for the head of a transfer with its state. */
    private static final int TRANSFER_ROOM = 200;

    private Frames() {}

    /** Returns the header {@code AMQP protocol 1 0 0}. */
    static ByteBuffer header(int protocol) {
        return ByteBuffer.wrap(new byte[] {'A', 'M', 'Q', 'P', (byte) protocol, 1, 0, 0});
    }

    static ByteBuffer saslHeader() {
        return header(3);
    }

    /** Returns a SASL init frame. */
    static ByteBuffer sasl(String mechanism, byte[] response, String host) {
        SaslInit init = new SaslInit();
        init.setMechanism(Symbol.valueOf(mechanism));
        init.setInitialResponse(ProtonBufferAllocator.defaultAllocator().copy(response));
        init.setHostname(host);
        return head(SASL, 0, encode(CodecFactory.getSaslEncoder(), init), 0);
    }

    /** Returns a frame with a performative. */
    static ByteBuffer amqp(int channel, Object performative) {
        return head(AMQP, channel, encode(performative), 0);
    }

    /** Returns a frame with any body. Its size may announce more bytes than there are. */
    static ByteBuffer raw(int channel, byte[] body, int missingBytes) {
        return head(AMQP, channel, body, missingBytes);
    }

    private static ByteBuffer head(int type, int channel, byte[] body, int followingBytes) {
        return ByteBuffer.allocate(HEAD_BYTES + body.length)
                .putInt(HEAD_BYTES + body.length + followingBytes)
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(body)
                .flip();
    }

    /**
     * Returns a delivery in as many frames as necessary. The payload is not copied.
     *
     * @param finished false if more frames follow
     */
    static List<ByteBuffer> transfers(
            long handle, int deliveryId, ByteBuffer payload, boolean finished, @Nullable DeliveryState state) {
        List<ByteBuffer> parts = new ArrayList<>();
        int room = FRAME_BYTES_MAX - TRANSFER_ROOM;
        for (int at = 0; at < payload.limit(); at += room) {
            int size = Math.min(room, payload.limit() - at);
            boolean last = at + size == payload.limit();
            Transfer transfer = new Transfer();
            transfer.setHandle(handle);
            if (at == 0) {
                transfer.setDeliveryId(deliveryId);
                transfer.setDeliveryTag(("t" + deliveryId).getBytes(StandardCharsets.US_ASCII));
                transfer.setMessageFormat(0);
                transfer.setSettled(false);
                if (state != null) {
                    transfer.setState(state);
                }
            }
            transfer.setMore(!last || !finished);
            parts.add(head(AMQP, 0, encode(transfer), size));
            parts.add(payload.duplicate().position(at).limit(at + size).slice());
        }
        return parts;
    }

    /** Returns a request to a node. */
    static byte[] request(String id, @Nullable String replyTo, Map<String, Object> properties, Object body) {
        return encode(
                new Properties().setMessageId(id).setReplyTo(replyTo),
                new ApplicationProperties(properties),
                new AmqpValue<>(body));
    }

    /** Returns the encoded values, one after the other. */
    static byte[] encode(Object... values) {
        return encode(CodecFactory.getDefaultEncoder(), values);
    }

    private static byte[] encode(Encoder encoder, Object... values) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(256);
        for (Object value : values) {
            encoder.writeObject(buffer, encoder.newEncoderState(), value);
        }
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return bytes;
    }
}
