package dev.jitney.gateway.http.exchange;

import dev.jitney.gateway.http.exchange.HttpPeer.Phase;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections, their deadlines, and their memory. For the event loop that serves all of them; any thread may
 * read the counters for metrics.
 *
 * <table>
 * <caption>Phases of a connection</caption>
 * <tr><th>phase</th><th>from</th><th>to</th><th>closed after</th></tr>
 * <tr><td>head, first</td><td>accepted, before any TLS handshake</td><td>head of a request complete</td>
 * <td>{@link HttpLimits#headSeconds}</td></tr>
 * <tr><td>head, later</td><td>the last response sent</td><td>head of a request complete</td>
 * <td>{@link HttpLimits#idleSeconds}; {@link HttpLimits#headSeconds} from the first byte on</td></tr>
 * <tr><td>body</td><td>head complete</td><td>body complete</td>
 * <td>{@link HttpLimits#bodySeconds}, more once a large body is permitted</td></tr>
 * <tr><td>serving</td><td>body complete, or there is none</td><td>the response is ready</td><td>never: the client waits for
 * the server</td></tr>
 * <tr><td>fetching</td><td>the response is ready</td><td>all its bytes are in the socket</td><td>{@link
 * HttpLimits#idleSeconds}, more for a large response</td></tr>
 * <tr><td>surplus</td><td>the response is sent, but the body has not ended</td><td>body complete</td>
 * <td>{@link HttpLimits#headSeconds}</td></tr>
 * </table>
 *
 * <p>Bytes from a client never extend a deadline. A connection that was upgraded to a WebSocket no longer counts, but
 * its incomplete frames do.
 *
 * <p>If the maximum of connections is reached, a new connection replaces another one. The first choice is the connection
 * that has waited longest for the head of a request and never sent a valid token. The second is the connection that has
 * been fetching its response for longest, if that is more than {@value #SLOW_SECONDS} s. The third is the connection that
 * sent a valid token and has been idle for longest. Requests other than health checks may use all connections but
 * {@link HttpLimits#spareConnections}. If these places are taken, a client that holds less than an equal share gets one from the client
 * that holds most: its oldest request whose body is not complete is refused, or its oldest receive ends without a message.
 */
/*
 * Idle connections of clients with a token are replaced last: a client that opens silent connections must not be able
 * to close the connections of working clients. A health check does not count as a valid token, because anyone may send
 * one.
 */
final class HttpConnections {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

    /** The slowest accepted transfer rate, by which large bodies and responses get more time. */
    private static final int SLOWEST_BYTES_PER_SECOND = 64 * 1024;

    /** Time for which a slow connection may hold memory, or its place, while other connections need it. */
    private static final int SLOW_SECONDS = 5;

    /** The name of the handler of Vert.x. */
    private static final String LAST_HANDLER = "handler";

    private static final int READ_BYTES_MIN = 128;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MAX = 32 * 1024;

    private static final int NEVER = Integer.MAX_VALUE;

    /** Maximum time for which a frame of a WebSocket may be incomplete. */
    private static final int FRAME_SECONDS = 60;

    private static final int RESUMPTIONS_AT_ONCE = 8;
    private static final int RESUMPTIONS_PAUSE_MS = 1;

    /** Seconds between two log lines about the same problem. */
    private static final int LOG_SECONDS = 60;

    private final HttpLimits limits;
    private final MemoryBudget memory;
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder displaced = new LongAdder();
    private final Set<HttpPeer> all = new LinkedHashSet<>();

    /** Connections by phase, ordered by the time they entered it. */
    private final Map<Phase, Set<HttpPeer>> byPhase = new EnumMap<>(Phase.class);

    /** Connections that wait for a head and whose client has never sent a valid token. */
    private final Set<HttpPeer> unknown = new LinkedHashSet<>();

    /** The connections that are busy with a request. */
    private final ClientShares<HttpPeer> busy = new ClientShares<>();

    /** Connections whose waiting input may be resumed, in turn. */
    private final Queue<Runnable> resumptions = new ArrayDeque<>();

    private final TlsRefusal tls = new TlsRefusal();
    private boolean resuming;
    private boolean disconnected;
    private int nowTick;
    private int fullLoggedTick = -LOG_SECONDS;
    private int memoryLoggedTick = -LOG_SECONDS;

    HttpConnections(HttpLimits limits, MemoryBudget memory) {
        this.limits = limits;
        this.memory = memory;
        for (Phase phase : Phase.values()) {
            byPhase.put(phase, new LinkedHashSet<>());
        }
    }

    // Opening and closing

    /** Registers an accepted socket; a second call for the same channel changes nothing. */
    void accept(Channel channel) {
        if (HttpPeer.of(channel) == null) {
            // One read per loop iteration, so that data of one client does not fill the memory.
            channel.config()
                    .setRecvByteBufAllocator(
                            new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX)
                                    .maxMessagesPerRead(1));
            channel.pipeline().addFirst(new HttpPeer(channel, this).socket);
        }
    }

    /** Guards the input of a connection's decoder, once there is a decoder. */
    void guardInput(Channel channel, String decoder) {
        HttpPeer peer = HttpPeer.of(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (peer != null && pipeline.get(decoder) != null) {
            pipeline.addBefore(decoder, "jitney-inbound", peer.inbound);
        }
    }

    void admit(HttpPeer peer) {
        if (disconnected) {
            peer.gone = true;
            peer.channel.eventLoop().execute(peer.socket::close); // its pipeline is being built
            return;
        }
        all.add(peer);
        count.incrementAndGet();
        enter(peer, Phase.HEAD, limits.headSeconds());
        if (count.get() > limits.connectionsMax() + limits.spareConnections()) {
            tellFull();
            HttpPeer victim = victim(peer);
            if (victim == null) {
                refused.increment();
                remove(peer);
                peer.channel.eventLoop().execute(peer.socket::close); // its pipeline is being built
            } else {
                displaced.increment();
                close(victim);
            }
        }
    }

    /**
     * Closes all connections, and new ones from now on.
     *
     * @param webSockets true to close WebSockets, too
     */
    void disconnect(boolean webSockets) {
        disconnected = true;
        new ArrayList<>(all).forEach(this::close);
        if (webSockets) {
            new ArrayList<>(in(Phase.WEBSOCKET)).forEach(this::close);
        }
    }

    /** Returns the connection that a new one replaces, or null. */
    private @Nullable HttpPeer victim(HttpPeer incoming) {
        HttpPeer stranger = first(unknown);
        if (stranger != null && stranger != incoming) {
            return stranger;
        }
        HttpPeer surplus = first(in(Phase.SURPLUS));
        if (surplus != null) {
            return surplus;
        }
        HttpPeer slow = first(in(Phase.FETCHING));
        if (slow != null && nowTick - slow.sinceTick >= SLOW_SECONDS) {
            return slow;
        }
        for (HttpPeer idle : in(Phase.HEAD)) {
            if (idle != incoming) {
                return idle;
            }
        }
        return slow;
    }

    /** Handles a closed socket. */
    void gone(HttpPeer peer) {
        remove(peer);
        runWhenGone(peer);
    }

    private void remove(HttpPeer peer) {
        peer.gone = true;
        if (all.remove(peer)) {
            leave(peer);
            count.decrementAndGet();
        }
        in(Phase.WEBSOCKET).remove(peer);
        for (MemoryPurpose purpose : MemoryPurpose.values()) {
            release(peer, purpose);
        }
    }

    /** Handles a request for the upgrade to a WebSocket, which is a response without an end. */
    void upgrading(HttpPeer peer) {
        peer.inbound.headComplete(0);
        enter(peer, Phase.FETCHING, limits.idleSeconds());
    }

    /** Handles a connection that has become a WebSocket. */
    void upgraded(HttpPeer peer) {
        if (all.remove(peer)) {
            leave(peer);
            count.decrementAndGet();
            release(peer, MemoryPurpose.HEAD);
            peer.inbound.requestOver();
            peer.phase = Phase.WEBSOCKET;
            in(Phase.WEBSOCKET).add(peer);
            peer.deadlineTick = NEVER;
            watchFrames(peer);
            peer.inbound.resume();
        }
        runWhenGone(peer);
    }

    private void watchFrames(HttpPeer peer) {
        ChannelPipeline pipeline = peer.channel.pipeline();
        if (pipeline.get(LAST_HANDLER) != null) {
            pipeline.addBefore(LAST_HANDLER, "jitney-frames", new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                    if (message instanceof WebSocketFrame) {
                        frameComplete(peer);
                    }
                    ctx.fireChannelRead(message);
                }
            });
        }
    }

    private static void runWhenGone(HttpPeer peer) {
        List<Runnable> actions = new ArrayList<>(peer.whenGone);
        peer.whenGone.clear();
        actions.forEach(Runnable::run);
    }

    private void close(HttpPeer peer) {
        remove(peer); // now, so that the next search finds another connection
        peer.socket.close();
    }

    // Phases

    /** Handles the first byte of a head. */
    void headBegun(HttpPeer peer) {
        peer.sinceTick = nowTick;
        peer.deadlineTick = Math.min(peer.deadlineTick, after(limits.headSeconds()));
    }

    /**
     * Handles the complete head of a request.
     *
     * @param bodyLength bytes of the body, 0 for none, negative if its length is not known
     * @param health true for a health check
     * @return false if the maximum of connections is reached, so that the request must {@linkplain #takePlace take a place}
     */
    boolean begin(HttpPeer peer, long bodyLength, boolean health) {
        peer.inbound.headComplete(bodyLength);
        peer.bodyPending = bodyLength != 0;
        peer.answered = false;
        boolean place = health || busy.size() < limits.connectionsMax();
        if (place && !health) {
            busy.add(peer, peer.client);
        }
        if (bodyLength == 0) {
            enter(peer, Phase.SERVING, NEVER);
        } else {
            enter(peer, Phase.BODY, limits.bodySeconds());
        }
        return place;
    }

    /**
     * Takes the place of another connection for a request. Its credential was checked, so that its client is known.
     *
     * @return false if the request must be refused
     */
    boolean takePlace(HttpPeer peer) {
        boolean place =
                !peer.gone && (busy.size() < limits.connectionsMax() || displaceFor(peer.client) || closeSlow());
        if (place) {
            busy.add(peer, peer.client);
        } else {
            tellFull();
            refused.increment();
        }
        return place;
    }

    private boolean displaceFor(ClientShares.Client client) {
        HttpPeer victim = busy.displace(client, limits.connectionsMax(), peer -> peer.yields != null);
        Runnable end = victim == null ? null : victim.yields;
        if (victim == null || end == null) {
            return false;
        }
        victim.yields = null;
        if (victim.phase == Phase.BODY) {
            displaced.increment(); // it ends with the refusal
        }
        end.run();
        return true;
    }

    /** Closes the connection that has been fetching its response for longest, if that is too long. */
    private boolean closeSlow() {
        HttpPeer slow = first(in(Phase.FETCHING));
        if (slow == null || nowTick - slow.sinceTick < SLOW_SECONDS) {
            return false;
        }
        displaced.increment();
        close(slow);
        return busy.size() < limits.connectionsMax();
    }

    /** Notes that the token of the request was accepted, which is that of a client. */
    void authorized(HttpPeer peer, ClientShares.Client client) {
        peer.authorized = true;
        if (!client.equals(peer.client)) {
            peer.client = client;
            if (busy.contains(peer)) {
                busy.add(peer, client);
            }
        }
    }

    /** Permits a body of that size. */
    void bodyPermitted(HttpPeer peer, int bytesMax) {
        if (peer.phase == Phase.BODY) {
            peer.deadlineTick = after(limits.bodySeconds() + bytesMax / SLOWEST_BYTES_PER_SECOND);
        }
    }

    /** Handles the end of the body. */
    void bodyComplete(HttpPeer peer) {
        peer.bodyPending = false;
        if (peer.phase == Phase.BODY) {
            enter(peer, Phase.SERVING, NEVER);
        } else if (peer.phase == Phase.SURPLUS) {
            idle(peer);
        }
    }

    /** Notes that a response of that size is being sent, all of it or a first part. */
    void answering(HttpPeer peer, long bytes) {
        if (peer.phase == Phase.SERVING || peer.phase == Phase.BODY) {
            enter(peer, Phase.FETCHING, (int) Math.min(NEVER, limits.idleSeconds() + bytes / SLOWEST_BYTES_PER_SECOND));
        }
    }

    /** Notes that the response is complete, or the client closed the connection. */
    void answered(HttpPeer peer, long bytes) {
        answering(peer, bytes);
        peer.answered = true;
        drained(peer);
    }

    /** Handles a socket that has taken all bytes written to it. */
    void drained(HttpPeer peer) {
        if (peer.phase == Phase.FETCHING && peer.answered && !peer.socket.hasUnwritten()) {
            peer.answered = false;
            release(peer, MemoryPurpose.HEAD);
            peer.inbound.requestOver();
            if (peer.bodyPending) {
                enter(peer, Phase.SURPLUS, limits.headSeconds());
            } else {
                idle(peer);
            }
        }
    }

    private void idle(HttpPeer peer) {
        enter(peer, Phase.HEAD, peer.inbound.isIncomplete() ? limits.headSeconds() : limits.idleSeconds());
        peer.inbound.resume();
    }

    /** Handles the first part of a WebSocket frame. */
    void frameBegun(HttpPeer peer) {
        peer.sinceTick = nowTick;
        peer.deadlineTick = after(FRAME_SECONDS);
    }

    /** Handles a complete WebSocket frame. */
    private void frameComplete(HttpPeer peer) {
        peer.deadlineTick = NEVER;
        peer.inbound.frameComplete();
    }

    private void enter(HttpPeer peer, Phase phase, int seconds) {
        if (!all.contains(peer)) {
            return; // closed already
        }
        in(peer.phase).remove(peer);
        unknown.remove(peer);
        peer.phase = phase;
        peer.sinceTick = nowTick;
        peer.deadlineTick = seconds == NEVER ? NEVER : after(seconds);
        in(phase).add(peer);
        if (phase == Phase.HEAD && !peer.authorized) {
            unknown.add(peer);
        }
        if (phase == Phase.HEAD || phase == Phase.SURPLUS) {
            busy.remove(peer);
        }
    }

    private void leave(HttpPeer peer) {
        in(peer.phase).remove(peer);
        unknown.remove(peer);
        busy.remove(peer);
    }

    private int after(int seconds) {
        return nowTick + seconds + 1; // the first tick may follow immediately
    }

    private Set<HttpPeer> in(Phase phase) {
        Set<HttpPeer> peers = byPhase.get(phase);
        if (peers == null) {
            throw new IllegalStateException("Expected a known phase, but got " + phase + ".");
        }
        return peers;
    }

    private static @Nullable HttpPeer first(Set<HttpPeer> peers) {
        return peers.isEmpty() ? null : peers.iterator().next();
    }

    /**
     * Resumes waiting input in small portions, because an event loop may run tasks for a second before it serves other
     * connections.
     */
    void later(EventExecutor loop, Runnable resumption) {
        resumptions.add(resumption);
        if (!resuming) {
            resuming = true;
            loop.execute(() -> resumeSome(loop));
        }
    }

    private void resumeSome(EventExecutor loop) {
        for (int i = 0; i < RESUMPTIONS_AT_ONCE; i++) {
            Runnable next = resumptions.poll();
            if (next == null) {
                resuming = false;
                return;
            }
            next.run();
        }
        loop.schedule(() -> resumeSome(loop), RESUMPTIONS_PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    /** Closes late connections. Call it every second. */
    void tick() {
        nowTick++;
        List<HttpPeer> late = new ArrayList<>();
        for (HttpPeer peer : all) {
            collect(peer, late);
        }
        for (HttpPeer peer : in(Phase.WEBSOCKET)) {
            collect(peer, late);
        }
        late.forEach(this::close);
    }

    private void collect(HttpPeer peer, List<HttpPeer> late) {
        if (nowTick >= peer.deadlineTick) {
            late.add(peer);
        } else {
            peer.inbound.resume(); // memory may be available again
        }
    }

    /** Runs an action when a connection is closed or upgraded, or immediately if it already is. */
    void whenGone(@Nullable HttpPeer peer, Runnable action) {
        if (peer == null || !all.contains(peer)) {
            action.run();
        } else {
            peer.whenGone.add(action);
        }
    }

    // Memory

    /**
     * Claims memory for a connection. If memory is short, this closes connections that hold memory and have kept the
     * server waiting for more than {@value #SLOW_SECONDS} s. For a client with a valid token, it also closes
     * connections of clients without one.
     *
     * @return true if the memory was available
     */
    boolean claim(HttpPeer peer, MemoryPurpose purpose, long bytes) {
        boolean claimed = !peer.gone && memory.claim(purpose, bytes);
        if (!claimed && !peer.gone) {
            tellMemory();
            claimed = closeHolders(peer, Phase.FETCHING, purpose, bytes)
                    || closeHolders(peer, Phase.BODY, purpose, bytes)
                    || closeHolders(peer, Phase.HEAD, purpose, bytes)
                    || closeHolders(peer, Phase.WEBSOCKET, purpose, bytes);
        }
        if (claimed) {
            peer.addClaim(purpose, bytes);
        }
        return claimed;
    }

    /** Claims memory that is needed in any case. */
    void force(HttpPeer peer, MemoryPurpose purpose, long bytes) {
        if (!peer.gone) {
            memory.force(purpose, bytes);
            peer.addClaim(purpose, bytes);
        }
    }

    /** Releases all memory that a connection holds for a purpose. */
    void release(HttpPeer peer, MemoryPurpose purpose) {
        long bytes = peer.takeClaims(purpose);
        if (bytes > 0) {
            memory.release(purpose, bytes);
        }
    }

    private boolean closeHolders(HttpPeer claimant, Phase phase, MemoryPurpose purpose, long bytes) {
        for (HttpPeer holder : List.copyOf(in(phase))) {
            boolean yields = nowTick - holder.sinceTick >= SLOW_SECONDS || claimant.authorized && !holder.authorized;
            if (yields && holder != claimant && holder.hasClaims()) {
                displaced.increment();
                close(holder);
                if (memory.claim(purpose, bytes)) {
                    return true;
                }
            }
        }
        return false;
    }

    // Log messages and counters

    private void tellFull() {
        if (nowTick - fullLoggedTick >= LOG_SECONDS) {
            fullLoggedTick = nowTick;
            LOG.atWarn()
                    .addKeyValue("connections", count.get())
                    .addKeyValue("busy", busy.size())
                    .log(
                            "The maximum number of HTTP connections is reached. New connections replace those that have waited"
                                    + " longest for the head of a request. While all connections are busy, requests other"
                                    + " than GET /health are refused, unless their client has less than its share. This message is logged at most once a minute.");
        }
    }

    /** Refuses a client that begins TLS on a port without it. */
    void refuseTls(ChannelHandlerContext client) {
        tls.refuse(client);
    }

    private void tellMemory() {
        if (nowTick - memoryLoggedTick >= LOG_SECONDS) {
            memoryLoggedTick = nowTick;
            LOG.atWarn()
                    .addKeyValue("heldBytes", memory.held())
                    .log(
                            "The memory for HTTP requests and responses is used up. Connections that have been slow for {} s"
                                    + " are closed; requests that need more memory are refused with 503. This message"
                                    + " is logged at most once a minute.",
                            SLOW_SECONDS);
        }
    }

    /** Returns the number of open connections. */
    int count() {
        return count.get();
    }

    /** Returns the number of connections and requests refused because the maximum was reached. */
    long refused() {
        return refused.sum();
    }

    /** Returns the number of connections closed to make room for others. */
    long displaced() {
        return displaced.sum();
    }
}
