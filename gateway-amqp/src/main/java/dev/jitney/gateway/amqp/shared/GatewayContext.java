package dev.jitney.gateway.amqp.shared;

import dev.jitney.gateway.amqp.shared.GatewayMeter.NamespaceMeter;
import dev.jitney.gateway.amqp.wire.DescribedTypes;
import dev.jitney.gateway.amqp.wire.Refusals;
import dev.jitney.gateway.amqp.wire.SymbolCache;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.security.IdentityProvider;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The shared state of the connections of one gateway. Any thread may call it. */
public final class GatewayContext {
    private final Broker broker;
    private final ConnectionLimits limits;
    private final IdleRules idleRules;
    private final String containerPrefix;
    private final int maxSockets;
    private final AtomicLong connectionNumbers = new AtomicLong();
    private final AtomicLong transactionNumbers = new AtomicLong();

    /** A prefix that distinguishes transactions from those before a restart; 40 bits as ten digits. */
    private final String transactionPrefix = "%010x".formatted(new SecureRandom().nextLong() >>> 24);

    private final OpenSockets sockets = new OpenSockets(GatewaySocket::abort);
    private final GatewayMeter meter = new GatewayMeter();
    private final Refusals refusals = new Refusals();
    private final ClientMemory memory;
    private final ClientAdmission admission;

    /** The delay of the output to the clients of a namespace, milliseconds; for tests. */
    private final Map<Namespace, Long> delays = new ConcurrentHashMap<>(1);

    /**
     * @param idleRules rules that close idle links and connections
     * @param containerPrefix short and printable, since some clients build link names from it (wire reference 1.4)
     * @param maxSockets limit of accepted sockets over all namespaces, whether or not a connection was opened on them
     * @param memory memory budget of all clients together
     * @param admission rules by which clients are admitted
     */
    public GatewayContext(
            Broker broker,
            ConnectionLimits limits,
            IdleRules idleRules,
            String containerPrefix,
            int maxSockets,
            ClientMemory memory,
            ClientAdmission admission) {
        this.admission = admission;
        this.broker = broker;
        this.memory = memory;
        this.limits = limits;
        this.idleRules = idleRules;
        this.containerPrefix = containerPrefix;
        this.maxSockets = maxSockets;
        DescribedTypes.fix();
    }

    public Broker broker() {
        return broker;
    }

    public ConnectionLimits limits() {
        return limits;
    }

    /** Returns the memory budget of all clients together. */
    public ClientMemory memory() {
        return memory;
    }

    /** Returns the rules by which clients are admitted. */
    public ClientAdmission admission() {
        return admission;
    }

    /** Returns the identity provider whose tokens are accepted. */
    public IdentityProvider identities() {
        return admission.identities();
    }

    public IdleRules idleRules() {
        return idleRules;
    }

    /** Returns a number for a connection, larger than those before. */
    public long nextConnectionNumber() {
        return connectionNumbers.incrementAndGet();
    }

    /** Returns the container id that the gateway uses on a connection. */
    public String containerId(long connectionNumber) {
        return containerPrefix + "_G" + connectionNumber;
    }

    /**
     * Returns a name for a transaction that no connection uses again, so that it never refers to another transaction
     * (TX-11): printable, at most 32 bytes (wire reference 8.2).
     */
    public String nextTransactionId() {
        return "txn:" + transactionPrefix + ":" + Long.toString(transactionNumbers.incrementAndGet(), 36);
    }

    /** Returns whether the limit permits one more socket, possibly in place of one without an accepted credential. */
    public boolean hasRoom() {
        return sockets.hasRoom(maxSockets);
    }

    /**
     * Adds a socket if the limit permits it. At the limit, the oldest socket without an accepted credential is closed in
     * its favor.
     */
    public boolean register(GatewaySocket socket) {
        if (!sockets.add(socket, maxSockets)) {
            return false;
        }
        SymbolCache.bound(); // the SASL mechanisms of earlier clients are cached symbols, too
        return true;
    }

    public void unregister(GatewaySocket socket) {
        sockets.remove(socket);
    }

    /** Notes that a credential of a client was accepted, whose connection counts for the namespace. */
    public void authenticated(Namespace namespace, GatewaySocket socket) {
        sockets.authenticated(socket);
        meter.of(namespace.name()).connections.authenticated(socket);
    }

    /** Returns every open socket. */
    public Set<GatewaySocket> sockets() {
        return sockets.copy();
    }

    /**
     * Counts a connection for the namespace. At the limit of the namespace, its oldest connection without an accepted
     * credential is closed so that the new one has its place. Returns false if there is none (QUOTA, MaxConnections).
     */
    public boolean enter(Namespace namespace, GatewaySocket socket) {
        NamespaceMeter counted = meter.of(namespace.name());
        if (!counted.connections.add(socket, namespace.limits().maxConnections())) {
            return false;
        }
        counted.opened.increment();
        return true;
    }

    public void leave(Namespace namespace, GatewaySocket socket) {
        meter.of(namespace.name()).connections.remove(socket);
    }

    /**
     * Delays the output to the clients of a namespace of a broker under test.
     *
     * @param ms milliseconds; 0 ends it
     */
    public void delay(Namespace namespace, long ms) {
        delays.keySet().removeIf(Namespace::isGone);
        if (ms == 0) {
            delays.remove(namespace);
        } else {
            delays.put(namespace, ms);
        }
    }

    /** Returns the delay of the output to the clients of a namespace, in milliseconds. */
    public long delayMs(@Nullable Namespace namespace) {
        return namespace == null || delays.isEmpty() ? 0 : delays.getOrDefault(namespace, 0L);
    }

    /** Returns the answers for clients that use the wrong protocol on a port. */
    public Refusals refusals() {
        return refusals;
    }

    public GatewayMeter meter() {
        return meter;
    }

    /** Returns the current figures. */
    public AmqpFigures figures() {
        return meter.figures(sockets, memory.figures());
    }
}
