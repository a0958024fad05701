package dev.jitney.gateway.amqp.wire;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** One session as the frames show it: channels, transfer counters of both directions, links by the peer's handle. */
public final class SessionWire {
    /** Never the limit: reads stop when a connection holds too much (wire reference 1.6 wants a large window). */
    private static final int WINDOW = Integer.MAX_VALUE;

    private final int remoteChannel;
    private long memoryBytes;
    private int localChannel = -1;
    private int nextIncomingId;
    private int nextOutgoingId;
    private int nextDeliveryId;
    private int nextIncomingDeliveryId;
    private boolean hasIncomingDelivery;

    /** The first transfer id that the peer does not take any more; a serial number. */
    private int peerLimit;

    private boolean outputBlocked;
    private boolean ended;
    private final Map<Long, LinkWire> linksByRemoteHandle = new HashMap<>();

    SessionWire(int remoteChannel, int nextIncomingId) {
        this.remoteChannel = remoteChannel;
        this.nextIncomingId = nextIncomingId;
    }

    /** What it costs in memory, for whoever counts that. */
    public void memoryBytes(long value) {
        memoryBytes = value;
    }

    /** What it and its links cost. */
    public long memoryBytesOfAll() {
        long all = memoryBytes;
        for (LinkWire link : linksByRemoteHandle.values()) {
            all += link.memoryBytes();
        }
        return all;
    }

    int remoteChannel() {
        return remoteChannel;
    }

    public int localChannel() {
        return localChannel;
    }

    void localChannel(int value) {
        localChannel = value;
    }

    int nextIncomingId() {
        return nextIncomingId;
    }

    void transferRead() {
        nextIncomingId++;
    }

    /** Whether a delivery of the peer may have that id: they follow each other, wherever the first one begins. */
    boolean takes(int deliveryId) {
        if (hasIncomingDelivery && deliveryId != nextIncomingDeliveryId) {
            return false;
        }
        hasIncomingDelivery = true;
        nextIncomingDeliveryId = deliveryId + 1;
        return true;
    }

    int nextOutgoingId() {
        return nextOutgoingId;
    }

    void transferWritten() {
        nextOutgoingId++;
    }

    int incomingWindow() {
        return WINDOW;
    }

    int outgoingWindow() {
        return WINDOW;
    }

    /** The id of a delivery whose first transfer is written now. */
    int takeDeliveryId() {
        return nextDeliveryId++;
    }

    /** What the peer says about its window: how many transfers it takes from the one on that it expects. */
    void peerWindow(int expectedId, long window) {
        peerLimit = expectedId + (int) Math.min(window, Integer.MAX_VALUE);
    }

    /** Whether the peer's window takes a transfer more. */
    public boolean maySend() {
        return peerLimit - nextOutgoingId > 0;
    }

    /** Set by whoever has something to send and finds the peer's window shut. */
    public void outputBlocked(boolean value) {
        outputBlocked = value;
    }

    public boolean outputBlocked() {
        return outputBlocked;
    }

    /** Whether either side has ended the session. */
    public boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
        linksByRemoteHandle.clear();
    }

    @Nullable
    LinkWire link(long remoteHandle) {
        return linksByRemoteHandle.get(remoteHandle);
    }

    @Nullable
    LinkWire linkNamed(String name, Role role) {
        for (LinkWire link : linksByRemoteHandle.values()) {
            if (link.sameAs(name, role)) {
                return link;
            }
        }
        return null;
    }

    void add(LinkWire link) {
        linksByRemoteHandle.put(link.remoteAttach().getHandle(), link);
    }

    void remove(LinkWire link) {
        linksByRemoteHandle.remove(link.remoteAttach().getHandle(), link);
    }

    boolean knows(LinkWire link) {
        return !ended && linksByRemoteHandle.get(link.remoteAttach().getHandle()) == link;
    }

    /** Links whose detach the peer has not sent yet. */
    public Collection<LinkWire> links() {
        return linksByRemoteHandle.values();
    }
}
