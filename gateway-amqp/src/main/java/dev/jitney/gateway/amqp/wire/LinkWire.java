package dev.jitney.gateway.amqp.wire;

import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/** One link as the frames show it: both handles, the peer's attach, and who wants to hear of its flows. */
public final class LinkWire {

    /** Hears what the engine does not tell. */
    public interface Listener {
        /** A flow for this link; called before the engine sees it, and may change it. */
        void onFlow(Flow flow);

        /** The peer detaches; called before the engine sees it. */
        void onDetach();
    }

    private final SessionWire session;
    private final String engineName;
    private final Attach remoteAttach;
    private @Nullable Listener listener;
    private long localHandle = -1;
    private int incomingDeliveryId;
    private boolean incomingSettled;
    private boolean incomingOpen;
    private boolean detachSent;
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

    /** Id of the delivery whose transfer the engine is handing up just now. */
    public int incomingDeliveryId() {
        return incomingDeliveryId;
    }

    /** Whether the peer sent that delivery settled. */
    public boolean incomingSettled() {
        return incomingSettled;
    }

    void transferRead(Transfer transfer) {
        if (!incomingOpen) {
            incomingSettled = false;
            incomingDeliveryId = (int) transfer.getDeliveryId();
        }
        incomingSettled |= transfer.getSettled();
        incomingOpen = transfer.getMore() && !transfer.getAborted();
    }

    @Nullable
    Detach heldDetach() {
        return heldDetach;
    }

    void heldDetach(@Nullable Detach value) {
        heldDetach = value;
    }
}
