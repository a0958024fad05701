package dev.jitney.gateway.amqp.wire;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** One session as its frames show it: channels, transfer counters of both directions, links by the peer's handle. */
public final class SessionWire {
    /**
     * The announced window, which is never the limit: reading pauses when a connection holds too much (wire reference
     * 1.6 requires a large window).
     */
    private static final int WINDOW = Integer.MAX_VALUE;

    private final int remoteChannel;
    private long memoryBytes;
    private int localChannel = -1;
    private int nextIncomingId;
    private int nextOutgoingId;
    private int nextDeliveryId;
    private int nextIncomingDeliveryId;
    private boolean hasIncomingDelivery;

    /** The first transfer id that the peer's window excludes; a serial number. */
    private int peerLimit;

    /** The links that have something to send while the peer's window is closed, in the order in which they found it closed. */
    private final Set<LinkWire> blocked = new LinkedHashSet<>(0);

    private boolean ended;
    private final Map<Long, LinkWire> linksByRemoteHandle = new HashMap<>();

    SessionWire(int remoteChannel, int nextIncomingId) {
        this.remoteChannel = remoteChannel;
        this.nextIncomingId = nextIncomingId;
    }

    /** Sets the memory of the session, for the account that counts it. */
    public void memoryBytes(long value) {
        memoryBytes = value;
    }

    /** Returns the memory of the session and its links. */
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

    /** Returns whether a delivery of the peer may have that id. Ids are consecutive; the first may be any number. */
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

    /** Returns the id for a delivery whose first transfer is about to be written. */
    int takeDeliveryId() {
        return nextDeliveryId++;
    }

    /** Sets the peer's window: the number of transfers that it accepts from the expected id on. */
    void peerWindow(int expectedId, long window) {
        peerLimit = expectedId + (int) Math.min(window, Integer.MAX_VALUE);
    }

    /** Returns whether the peer's window accepts one more transfer. */
    public boolean maySend() {
        return peerLimit - nextOutgoingId > 0;
    }

    /** Notes that a link has something to send but the peer's window is closed. */
    public void block(LinkWire link) {
        blocked.add(link);
    }

    /**
     * Returns the link that has waited for the peer's window longest, and stops its wait. Returns null if the window is
     * closed or no link waits.
     */
    public @Nullable LinkWire unblock() {
        if (blocked.isEmpty() || !maySend()) {
            return null;
        }
        LinkWire first = blocked.iterator().next();
        blocked.remove(first);
        return first;
    }

    /** Returns whether either side has ended the session. */
    public boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
        linksByRemoteHandle.clear();
        blocked.clear();
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
        blocked.remove(link);
    }

    boolean knows(LinkWire link) {
        return !ended && linksByRemoteHandle.get(link.remoteAttach().getHandle()) == link;
    }

    /** Returns the links that the peer has not detached yet. */
    public Collection<LinkWire> links() {
        return linksByRemoteHandle.values();
    }
}
