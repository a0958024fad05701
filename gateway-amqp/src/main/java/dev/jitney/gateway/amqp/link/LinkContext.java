package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.delivery.DeliveryLedger;
import dev.jitney.gateway.amqp.delivery.PendingCompletions;
import dev.jitney.gateway.amqp.message.Errors;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.transaction.DeclaredTransactions;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.InboundGuard;
import dev.jitney.runtime.ConnectionReceivers;

/**
 * The parts of one connection that its links use. None of these parts depends on this class or on the connection. For
 * the event loop.
 */
public final class LinkContext {
    private final ConnectionLimits limits;
    private final ConnectionLoop loop;
    private final FrameWriter frames;
    private final InboundGuard guard;
    private final ConnectionMemory memory;
    private final ConnectionAccess access;
    private final OpenLinks links;
    private final DeliveryLedger deliveries;
    private final PendingCompletions completions;
    private final DeclaredTransactions transactions;
    private final ConnectionReceivers receivers;

    public LinkContext(
            GatewayContext gateway,
            ConnectionLoop loop,
            FrameWriter frames,
            InboundGuard guard,
            ConnectionMemory memory,
            ConnectionAccess access) {
        this.limits = gateway.limits();
        this.loop = loop;
        this.frames = frames;
        this.guard = guard;
        this.memory = memory;
        this.access = access;
        links = new OpenLinks(loop, access, gateway.idleRules());
        deliveries = new DeliveryLedger(
                frames,
                limits.unsettledDeliveriesMax(),
                () -> loop.executor().execute(() -> loop.guarded(links::writable)));
        completions = new PendingCompletions(loop);
        transactions = new DeclaredTransactions(
                loop, access, memory.account(), deliveries, links::carryWork, gateway::nextTransactionId);
        receivers = new ConnectionReceivers(loop.executor());
    }

    public ConnectionLimits limits() {
        return limits;
    }

    public ConnectionLoop loop() {
        return loop;
    }

    FrameWriter frames() {
        return frames;
    }

    InboundGuard guard() {
        return guard;
    }

    ConnectionMemory memory() {
        return memory;
    }

    ConnectionAccess access() {
        return access;
    }

    Errors errors() {
        return access.errors();
    }

    /** Returns the attached links. */
    public OpenLinks links() {
        return links;
    }

    /** Returns the deliveries that the client has not settled. */
    public DeliveryLedger deliveries() {
        return deliveries;
    }

    /** Returns the links with deliveries that the client has accepted in the bytes being read. */
    public PendingCompletions completions() {
        return completions;
    }

    /** Returns the transactions declared on the connection. */
    public DeclaredTransactions transactions() {
        return transactions;
    }

    /** Returns the connection's receivers of partitioned entities. */
    ConnectionReceivers receivers() {
        return receivers;
    }

    /** Releases everything when the connection has ended and its links are gone. */
    public void end() {
        receivers.close();
        deliveries.clear();
    }
}
