package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.wire.LinkWire;
import java.util.List;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** A link that sends deliveries, as {@link DeliveryLedger} uses it. Called on the event loop. */
public interface DeliverySource {

    LinkWire wire();

    /** Called when the number of its deliveries that the client has not settled has changed. Not called for a link that has gone. */
    void countUnsettled(int delta);

    /** Returns whether the client can still receive the answer to an outcome. */
    boolean mayAnswer();

    /** Returns whether the deliveries are messages of an entity, not answers to requests. */
    boolean isWork();

    /** Called when the client has sent outcomes for deliveries of this link, all with the same state. */
    void onOutcome(List<UnsettledDeliveries.Entry> deliveries, @Nullable DeliveryState state, boolean settled);
}
