package dev.jitney.gateway.amqp.shared;

import dev.jitney.gateway.amqp.shared.GatewayMeter.NamespaceMeter;
import dev.jitney.gateway.amqp.wire.Refusals;
import dev.jitney.gateway.amqp.wire.SymbolCache;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.memory.ClientMemory;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the connections of one gateway share. Any thread may call it. */
public final class GatewayContext {
    private final Broker broker;
    private final ConnectionLimits limits;
    private final IdleRules idleRules;
    private final String containerPrefix;
    private final int maxSockets;
    private final AtomicLong connectionNumbers = new AtomicLong();
    private final AtomicLong transactionNumbers = new AtomicLong();

    /** Tells transactions from those before a restart; 40 bits as ten digits. */
    private final String transactionPrefix = "%010x".formatted(new SecureRandom().nextLong() >>> 24);

    private final Set<GatewaySocket> sockets = ConcurrentHashMap.newKeySet();
    private final GatewayMeter meter = new GatewayMeter();
    private final Refusals refusals = new Refusals();
    private final ClientMemory memory;

    /**
     * @param idleRules when idle links and connections are closed
     * @param containerPrefix short and printable: some clients build link names from it (wire reference 1.4)
     * @param maxSockets accepted sockets over all namespaces, opened or not
     * @param memory what all clients together may claim
     */
    public GatewayContext(
            Broker broker,
            ConnectionLimits limits,
            IdleRules idleRules,
            String containerPrefix,
            int maxSockets,
            ClientMemory memory) {
        this.broker = broker;
        this.memory = memory;
        this.limits = limits;
        this.idleRules = idleRules;
        this.containerPrefix = containerPrefix;
        this.maxSockets = maxSockets;
    }

    public Broker broker() {
        return broker;
    }

    public ConnectionLimits limits() {
        return limits;
    }

    /** The memory that all clients together may claim. */
    public ClientMemory memory() {
        return memory;
    }

    public IdleRules idleRules() {
        return idleRules;
    }

    public String nextContainerId() {
        return containerPrefix + "_G" + connectionNumbers.incrementAndGet();
    }

    /**
     * A name for a transaction that is not used again on any connection, so that one never means another's (TX-11):
     * printable, at most 32 octets (wire reference 8.2).
     */
    public String nextTransactionId() {
        return "txn:" + transactionPrefix + ":" + Long.toString(transactionNumbers.incrementAndGet(), 36);
    }

    /** Whether one more connection would be served now. */
    public boolean hasRoom() {
        return sockets.size() < maxSockets;
    }

    /** Takes in one more socket if there is room for it. */
    public boolean register(GatewaySocket socket) {
        if (!hasRoom()) {
            meter.refusedSocket();
            return false;
        }
        sockets.add(socket);
        SymbolCache.bound(); // the mechanism somebody asked for before is one, too
        return true;
    }

    public void unregister(GatewaySocket socket) {
        sockets.remove(socket);
    }

    /** Every socket that is open now. */
    public Set<GatewaySocket> sockets() {
        return Set.copyOf(sockets);
    }

    /** Takes one of the namespace's connections; false when all are taken (QUOTA, MaxConnections). */
    public boolean enter(Namespace namespace) {
        NamespaceMeter counted = meter.of(namespace.name());
        if (counted.connections.incrementAndGet() > namespace.limits().maxConnections()) {
            counted.connections.decrementAndGet();
            counted.refused.increment();
            return false;
        }
        counted.opened.increment();
        return true;
    }

    public void leave(Namespace namespace) {
        meter.of(namespace.name()).connections.decrementAndGet();
    }

    /** Answers for clients that speak to the wrong port. */
    public Refusals refusals() {
        return refusals;
    }

    public GatewayMeter meter() {
        return meter;
    }

    /** What there is to do. */
    public AmqpFigures figures() {
        return meter.figures(sockets.size(), memory.figures());
    }
}
