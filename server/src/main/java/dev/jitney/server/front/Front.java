package dev.jitney.server.front;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.server.tls.ClusterIdentity;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client ports of a process, and the decision who serves each connection.
 *
 * <table>
 * <caption>An accepted connection</caption>
 * <tr><th>state</th><th>the connection</th></tr>
 * <tr><td>this process serves ({@link #serve})</td><td>moves to the gateways</td></tr>
 * <tr><td>another node leads ({@link #follow})</td><td>is passed on to it, unchanged (CL-20). While that node does not
 * serve yet, the connection waits</td></tr>
 * <tr><td>no node leads</td><td>waits, and is closed after 10 s at most (CL-21)</td></tr>
 * </table>
 *
 * <p>Connections that are passed on are closed when this process serves, follows another leader, or follows none (CL-22).
 *
 * <p>Life cycle: opened once, closed once. In between, any thread may call the methods. Changes of the state take effect in
 * the order of the calls, and do not wait.
 */
/*
 * All decisions are made on one event loop, which also accepts the connections, so that no lock is needed. A waiting
 * connection belongs to no event loop: it costs a file descriptor, nothing is read from it, and it can move to the gateways
 * as if it had just been accepted.
 */
public final class Front implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Front.class);

    /** Connections to the leader that are being opened at the same time. */
    private static final int OPENING_MAX = 256;

    private static final long TICK_MS = 50;
    private static final long DISCOUNT_MS = 1_000;
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    /** The time for which the last refusal of the leader counts. Clients that wait try again several times a second. */
    private static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final FrontOptions options;
    private final AddressLimits addresses;
    private final @Nullable SslContext nodeTls;
    private final EventLoopGroup loops;
    private final EventLoop home;
    private final RelayMemory memory;
    private final List<Channel> listeners = new ArrayList<>();
    private final LongAdder openedPassages = new LongAdder();
    private final LongAdder refused = new LongAdder();

    // The state, for the thread of `home`. Volatile fields may be read by any thread.

    private final WaitingRoom waiting;
    private final Set<Relay> opening = new LinkedHashSet<>();
    private final Set<Relay> open = new LinkedHashSet<>();

    /** The open connections that are counted for their addresses. */
    private final Map<Channel, InetAddress> admitted = new HashMap<>();

    private volatile @Nullable ClientGateways gateways;
    private @Nullable InetSocketAddress leader;
    /** True while the leader refuses connections: only one connection at a time tries again. */
    private boolean refusing;

    private long retryAtNs;
    private volatile @Nullable Refusals refusals;
    private boolean closed;
    private volatile int waitingCount;
    private volatile int passedOnCount;

    /** The time since which the leader has refused all connections, and the time of the last one. */
    private record Refusals(long sinceNs, long lastNs) {}

    private Front(FrontOptions options, @Nullable ClusterIdentity identity, AddressLimits addresses) {
        this.options = options;
        this.addresses = addresses;
        this.nodeTls = identity == null ? null : LinkTls.ofRelays(identity);
        this.waiting = new WaitingRoom(options.waitingMax(), refused::increment);
        this.memory = new RelayMemory(options.bufferBytesMax());
        this.loops = Transport.loops("front", Runtime.getRuntime().availableProcessors());
        this.home = loops.next();
    }

    /**
     * Binds the ports. Connections wait until {@link #serve} or {@link #follow} is called.
     *
     * @throws IOException if a port cannot be bound; then none stays open
     */
    public static Front open(FrontOptions options) throws IOException {
        return open(options, null, AddressLimits.unlimited());
    }

    /** Binds the ports without limits of clients with one address. */
    public static Front open(FrontOptions options, @Nullable ClusterIdentity identity) throws IOException {
        return open(options, identity, AddressLimits.unlimited());
    }

    /**
     * Binds the ports. Connections wait until {@link #serve} or {@link #follow} is called.
     *
     * @param identity the certificate of this node for connections to the node port of the leader, or null for connections without
     *     TLS (CL-70)
     * @param addresses the limits of clients with one address, which count where a client connects, not at the leader
     * @throws IOException if a port cannot be bound; then none stays open
     */
    public static Front open(FrontOptions options, @Nullable ClusterIdentity identity, AddressLimits addresses)
            throws IOException {
        Front front = new Front(options, identity, addresses);
        try {
            for (SharedPort port : options.ports()) {
                front.bind(port);
            }
        } catch (IOException | RuntimeException e) {
            front.close();
            throw e;
        }
        front.home.scheduleAtFixedRate(front::discount, DISCOUNT_MS, DISCOUNT_MS, TimeUnit.MILLISECONDS);
        front.home.scheduleAtFixedRate(front::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        return front;
    }

    private void bind(SharedPort port) throws IOException {
        int place = listeners.size();
        listeners.add(Acceptor.bind(
                home,
                options.host(),
                port.port(),
                socket -> arrived(socket, options.ports().get(place))));
    }

    /** Returns the bound ports, in the order of the options. */
    public List<SharedPort> ports() {
        List<SharedPort> bound = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            bound.add(options.ports().get(i).at(Acceptor.port(listeners.get(i))));
        }
        return bound;
    }

    /** Serves all connections from now on by these gateways, also those that wait. */
    public void serve(ClientGateways current) {
        home.execute(() -> {
            gateways = current;
            changeLeader(null);
            for (FrontClient client = waiting.next(); client != null; client = waiting.next()) {
                client.serveBy(current);
            }
            count();
        });
    }

    /** Passes no more connections to the gateways. They keep those that they have. */
    public void stopServing() {
        home.execute(() -> gateways = null);
    }

    /** Returns the gateways that serve connections at this moment, or null. */
    public @Nullable ClientGateways gateways() {
        return gateways;
    }

    /**
     * Passes all connections on to another node from now on, also those that wait. Those that another leader serves are
     * closed. While this process {@linkplain #serve serves} itself, the gateways still get all connections.
     *
     * @param nodePort node port of the leader, or null if there is none
     */
    public void follow(@Nullable InetSocketAddress nodePort) {
        home.execute(() -> {
            changeLeader(nodePort);
            passOn();
        });
    }

    private void changeLeader(@Nullable InetSocketAddress nodePort) {
        if (Objects.equals(leader, nodePort)) {
            return;
        }
        leader = nodePort;
        refusing = false;
        refusals = null;
        List<Relay> before = new ArrayList<>(open);
        before.forEach(Relay::close);
        opening.forEach(Relay::cancel);
    }

    private void arrived(Channel socket, SharedPort port) {
        long deadlineNs = nowNs() + TimeUnit.MILLISECONDS.toNanos(options.waitMs());
        FrontClient client = new FrontClient(socket, port, deadlineNs);
        ClientGateways current = gateways;
        if (closed || !admit(client)) {
            client.close();
        } else if (current != null) {
            client.serveBy(current);
        } else if (waiting.size() + opening.size() + open.size() >= options.connectionsMax()) {
            refused.increment();
            client.close();
        } else {
            waiting.add(client);
            passOn();
        }
    }

    /** Counts a connection for its address, unless that exceeds a limit. */
    private boolean admit(FrontClient client) {
        InetSocketAddress address = client.address();
        if (address == null || address.getAddress() == null) {
            return true;
        }
        if (!addresses.connected(address.getAddress())) {
            refused.increment();
            return false;
        }
        admitted.put(client.socket(), address.getAddress());
        return true;
    }

    /** Ends the counts of connections that are closed. */
    /*
     * A socket without an event loop cannot call a listener when it is closed, and a gateway accepts no socket with a handler of
     * another one. The counts are therefore late by a second at most.
     */
    private void discount() {
        admitted.entrySet().removeIf(each -> {
            boolean over = !each.getKey().isOpen();
            if (over) {
                addresses.disconnected(each.getValue());
            }
            return over;
        });
    }

    /** Passes on the connections that wait, as many at a time as the leader can take. */
    private void passOn() {
        InetSocketAddress to = leader;
        while (to != null && gateways == null && opening.size() < (refusing ? 1 : OPENING_MAX)) {
            if (refusing && nowNs() - retryAtNs < 0) {
                break;
            }
            FrontClient client = waiting.next();
            if (client == null) {
                break;
            }
            InetSocketAddress address = client.address();
            if (address == null) {
                client.close();
                continue;
            }
            Relay relay =
                    new Relay(client, address, new Relay.Target(to, nodeTls), loops.next(), memory, new Outcomes());
            opening.add(relay);
            long leftMs = TimeUnit.NANOSECONDS.toMillis(client.deadlineNs() - nowNs());
            relay.start(Math.max(1, Math.min(options.connectMs(), leftMs)));
        }
        count();
    }

    private void opened(Relay relay) {
        opening.remove(relay);
        open.add(relay);
        openedPassages.increment();
        if (gateways != null || !relay.leader().equals(leader)) {
            relay.close(); // the leader changed in the meantime
        } else {
            refusing = false;
            refusals = null;
        }
        passOn();
    }

    private void failed(Relay relay, String why) {
        opening.remove(relay);
        ClientGateways current = gateways;
        if (closed) {
            relay.client().close();
        } else if (current != null) {
            relay.client().serveBy(current);
        } else {
            if (relay.leader().equals(leader)) {
                if (!refusing) {
                    LOG.info(
                            "The leader's node port {} does not serve clients yet; connections wait: {}",
                            relay.leader(),
                            why);
                }
                refusing = true;
                long sinceNs = refusedMs() == 0 || refusals == null ? nowNs() : refusals.sinceNs;
                refusals = new Refusals(sinceNs, nowNs());
                retryAtNs = nowNs() + TimeUnit.MILLISECONDS.toNanos(options.retryMs());
                home.schedule(this::passOn, options.retryMs(), TimeUnit.MILLISECONDS);
            }
            waiting.addAgain(relay.client());
        }
        passOn();
    }

    private void ended(Relay relay) {
        opening.remove(relay);
        open.remove(relay);
        passOn();
    }

    private void tick() {
        waiting.closeExpired(nowNs());
        passOn();
    }

    private void count() {
        waitingCount = waiting.size();
        passedOnCount = opening.size() + open.size();
    }

    private static long nowNs() {
        return Ticker.systemTicker().nanoTime();
    }

    /**
     * Returns for how many milliseconds the leader has refused all connections that this node passed on to it; 0 if it accepted the last
     * one, or no client has connected for a while. Any thread may call it.
     */
    public long refusedMs() {
        Refusals last = refusals;
        return last == null || nowNs() - last.lastNs > REFUSAL_NANOS
                ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nowNs() - last.sinceNs));
    }

    /** Returns the current figures. Any thread may call it. */
    public FrontFigures figures() {
        return new FrontFigures(
                passedOnCount,
                waitingCount,
                openedPassages.sum(),
                refused.sum(),
                memory.toLeaderBytes(),
                memory.toClientsBytes(),
                memory.heldBytes());
    }

    /**
     * Closes the ports, and the connections that wait or are passed on. Connections of gateways stay open. A second call does
     * nothing.
     */
    @Override
    public synchronized void close() {
        if (loops.isShuttingDown()) {
            return;
        }
        listeners.forEach(listener -> listener.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS));
        home.submit(() -> {
                    closed = true;
                    gateways = null;
                    leader = null;
                    new ArrayList<>(open).forEach(Relay::close);
                    new ArrayList<>(opening).forEach(Relay::close);
                    for (FrontClient client = waiting.next(); client != null; client = waiting.next()) {
                        client.close();
                    }
                    count();
                })
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 1_000);
    }

    /** Continues on the event loop of the decisions. */
    private final class Outcomes implements Relay.Owner {
        @Override
        public void opened(Relay relay) {
            later(() -> Front.this.opened(relay));
        }

        @Override
        public void failed(Relay relay, String why) {
            later(() -> Front.this.failed(relay, why));
        }

        @Override
        public void ended(Relay relay) {
            later(() -> Front.this.ended(relay));
        }

        private void later(Runnable task) {
            if (!home.isShuttingDown()) {
                home.execute(task);
            }
        }
    }
}
