package dev.jitney.gateway.amqp.wire;

import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** One link as the frames show it: both handles, the peer's attach, and who wants to hear of its flows. */
public final class LinkWire {

    /** Hears what the engine does not tell. */
    public interface Listener {
        /** A flow for this link; called before the engine sees it, and may change it. */
        void onFlow(Flow flow);

        /** The peer detaches; called before the engine sees it. */
        void onDetach();

        /** A transfer of the peer, in order; the engine never sees it. What it says changes with the next one. */
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

    /** The name the link has inside the engine, unique over the connection. */
    public String engineName() {
        return engineName;
    }

    /** The peer's attach with the name the peer gave the link. */
    public Attach remoteAttach() {
        return remoteAttach;
    }

    /** What it costs in memory, for whoever counts that. */
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

    /** Our handle once the attach is answered, -1 before. */
    public long localHandle() {
        return localHandle;
    }

    void localHandle(long value) {
        localHandle = value;
    }

    public boolean answered() {
        return localHandle >= 0;
    }

    /** Whether frames for the link may still be written: its attach is answered and no detach was sent or received. */
    public boolean writable() {
        return answered() && !detachSent && session.knows(this);
    }

    void detachSent() {
        detachSent = true;
    }

    /** The link is used: a transfer, a disposition, a flow, or a request that names it. */
    public void touch() {
        active = true;
    }

    /** When the link was last used, as far as this has been asked before; the clock is the caller's. */
    public long activeAtMs(long nowMs) {
        if (active) {
            active = false;
            activeAtMs = nowMs;
        }
        return activeAtMs;
    }

    /** Id of the delivery whose transfer was read last. */
    public int incomingDeliveryId() {
        return incomingDeliveryId;
    }

    /** Whether the peer sent that delivery settled. */
    public boolean incomingSettled() {
        return incomingSettled;
    }

    /** Follows a transfer; returns what is wrong with it, null if nothing is. */
    @Nullable
    String follow(IncomingTransfer transfer) {
        if (remoteAttach.getRole() != Role.SENDER) {
            return "Expected transfers only on links whose sender is the peer.";
        }
        if (incomingOpen) {
            if (transfer.hasDeliveryId() && transfer.deliveryId() != incomingDeliveryId) {
                return "Expected more of the delivery that has begun on the link before another one.";
            }
        } else if (!transfer.hasDeliveryId()) {
            return "Expected a delivery-id in the first transfer of a delivery.";
        } else if (!session.takes(transfer.deliveryId())) {
            return "Expected the delivery-id that follows the one before it in the session, but got "
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
