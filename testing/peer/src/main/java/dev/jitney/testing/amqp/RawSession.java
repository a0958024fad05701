package dev.jitney.testing.amqp;

import static dev.jitney.testing.amqp.Wire.uint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP session of the raw client. Its windows are so large that they have no effect unless a test sends its own
 * flow.
 */
public final class RawSession {
    static final long WINDOW = 2_147_483_647L;

    private final RawPeer peer;
    private final int channel;
    private final RawFrame beginReply;
    private final List<RawFrame> ranges = new ArrayList<>();
    private int nextHandle;
    private long nextDeliveryId;

    RawSession(RawPeer peer, int channel) {
        this.peer = peer;
        this.channel = channel;
        peer.send(
                channel,
                Wire.composite(Code.BEGIN, null, uint(0), uint(WINDOW), uint(WINDOW), uint(65_535), null, null, null));
        beginReply = peer.connection()
                .await(
                        "begin for channel " + channel,
                        f -> f.is(Code.BEGIN)
                                && !f.field(0).isNull()
                                && f.field(0).number() == channel);
    }

    public RawPeer peer() {
        return peer;
    }

    public RawConnection connection() {
        return peer.connection();
    }

    public int channel() {
        return channel;
    }

    public RawFrame beginReply() {
        return beginReply;
    }

    /** Returns whether a frame belongs to this session. */
    public boolean owns(RawFrame frame) {
        return frame.channel() == beginReply.channel();
    }

    long nextIncomingId() {
        return beginReply.field(1).number();
    }

    long takeDeliveryId() {
        return nextDeliveryId++;
    }

    /**
     * Returns the state with which the server settled a delivery. One disposition may cover a range; it is kept for the
     * other deliveries of the range.
     *
     * @param receiver role of the server: true for deliveries that it received, false for deliveries that it sent
     */
    Node awaitDisposition(boolean receiver, long deliveryId) {
        for (RawFrame known : ranges) {
            if (known.field(0).bool() == receiver && covers(known, deliveryId)) {
                return known.field(4);
            }
        }
        RawFrame frame = connection()
                .await(
                        "settlement of delivery " + deliveryId,
                        f -> owns(f)
                                && f.is(Code.DISPOSITION)
                                && f.field(0).bool() == receiver
                                && covers(f, deliveryId));
        boolean settled = !frame.field(3).isNull() && frame.field(3).bool();
        boolean untilTheCommit = !receiver && frame.field(4).descriptorCode() == Code.TRANSACTIONAL_STATE; // 5.5
        if (settled == untilTheCommit) {
            throw new AssertionError("Expected a settled disposition, unless the outcome of a delivery waits for"
                    + " a commit, but got " + frame);
        }
        if (!frame.field(2).isNull() && frame.field(2).number() > frame.field(1).number()) {
            ranges.add(frame);
        }
        return frame.field(4);
    }

    private static boolean covers(RawFrame disposition, long id) {
        long first = disposition.field(1).number();
        long last = disposition.field(2).isNull() ? first : disposition.field(2).number();
        return first <= id && id <= last;
    }

    public void send(Object performative) {
        peer.send(channel, performative);
    }

    /** Starts the handles at a given number instead of 0. */
    public RawSession handlesFrom(int first) {
        nextHandle = first;
        return this;
    }

    /** Attaches a sender and waits for at least one credit. */
    public RawLink sender(String address) {
        RawLink link = trySender(address);
        link.expectAttached();
        link.awaitCredit();
        return link;
    }

    /** Attaches a sender without checking the answer. */
    public RawLink trySender(String address) {
        return attach(new Attach(false, "sender-" + UUID.randomUUID(), address)
                .target(address)
                .source(null));
    }

    /** Attaches a receiver in peek-lock mode, without credit. */
    public RawLink receiver(String address) {
        RawLink link = tryReceiver(address);
        link.expectAttached();
        return link;
    }

    public RawLink tryReceiver(String address) {
        return attach(new Attach(true, "receiver-" + UUID.randomUUID(), address)
                .source(address)
                .settleModes(0, 1));
    }

    /** Attaches a receiver in receive-and-delete mode, without credit. */
    public RawLink deletingReceiver(String address) {
        RawLink link = attach(new Attach(true, "receiver-" + UUID.randomUUID(), address)
                .source(address)
                .settleModes(1, 0));
        link.expectAttached();
        return link;
    }

    /** Sends an attach, waits for any answer, and returns the link. */
    public RawLink attach(Attach attach) {
        return startAttach(attach).awaitReply();
    }

    /** Sends an attach without waiting for the answer. */
    public RawLink startAttach(Attach attach) {
        return new RawLink(this, attach, nextHandle++);
    }

    /** Ends the session and waits for the answer. */
    public void end() {
        send(Wire.composite(Code.END, (Object) null));
        connection().await("end", f -> owns(f) && f.is(Code.END));
    }

    /** The fields of an attach. */
    public static final class Attach {
        final boolean receiver;
        final String name;
        private @Nullable Object source;
        private @Nullable Object target;
        private @Nullable Integer sndSettleMode = 0;
        private @Nullable Integer rcvSettleMode = 0;
        private @Nullable Map<?, ?> properties;

        public Attach(boolean receiver, String name, String address) {
            this.receiver = receiver;
            this.name = name;
            source = terminus(Code.SOURCE, receiver ? address : null);
            target = terminus(Code.TARGET, receiver ? null : address);
        }

        static Object terminus(int code, @Nullable String address) {
            return Wire.composite(code, address);
        }

        public Attach source(@Nullable String address) {
            source = terminus(Code.SOURCE, address);
            return this;
        }

        public Attach target(@Nullable String address) {
            target = terminus(Code.TARGET, address);
            return this;
        }

        /** Sets any value as the source, or null. */
        public Attach rawSource(@Nullable Object value) {
            source = value;
            return this;
        }

        public Attach rawTarget(@Nullable Object value) {
            target = value;
            return this;
        }

        /** Sets a source with an address and a filter. */
        public Attach filter(String address, Map<?, ?> filter) {
            source = Wire.composite(Code.SOURCE, address, null, null, null, null, null, null, filter);
            return this;
        }

        public Attach settleModes(@Nullable Integer sender, @Nullable Integer receiverMode) {
            sndSettleMode = sender;
            rcvSettleMode = receiverMode;
            return this;
        }

        public Attach properties(Map<?, ?> value) {
            properties = value;
            return this;
        }

        Object performative(int handle) {
            return Wire.composite(
                    Code.ATTACH,
                    name,
                    uint(handle),
                    receiver,
                    sndSettleMode == null ? null : Wire.ubyte(sndSettleMode),
                    rcvSettleMode == null ? null : Wire.ubyte(rcvSettleMode),
                    source,
                    target,
                    null,
                    null,
                    receiver ? null : uint(0),
                    null,
                    null,
                    null,
                    properties);
        }
    }
}
