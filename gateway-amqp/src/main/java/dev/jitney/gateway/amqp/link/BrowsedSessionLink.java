package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.ClientOutcome;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import java.util.List;
import org.apache.qpid.protonj2.engine.Sender;
import org.jspecify.annotations.Nullable;

/**
 * A link of a client that browses a session without locking it: the session browser of the older Java library (wire
 * reference 3.3). The link delivers nothing; the client peeks over the management node.
 */
final class BrowsedSessionLink extends LinkOutput {
    private final Entity entity;
    private final EntityAddress address;

    BrowsedSessionLink(LinkContext context, Sender sender, LinkWire wire, Entity entity, EntityAddress address) {
        super(context, sender, wire);
        this.entity = entity;
        this.address = address;
    }

    @Override
    void pump() {
        if (draining() && wire().answered() && !isGone()) {
            answerDrain();
        }
    }

    @Override
    public void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome) {
        // The link has delivered nothing.
    }

    @Override
    public boolean authorized(long nowMs) {
        return context().access().authorization().permits(AccessRight.LISTEN, address, nowMs);
    }

    @Override
    public @Nullable String goneEntity() {
        return entity.isGone() ? entity.path() : null;
    }

    @Override
    void released() {
        // The link holds nothing.
    }
}
