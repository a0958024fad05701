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
 * The open connections, the deadline of each, and the memory that they hold. For the event loop that serves all of them;
 * the numbers for metrics may be read by any thread.
 *
 * <table>
 * <caption>Phases of a connection</caption>
 * <tr><th>phase</th><th>from</th><th>to</th><th>closed after</th></tr>
 * <tr><td>head, first</td><td>accepted, before any handshake of TLS</td><td>head of a request complete</td>
 * <td>{@link HttpLimits#headSeconds}</td></tr>
 * <tr><td>head, later</td><td>the last answer fetched</td><td>head of a request complete</td>
 * <td>{@link HttpLimits#idleSeconds}; {@link HttpLimits#headSeconds} from the first byte on</td></tr>
 * <tr><td>body</td><td>head complete</td><td>body complete</td>
 * <td>{@link HttpLimits#bodySeconds}, more once a large one is permitted</td></tr>
 * <tr><td>serving</td><td>body complete, or there is none</td><td>the answer made</td><td>never: the server owes the
 * answer</td></tr>
 * <tr><td>fetching</td><td>the answer made</td><td>the socket has taken it</td><td>{@link HttpLimits#idleSeconds}, more
 * for a large answer</td></tr>
 * <tr><td>surplus</td><td>the answer fetched, but the body has not ended</td><td>body complete</td>
 * <td>{@link HttpLimits#headSeconds}</td></tr>
 * </table>
 *
 * <p>No byte of a client extends a deadline. A connection that was upgraded to a WebSocket is none any more, but its
 * incomplete frames are still counted.
 *
 * <p>When all places are taken, a new connection gets the place of another one, in this order: the one that has waited
 * longest for the head of a request and never sent a valid token; the one that has fetched its answer for longest, if that
 * is more than {@value #SLOW_SECONDS} s; the one that sent a valid token and has been idle for longest. Requests other than
 * those for health occupy all places but {@link HttpLimits#spareConnections}.
 */
/*
 * Idle connections of clients with a token come last, although they have been heard of: whoever opens silent connections
 * must not be able to close the connections of clients that work. A request for health is no sign of good will, since
 * anybody may send one.
 */
final class HttpConnections {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

    /** Large bodies and answers get more time, by the slowest pace that is put up with. */
    private static final int SLOWEST_BYTES_PER_SECOND = 64 * 1024;

    /** How long a connection may hold memory, or a place, while others want it. */
    private static final int SLOW_SECONDS = 5;

    /** The name of the handler of Vert.x. */
    private static final String LAST_HANDLER = "handler";

    private static final int READ_BYTES_MIN = 128;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MAX = 32 * 1024;

    private static final int NEVER = Integer.MAX_VALUE;

    /** How long a frame of a WebSocket may be incomplete. */
    private static final int FRAME_SECONDS = 60;

    private static final int RESUMPTIONS_AT_ONCE = 8;
    private static final int RESUMPTIONS_PAUSE_MS = 1;

    /** Seconds between two lines in the log about the same trouble. */
    private static final int LOG_SECONDS = 60;

    private final HttpLimits limits;
    private final MemoryBudget memory;
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder displaced = new LongAdder();
    private final Set<HttpPeer> all = new LinkedHashSet<>();

    /** Connections by what they do, the one first that has done so for longest. */
    private final Map<Phase, Set<HttpPeer>> byPhase = new EnumMap<>(Phase.class);

    /** Of those that wait for a head: the connections whose client has never had a valid token. */
    private final Set<HttpPeer> unknown = new LinkedHashSet<>();

    /** Connections whose input has waited and may be taken up, in turn. */
    private final Queue<Runnable> resumptions = new ArrayDeque<>();

    private final TlsRefusal tls = new TlsRefusal();
    private boolean resuming;
    private int busy;
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

    // Coming and going

    /** Takes in a socket that was accepted; a second call for the same channel changes nothing. */
    void accept(Channel channel) {
        if (HttpPeer.of(channel) == null) {
            // One read per turn: what one client sends at once must not be in memory at once.
            channel.config()
                    .setRecvByteBufAllocator(
                            new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX)
                                    .maxMessagesPerRead(1));
            channel.pipeline().addFirst(new HttpPeer(channel, this).socket);
        }
    }

    /** Guards what the decoder of a connection reads, once there is a decoder. */
    void guardInput(Channel channel, String decoder) {
        HttpPeer peer = HttpPeer.of(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (peer != null && pipeline.get(decoder) != null) {
            pipeline.addBefore(decoder, "jitney-inbound", peer.inbound);
        }
    }

    void admit(HttpPeer peer) {
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

    /** The connection that gives its place to a new one, or null. */
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

    /** A socket has been closed. */
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

    /** A request asks for the upgrade to a WebSocket, which is an answer without an end. */
    void upgrading(HttpPeer peer) {
        peer.inbound.headComplete(0);
        enter(peer, Phase.FETCHING, limits.idleSeconds());
    }

    /** A connection has become a WebSocket. */
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
        remove(peer); // now, so that the next one that looks for a victim finds another
        peer.socket.close();
    }

    // Phases

    /** The first byte of a head has come. */
    void headBegun(HttpPeer peer) {
        peer.sinceTick = nowTick;
        peer.deadlineTick = Math.min(peer.deadlineTick, after(limits.headSeconds()));
    }

    /**
     * The head of a request is complete.
     *
     * @param bodyLength bytes of the body, 0 for none, negative if its length is not known
     * @param health whether the request asks about the health of the server
     * @return false if the request must be refused because all places for requests are taken
     */
    boolean begin(HttpPeer peer, long bodyLength, boolean health) {
        peer.inbound.headComplete(bodyLength);
        peer.bodyPending = bodyLength != 0;
        peer.answered = false;
        boolean place = health || busy < limits.connectionsMax() || closeSlow();
        if (place && !health && !peer.busy) {
            peer.busy = true;
            busy++;
        }
        if (!place) {
            tellFull();
            refused.increment();
        }
        if (bodyLength == 0) {
            enter(peer, Phase.SERVING, NEVER);
        } else {
            enter(peer, Phase.BODY, limits.bodySeconds());
        }
        return place;
    }

    /** Closes the connection that has fetched its answer for longest, if that is too long. */
    private boolean closeSlow() {
        HttpPeer slow = first(in(Phase.FETCHING));
        if (slow == null || nowTick - slow.sinceTick < SLOW_SECONDS) {
            return false;
        }
        displaced.increment();
        close(slow);
        return busy < limits.connectionsMax();
    }

    /** The token of the request was accepted. */
    void authorized(HttpPeer peer) {
        peer.authorized = true;
    }

    /** A body of that size may come. */
    void bodyPermitted(HttpPeer peer, int bytesMax) {
        if (peer.phase == Phase.BODY) {
            peer.deadlineTick = after(limits.bodySeconds() + bytesMax / SLOWEST_BYTES_PER_SECOND);
        }
    }

    /** The body has come. */
    void bodyComplete(HttpPeer peer) {
        peer.bodyPending = false;
        if (peer.phase == Phase.BODY) {
            enter(peer, Phase.SERVING, NEVER);
        } else if (peer.phase == Phase.SURPLUS) {
            idle(peer);
        }
    }

    /** An answer of that size is on its way to the client, all of it or a first part. */
    void answering(HttpPeer peer, long bytes) {
        if (peer.phase == Phase.SERVING || peer.phase == Phase.BODY) {
            enter(peer, Phase.FETCHING, (int) Math.min(NEVER, limits.idleSeconds() + bytes / SLOWEST_BYTES_PER_SECOND));
        }
    }

    /** The answer is made, or the client has gone. */
    void answered(HttpPeer peer, long bytes) {
        answering(peer, bytes);
        peer.answered = true;
        drained(peer);
    }

    /** The socket has taken all bytes that were written. */
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

    /** A part of a frame of a WebSocket has come. */
    void frameBegun(HttpPeer peer) {
        peer.sinceTick = nowTick;
        peer.deadlineTick = after(FRAME_SECONDS);
    }

    /** A frame of a WebSocket has come whole. */
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
            endBusy(peer);
        }
    }

    private void leave(HttpPeer peer) {
        in(peer.phase).remove(peer);
        unknown.remove(peer);
        endBusy(peer);
    }

    private void endBusy(HttpPeer peer) {
        if (peer.busy) {
            peer.busy = false;
            busy--;
        }
    }

    private int after(int seconds) {
        return nowTick + seconds + 1; // the first tick may come at once
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
     * Has input taken up that was kept waiting, a little at a time: an event loop may carry out tasks for a second before it
     * looks at other connections.
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

    /** To be called every second. */
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
            peer.inbound.resume(); // memory may have come free
        }
    }

    /** Runs something when a connection has gone or has become something else, at once if it has. */
    void whenGone(@Nullable HttpPeer peer, Runnable action) {
        if (peer == null || !all.contains(peer)) {
            action.run();
        } else {
            peer.whenGone.add(action);
        }
    }

    // Memory

    /**
     * Claims memory for a connection. When there is too little, connections are closed that hold memory and have kept the
     * server waiting for more than {@value #SLOW_SECONDS} s; for a client with a valid token, also those of clients without.
     *
     * @return whether the memory was there
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

    /** Claims memory that is held in any case. */
    void force(HttpPeer peer, MemoryPurpose purpose, long bytes) {
        if (!peer.gone) {
            memory.force(purpose, bytes);
            peer.addClaim(purpose, bytes);
        }
    }

    /** Gives back all memory that a connection holds for a purpose. */
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

    // What is told

    private void tellFull() {
        if (nowTick - fullLoggedTick >= LOG_SECONDS) {
            fullLoggedTick = nowTick;
            LOG.atWarn()
                    .addKeyValue("connections", count.get())
                    .addKeyValue("busy", busy)
                    .log("All places for HTTP connections are taken. New connections get the places of those that have"
                            + " waited longest for the head of a request; requests other than GET /health are refused"
                            + " while all places are busy. This line is written once a minute at most.");
        }
    }

    /** A client has begun TLS where none is spoken. */
    void refuseTls(ChannelHandlerContext client) {
        tls.refuse(client);
    }

    private void tellMemory() {
        if (nowTick - memoryLoggedTick >= LOG_SECONDS) {
            memoryLoggedTick = nowTick;
            LOG.atWarn()
                    .addKeyValue("heldBytes", memory.held())
                    .log(
                            "The memory for HTTP requests and answers is used up. Connections that have been slow for {} s"
                                    + " are closed; requests that need more memory are refused with 503. This line is written"
                                    + " once a minute at most.",
                            SLOW_SECONDS);
        }
    }

    /** Connections that are open. */
    int count() {
        return count.get();
    }

    /** Connections and requests that were refused because all places were taken. */
    long refused() {
        return refused.sum();
    }

    /** Connections that were closed to make room for others. */
    long displaced() {
        return displaced.sum();
    }
}
