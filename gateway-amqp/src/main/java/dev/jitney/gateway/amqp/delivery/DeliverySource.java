package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.wire.LinkWire;
import java.util.List;

/** A link that sends deliveries, as {@link DeliveryLedger} uses it. Called on the event loop. */
public interface DeliverySource {

    LinkWire wire();

    /** Called when the number of its deliveries that the client has not settled has changed. Not called for a link that has gone. */
    void countUnsettled(int delta);

    /** Returns whether the client can still receive the answer to an outcome. */
    boolean mayAnswer();

    /** Returns whether the deliveries are messages of an entity, not answers to requests. */
    boolean isWork();

    /** Called when the client has sent an outcome for deliveries of this link. */
    void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome);
}
