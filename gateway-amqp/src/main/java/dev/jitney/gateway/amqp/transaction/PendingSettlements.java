package dev.jitney.gateway.amqp.transaction;

import dev.jitney.gateway.amqp.delivery.DeliveryLedger;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import java.util.ArrayList;
import java.util.List;

/**
 * The deliveries that were settled in one transaction. They stay unsettled on their links until the commit, so that
 * they can be settled again after a rollback (wire reference 5.5; AMQP 1.0 part 4, 4.4.3). A transaction bounds their
 * number.
 */
public final class PendingSettlements {
    private final List<UnsettledDeliveries.Entry> deliveries = new ArrayList<>();

    /** Adds a delivery whose settlement the entity has accepted. */
    public void add(UnsettledDeliveries.Entry delivery) {
        deliveries.add(delivery);
    }

    /**
     * Drops the deliveries after the commit. Clients get no disposition: the Java SDK has dropped the deliveries too,
     * and would take a disposition for a new message.
     */
    void committed(DeliveryLedger ledger) {
        ledger.forget(deliveries);
        deliveries.clear();
    }
}
