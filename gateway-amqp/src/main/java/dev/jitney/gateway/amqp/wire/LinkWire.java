package dev.jitney.gateway.amqp.wire;

import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** One link as its frames show it: both handles, the peer's attach, and the listener for its flows. */
public final class LinkWire {

    /** The listener for frames that the engine does not report. */
    public interface Listener {
        /** Called for a flow of this link before the engine processes it. The listener may change the flow. */
        void onFlow(Flow flow);

        /** Called when the peer detaches, before the engine processes the detach. */
        void onDetach();

        /**
         * Called for a transfer of the peer, in order; transfers bypass the engine. The object is reused for the next
         * transfer.
         */
        default void onTransfer(IncomingTransfer transfer) {}
    }

    private final SessionWire session;
    private final String engineName;
    private final Attach remoteAttach;
    private long memoryBytes;
    private @Nullable Listener listener;
    private long localHandle = -1;
    private int incomingDeliveryId;
    private boolean incomingSettled;
    private boolean incomingOpen;
    private boolean detachSent;
    private boolean active = true;
    private long activeAtMs;
    private @Nullable Detach heldDetach;

    LinkWire(SessionWire session, String engineName, Attach remoteAttach) {
        this.session = session;
        this.engineName = engineName;
        this.remoteAttach = remoteAttach;
    }

    public SessionWire session() {
        return session;
    }

    /** Returns the name of the link inside the engine, unique over the connection. */
    public String engineName() {
        return engineName;
    }

    /** Returns the peer's attach, with the peer's name of the link. */
    public Attach remoteAttach() {
        return remoteAttach;
    }

    /** Sets the memory of the link, for the account that counts it. */
    public void memoryBytes(long value) {
        memoryBytes = value;
    }

    public long memoryBytes() {
        return memoryBytes;
    }

    public String name() {
        return remoteAttach.getName();
    }

    boolean sameAs(String name, Role role) {
        return remoteAttach.getRole() == role && remoteAttach.getName().equals(name);
    }

    public void listener(Listener value) {
        listener = value;
    }

    @Nullable
    Listener listener() {
        return listener;
    }

    /** Returns our handle once the attach is answered, -1 before. */
    public long localHandle() {
        return localHandle;
    }

    void localHandle(long value) {
        localHandle = value;
    }

    public boolean answered() {
        return localHandle >= 0;
    }

    /**
     * Returns whether frames for the link may still be written: its attach is answered and no detach was sent or
     * received.
     */
    public boolean writable() {
        return answered() && !detachSent && session.knows(this);
    }

    void detachSent() {
        detachSent = true;
    }

    /** Notes a use of the link: a transfer, a disposition, a flow, or a request that names it. */
    public void touch() {
        active = true;
    }

    /**
     * Returns the time of the link's last use, to the accuracy of the calls of this method. The caller supplies the
     * clock.
     */
    public long activeAtMs(long nowMs) {
        if (active) {
            active = false;
            activeAtMs = nowMs;
        }
        return activeAtMs;
    }

    /** Returns the id of the delivery whose transfer was read last. */
    public int incomingDeliveryId() {
        return incomingDeliveryId;
    }

    /** Returns whether the peer sent that delivery settled. */
    public boolean incomingSettled() {
        return incomingSettled;
    }

    /** Follows a transfer. Returns the protocol error in it, or null. */
    @Nullable
    String follow(IncomingTransfer transfer) {
        if (remoteAttach.getRole() != Role.SENDER) {
            return "Expected a transfer on a link whose sender is the peer, but got one on a link whose sender is"
                    + " the server.";
        }
        if (incomingOpen) {
            if (transfer.hasDeliveryId() && transfer.deliveryId() != incomingDeliveryId) {
                return "Expected the rest of the incomplete delivery on the link, but got another delivery.";
            }
        } else if (!transfer.hasDeliveryId()) {
            return "Expected a delivery-id in the first transfer of a delivery, but got none.";
        } else if (!session.takes(transfer.deliveryId())) {
            return "Expected the next delivery-id of the session, but got "
                    + Integer.toUnsignedString(transfer.deliveryId()) + ".";
        } else {
            incomingSettled = false;
            incomingDeliveryId = transfer.deliveryId();
        }
        incomingSettled |= transfer.settled();
        incomingOpen = transfer.more() && !transfer.aborted();
        return null;
    }

    @Nullable
    Detach heldDetach() {
        return heldDetach;
    }

    void heldDetach(@Nullable Detach value) {
        heldDetach = value;
    }
}
