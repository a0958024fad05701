package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.testing.amqp.RawConnection;
import dev.jitney.testing.amqp.RawFrame;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.security.SaslInit;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.apache.qpid.protonj2.types.transport.Transfer;

/** A client for raw frames: it sends the given frames and returns every received frame with its raw fields. */
final class RawPeer implements AutoCloseable {
    private Map<Symbol, Object> properties;

    static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};

    /** One received frame. */
    record Frame(int sizeBytes, int type, int channel, Described performative, byte[] payload) {
        long code() {
            return performative == null ? -1 : performative.code();
        }

        Object field(int index) {
            return performative.fields().get(index);
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final Encoder encoder = CodecFactory.getEncoder();
    private final Encoder saslEncoder = CodecFactory.getSaslEncoder();

    RawPeer(int port) throws IOException {
        this(new Socket("127.0.0.1", port));
    }

    RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(30_000);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    byte[] header() throws IOException {
        byte[] header = new byte[8];
        in.readFully(header);
        return header;
    }

    boolean atEnd() throws IOException {
        return in.read() < 0;
    }

    void timeout(int ms) throws IOException {
        socket.setSoTimeout(ms);
    }

    Frame frame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        ByteBuffer.wrap(frame).putInt(frame.length);
        in.readFully(frame, Integer.BYTES, frame.length - Integer.BYTES);
        RawFrame raw = RawFrame.parse(frame);
        Described performative = raw.isEmpty() ? null : (Described) AmqpValues.of(raw.performative());
        return new Frame(raw.sizeOctets(), raw.type(), raw.channel(), performative, raw.payload());
    }

    /** Returns the next frame of that code; skips others. */
    Frame next(int code) throws IOException {
        while (true) {
            Frame frame = frame();
            if (frame.code() == code) {
                return frame;
            }
        }
    }

    boolean closedAfter(List<Frame> frames) throws IOException {
        try {
            while (true) {
                frames.add(frame());
            }
        } catch (EOFException end) {
            return true;
        }
    }

    void send(int channel, Object performative) throws IOException {
        send(channel, performative, new byte[0]);
    }

    void send(int channel, Object performative, byte[] payload) throws IOException {
        raw(framed(channel, performative, payload));
    }

    /** Encodes a frame from any parts. */
    byte[] framed(int channel, Object performative, byte[] payload) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(128);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        return frame(0, channel, buffer, payload);
    }

    void sasl(Object performative) throws IOException {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(128);
        saslEncoder.writeObject(buffer, saslEncoder.newEncoderState(), performative);
        raw(frame(1, 0, buffer, new byte[0]));
    }

    private static byte[] frame(int type, int channel, ProtonBuffer body, byte[] payload) {
        return RawConnection.frame(type, channel, octets(body), payload);
    }

    private static byte[] octets(ProtonBuffer buffer) {
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return bytes;
    }

    /** Sends frames in one piece. */
    void together(int channel, List<?> performatives) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (Object performative : performatives) {
            frames.write(framed(channel, performative, new byte[0]));
        }
        raw(frames.toByteArray());
    }

    // Steps that most tests need.

    RawPeer anonymous() throws IOException {
        return sasl("ANONYMOUS", null);
    }

    RawPeer sasl(String mechanism, byte[] response) throws IOException {
        raw(SASL);
        header();
        frame();
        SaslInit init = new SaslInit().setMechanism(Symbol.valueOf(mechanism));
        if (response != null) {
            init.setInitialResponse(new org.apache.qpid.protonj2.types.Binary(response));
        }
        sasl(init);
        return this;
    }

    RawPeer plain(String rule, String key) throws IOException {
        sasl("PLAIN", ("\0" + rule + "\0" + key).getBytes());
        frame();
        return open("first.example");
    }

    RawPeer open(String hostname) throws IOException {
        return open(hostname, 65_536);
    }

    /** Sets the properties of the open, such as the product of an SDK. */
    RawPeer properties(Map<Symbol, Object> value) {
        properties = value;
        return this;
    }

    RawPeer open(String hostname, int maxFrameSize) throws IOException {
        raw(AMQP);
        header();
        Open open =
                new Open().setContainerId("test").setMaxFrameSize(maxFrameSize).setChannelMax(100);
        if (hostname != null) {
            open.setHostname(hostname);
        }
        open.setProperties(properties);
        send(0, open);
        next(0x10);
        return this;
    }

    Frame begin(int channel) throws IOException {
        return begin(channel, 5_000);
    }

    Frame begin(int channel, int window) throws IOException {
        send(
                channel,
                new Begin()
                        .setNextOutgoingId(1)
                        .setIncomingWindow(window)
                        .setOutgoingWindow(5_000)
                        .setHandleMax(255));
        return next(0x11);
    }

    static Attach sender(String name, long handle, String target) {
        return new Attach()
                .setName(name)
                .setHandle(handle)
                .setRole(Role.SENDER)
                .setSource(new Source())
                .setTarget(new Target().setAddress(target))
                .setInitialDeliveryCount(0);
    }

    static Attach receiver(String name, long handle, String source) {
        return new Attach()
                .setName(name)
                .setHandle(handle)
                .setRole(Role.RECEIVER)
                .setSource(new Source().setAddress(source))
                .setTarget(new Target())
                .setSenderSettleMode(SenderSettleMode.UNSETTLED)
                .setReceiverSettleMode(ReceiverSettleMode.SECOND);
    }

    void flow(int channel, long handle, int deliveryCount, int credit, boolean drain, boolean echo) throws IOException {
        send(
                channel,
                new Flow()
                        .setNextIncomingId(0)
                        .setIncomingWindow(5_000)
                        .setNextOutgoingId(1)
                        .setOutgoingWindow(5_000)
                        .setHandle(handle)
                        .setDeliveryCount(deliveryCount)
                        .setLinkCredit(credit)
                        .setDrain(drain)
                        .setEcho(echo));
    }

    void message(int channel, long handle, int deliveryId, byte[] payload) throws IOException {
        send(channel, transfer(handle, deliveryId), payload);
    }

    static Transfer transfer(long handle, int deliveryId) {
        return new Transfer()
                .setHandle(handle)
                .setDeliveryId(deliveryId)
                .setDeliveryTag(new byte[] {(byte) deliveryId})
                .setMessageFormat(0);
    }

    void settle(int channel, int first, int last, boolean settled, DeliveryState state) throws IOException {
        send(channel, outcome(first, last, settled, state));
    }

    static Disposition outcome(int first, int last, boolean settled, DeliveryState state) {
        return new Disposition()
                .setRole(Role.RECEIVER)
                .setFirst(first)
                .setLast(last)
                .setSettled(settled)
                .setState(state);
    }

    static byte[] message(byte[] body) {
        return encode(new Data(body));
    }

    static byte[] encode(Object... sections) {
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(128);
        for (Object section : sections) {
            encoder.writeObject(buffer, encoder.newEncoderState(), section);
        }
        return octets(buffer);
    }

    static byte[] putToken(Object messageId, String replyTo, String audience, String token) {
        return putToken(messageId, replyTo, "servicebus.windows.net:sastoken", audience, token);
    }

    static byte[] putToken(Object messageId, String replyTo, String type, String audience, String token) {
        Map<String, Object> application = new HashMap<>();
        application.put("operation", "put-token");
        application.put("type", type);
        application.put("name", audience);
        Properties properties = new Properties();
        properties.setMessageId(messageId);
        properties.setReplyTo(replyTo);
        return encode(properties, new ApplicationProperties(application), new AmqpValue<>(token));
    }

    static List<Described> sections(byte[] payload) {
        List<Described> sections = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        while (buffer.hasRemaining()) {
            sections.add((Described) AmqpValues.read(buffer));
        }
        return sections;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
