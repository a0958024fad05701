package dev.jitney.gateway.amqp.connection;

import dev.jitney.core.Reply;
import dev.jitney.gateway.amqp.wire.FailureWatch;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.InboundGuard;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.SessionWire;
import dev.jitney.gateway.amqp.wire.WireTable;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReceiverHome;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.security.KeyCredential;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.codec.DecodeException;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.ConnectionState;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;
import org.apache.qpid.protonj2.engine.impl.ProtonEngine;
import org.apache.qpid.protonj2.engine.impl.ProtonFrameDecodingHandler;
import org.apache.qpid.protonj2.engine.impl.ProtonPerformativeHandler;
import org.apache.qpid.protonj2.engine.impl.sasl.ProtonSaslHandler;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection without its socket: it takes bytes, gives bytes to a {@link Transport}, and is told the time.
 *
 * <p>The protonj2 engine keeps the protocol's states; {@link InboundGuard} and {@link FrameWriter} stand at its two ends.
 * All methods are called on the event loop.
 */
final class AmqpConnection implements InboundGuard.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpConnection.class);
    /** What a peer needs to show a token, with room to spare; every one of them costs memory. */
    private static final int UNAUTHENTICATED_SESSIONS_MAX = 32;

    private static final int UNAUTHENTICATED_LINKS_MAX = 64;

    private static final String MEMORY_USED_UP =
            "The memory of the server for connections and links is used up. Close some, or start the server with a larger"
                    + " heap.";

    /** Tokens that a connection may show without one that is valid; each costs the time to check it. */
    private static final int REFUSED_CREDENTIALS_MAX = 50;

    private final GatewayContext context;
    private final Transport transport;
    private final @Nullable String serverName;
    private final WireTable table = new WireTable();
    private final FrameWriter frames;
    private final InboundGuard guard;
    private final FrameIntake intake;
    private final ProtonEngine engine = new ProtonEngine();
    private final @Nullable SaslNegotiation sasl;
    private final Errors errors;
    private final Authorization authorization = new Authorization();
    private final RightsWatch rights;
    private final ResponseLinks responseLinks = new ResponseLinks();
    private final SessionLinks sessionLinks = new SessionLinks();
    private final OpenLinks links;

    /** Links with deliveries that were accepted in the octets being read. */
    private final List<OutgoingLink> completing = new ArrayList<>();

    private final DeliveryLedger ledger;
    private final DeclaredTransactions transactions;
    private final LinkAcceptor acceptor;
    private final String containerId;
    private final ConnectionClock clock;
    private final IdleWatch idle;
    private final ReceiverHome home;
    private final ConnectionMemory memory;

    private final ConnectionNamespace namespace;
    private String host = "";
    private int sessionCount;
    private boolean authenticated;
    private int refusedCredentials;
    private long lastTickMs;
    private boolean flushWanted;
    private boolean broken;
    private boolean ended;

    AmqpConnection(
            GatewayContext context,
            Transport transport,
            MemoryAccount account,
            boolean withSasl,
            @Nullable String serverName,
            long nowMs) {
        this.context = context;
        this.transport = transport;
        this.serverName = serverName;
        home = new ReceiverHome(transport.executor());
        containerId = context.nextContainerId();
        namespace = new ConnectionNamespace(context);
        errors = new Errors(containerId, context.broker().clock());
        links = new OpenLinks(errors);
        memory = new ConnectionMemory(context, transport, account);
        lastTickMs = nowMs;
        clock = new ConnectionClock(context.limits().idleTimeoutMs(), nowMs);
        idle = new IdleWatch(context.idleRules());
        transactions = new DeclaredTransactions(this, context::nextTransactionId);
        acceptor = new LinkAcceptor(this);
        rights = new RightsWatch(this);
        frames = new FrameWriter(table, context.limits().idleTimeoutMs(), new FrameWriter.ByteSink() {
            @Override
            public void write(ProtonBuffer frame) {
                clock.written();
                transport.write(frame);
            }

            @Override
            public void write(byte[] payload, int from, int count) {
                transport.write(payload, from, count);
            }

            @Override
            public boolean isWritable() {
                return transport.isWritable();
            }
        });
        ledger = new DeliveryLedger(frames, context.limits().unsettledDeliveriesMax());
        guard = new InboundGuard(table, this);
        intake = new FrameIntake(engine, guard, context.limits().maxFrameSizeBytes());
        sasl = withSasl ? new SaslNegotiation(context.broker(), serverName) : null;
        startEngine();
    }

    private void startEngine() {
        engine.pipeline().addLast("failures", new FailureWatch(this::failing));
        engine.pipeline().addLast("amqp", new ProtonPerformativeHandler());
        engine.pipeline().addLast("guard", guard);
        if (sasl != null) {
            engine.pipeline().addLast("sasl", new ProtonSaslHandler());
        }
        engine.pipeline().addLast("decoder", new ProtonFrameDecodingHandler());
        engine.pipeline().addLast("encoder", frames);
        engine.outputHandler((bytes, done) -> transport.write(bytes));
        engine.errorHandler(failed -> engineFailed());
        if (sasl != null) {
            engine.saslDriver().server().setListener(sasl);
        }
        Connection connection = engine.connection();
        connection.setMaxFrameSize(context.limits().maxFrameSizeBytes());
        connection.openHandler(opened -> guarded(this::opened));
        connection.closeHandler(closed -> guarded(this::closedByPeer));
        connection.sessionOpenHandler(session -> guarded(() -> begin(session)));
        connection.senderOpenHandler(sender -> guarded(() -> acceptor.clientReceives(sender)));
        connection.receiverOpenHandler(receiver -> guarded(() -> acceptor.clientSends(receiver)));
        engine.start();
    }

    /** Takes bytes from the peer. They belong to the connection from now on and must not change. */
    void ingest(byte[] bytes, long nowMs) {
        if (ended) {
            return;
        }
        clock.read(nowMs);
        if (!authenticated) {
            noteCredential();
            if (!authenticated && memory.tooMuchUnauthenticated(bytes.length)) {
                close(ErrorCode.CONNECTION_FORCED, "Expected a token before that many bytes.");
                return;
            }
        }
        intake.take(bytes);
        if (!ended) {
            memory.unfinishedFrame(intake.unfinishedBytes(), nowMs);
        }
        completeAccepted();
        if (broken && !ended) {
            engineFailed(); // closed for what a frame says: the engine tells the peer, and nobody else
        }
        if (sasl != null && sasl.refused()) {
            refusedCredential(sasl.judging());
            transport.close();
            end();
        }
    }

    /** The memory of a connection that has shown a credential counts for its namespace. */
    private void noteCredential() {
        Namespace of = namespace.get();
        if (!authorization.isEmpty() && of != null) {
            authenticated = true;
            memory.account().authenticated(of.name());
        }
    }

    private void opened() {
        memory.state(0, intake.frameBytes());
        Connection connection = engine.connection();
        String asked = connection.getRemoteHostname() == null ? serverName : connection.getRemoteHostname();
        KeyCredential shown = sasl == null ? null : sasl.credential();
        Namespace chosen = namespace.open(asked, shown == null ? null : shown.namespace());
        errors.namespace(chosen);
        host = asked == null || asked.isEmpty() ? chosen.name() : withoutPort(asked);
        authorization.open(chosen, shown != null && shown.namespace() == chosen ? shown : null);
        long peerFrame = Math.max(512, connection.getRemoteMaxFrameSize());
        int ownFrame = (int) Math.min(context.limits().maxFrameSizeBytes(), peerFrame);
        connection.setContainerId(containerId);
        connection.setMaxFrameSize(ownFrame);
        connection.setChannelMax(context.limits().maxSessions() - 1);
        connection.open();
        frames.maxFrameSize(ownFrame);
        clock.opened(connection.getRemoteIdleTimeout());
        if (namespace.isDecided()) {
            enter(chosen);
        }
    }

    /** Whether the namespace has room for the connection; if not, this is its end. */
    private boolean enter(Namespace chosen) {
        if (namespace.enter()) {
            return true;
        }
        close(
                ErrorCode.QUOTA_EXCEEDED,
                "Expected at most " + chosen.limits().maxConnections() + " connections to the namespace.");
        return false;
    }

    /** The namespace whose rules judge a token that is shown now. */
    Namespace judging(@Nullable String token) {
        return namespace.judging(token);
    }

    /**
     * The connection belongs to the namespace that has believed it, if nothing has decided that before.
     *
     * @return false if the namespace has no room for it, and the connection is closed
     */
    boolean belongsTo(Namespace chosen) {
        if (namespace.isDecided()) {
            return true;
        }
        namespace.decide(chosen);
        errors.namespace(chosen);
        authorization.open(chosen, null);
        return enter(chosen);
    }

    private static String withoutPort(String hostname) {
        int colon = hostname.lastIndexOf(':');
        return colon > 0 && hostname.indexOf(':') == colon ? hostname.substring(0, colon) : hostname;
    }

    private void begin(Session session) {
        if (memory.stateUsedUp()) {
            close(ErrorCode.QUOTA_EXCEEDED, MEMORY_USED_UP);
            return;
        }
        session.setHandleMax(context.limits().maxLinks() - 1L);
        session.closeHandler(closed -> closed.close());
        session.open();
        sessionCount++;
        if (authorization.isEmpty() && sessionCount > UNAUTHENTICATED_SESSIONS_MAX) {
            close(ErrorCode.CONNECTION_FORCED, "Expected a token before that many sessions.");
        }
    }

    private void closedByPeer() {
        engine.connection().close();
        transport.close();
        end();
    }

    /** What time brings: an idle peer, our heartbeat, tokens that run out, changed access rules. */
    void tick(long nowMs) {
        if (ended) {
            return;
        }
        if (!authenticated) {
            noteCredential();
        }
        memory.output(transport.pendingOutputBytes());
        if (!transactions.isEmpty()) {
            transactions.giveBackEnded();
        }
        memory.tick(ledger.count());
        lastTickMs = nowMs;
        if (unfinishedForTooLong(nowMs)) {
            close(ErrorCode.CONNECTION_FORCED, "A message or frame has begun and has not arrived whole in time.");
            return;
        }
        if (engine.connection().getState() != ConnectionState.ACTIVE) {
            return;
        }
        if (!memory.readingPaused() && clock.peerIsSilent(nowMs)) {
            close(ErrorCode.CONNECTION_FORCED, "The connection was silent for longer than the idle timeout allows.");
            return;
        }
        if (clock.heartbeatDue(nowMs)) {
            frames.heartbeat();
            flush();
        }
        links.detachFromGoneEntities();
        Namespace of = namespace.get();
        if (of != null && of.isGone()) {
            close(ErrorCode.CONNECTION_FORCED, "The namespace '" + of.name() + "' was deleted.");
            return;
        }
        closeIdle(nowMs);
        if (!ended) {
            rights.tick(links.all(), host);
        }
    }

    /** RECV-12. */
    private void closeIdle(long nowMs) {
        if (!idle.isOn()) {
            return;
        }
        links.closeIdle(idle, nowMs);
        String why = idle.idleConnection(!links.isEmpty(), nowMs);
        if (why != null) {
            close(ErrorCode.CONNECTION_FORCED, why);
        }
    }

    /** A request names a link of the connection. */
    void useLink(String name) {
        if (idle.isOn()) {
            links.use(name);
        }
    }

    /** Closes a connection that has shown no credential in time (wire reference 2.5). */
    void authenticationDeadline() {
        if (authorization.isEmpty()) {
            close(ErrorCode.CONNECTION_FORCED, "The connection has shown no valid token in time.");
        }
    }

    /** Closes the connection with an error, if there is still somebody to tell, and the socket in any case. */
    void close(ErrorCode code, String description) {
        if (ended) {
            return;
        }
        Connection connection = engine.connection();
        if (connection.isLocallyOpen() && !engine.isFailed()) {
            connection.setCondition(errors.of(code, description));
            connection.close();
        }
        transport.close();
        end();
    }

    private void engineFailed() {
        Throwable cause = engine.failureCause();
        LOG.atInfo()
                .addKeyValue(LogKeys.CONNECTION, containerId)
                .log("A connection is closed: {}", cause == null ? "it broke the protocol" : cause.getMessage());
        frames.flush();
        transport.close();
        end();
    }

    /** The socket is gone. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        List<LinkHandler> left = links.removeAll();
        left.forEach(LinkHandler::gone);
        namespace.countLinks(-left.size());
        sessionLinks.end();
        home.close();
        ledger.clear();
        namespace.leave();
        if (!engine.isFailed()) {
            engine.shutdown();
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Runs something of ours; what it throws is a mistake of ours, ends this connection and no other. */
    void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | StackOverflowError e) {
            if (ended) {
                LOG.atDebug()
                        .addKeyValue(LogKeys.CONNECTION, containerId)
                        .setCause(e)
                        .log("After the end of a connection");
                return;
            }
            LOG.atError()
                    .addKeyValue(LogKeys.CONNECTION, containerId)
                    .setCause(e)
                    .log("A connection is closed because of a failure in the server");
            close(ErrorCode.INTERNAL, ErrorCode.INTERNAL.text());
        }
    }

    /** A listener whose calls are guarded and followed by a flush. */
    ReplyListener replies(Consumer<Reply> onReply, Consumer<Rejection> onRejected) {
        return replies(onReply, onRejected, false);
    }

    /**
     * As {@link #replies(Consumer, Consumer)}.
     *
     * @param patient whether the client is told nothing of success
     */
    ReplyListener replies(Consumer<Reply> onReply, Consumer<Rejection> onRejected, boolean patient) {
        return new ReplyListener() {
            @Override
            public boolean isPatient() {
                return patient;
            }

            @Override
            public void onReply(Reply reply) {
                guarded(() -> onReply.accept(reply));
            }

            @Override
            public void onRejected(Rejection rejection) {
                guarded(() -> onRejected.accept(rejection));
            }
        };
    }

    /** Sends what was written, at the end of this turn of the event loop. */
    void wantFlush() {
        if (!flushWanted && !ended) {
            flushWanted = true;
            transport.executor().execute(this::flush);
        }
    }

    void flush() {
        flushWanted = false;
        if (!ended) {
            guarded(frames::flush);
            transport.flush();
            if (!transport.isWritable()) {
                memory.output(transport.pendingOutputBytes());
            }
        }
    }

    /** The socket takes bytes again. */
    void writable() {
        for (LinkHandler link : links.copy()) {
            guarded(() -> {
                link.resume();
                if (link instanceof LinkOutput output) {
                    output.pump();
                }
            });
        }
    }

    // What the guard tells.

    @Override
    public void onOutcome(SessionWire session, int first, int last, @Nullable DeliveryState state, boolean settled) {
        guarded(() -> ledger.outcome(session, first, last, state, settled));
    }

    @Override
    public void onBegin(SessionWire session) {
        session.memoryBytes(memory.state(ConnectionMemory.SESSION_BYTES, intake.frameBytes()));
    }

    @Override
    public void onAttach(LinkWire link) {
        link.memoryBytes(memory.state(ConnectionMemory.LINK_BYTES, intake.frameBytes()));
    }

    @Override
    public void onDetached(LinkWire link) {
        memory.giveBackState(link.memoryBytes());
    }

    @Override
    public void onStolen(LinkWire old) {
        guarded(() -> {
            LinkHandler link = links.get(old);
            if (link != null) {
                link.close(errors.of(
                        LinkError.STOLEN.toString(), "Another link of the name '" + old.name() + "' was attached."));
            }
        });
    }

    @Override
    public void onWindow(SessionWire session) {
        if (session.outputBlocked()) {
            session.outputBlocked(false);
            links.of(session).forEach(link -> guarded(link::resume));
        }
    }

    @Override
    public void onEnd(SessionWire session) {
        guarded(() -> {
            links.of(session).forEach(this::remove);
            ledger.end(session);
            sessionCount--;
            memory.giveBackState(session.memoryBytesOfAll());
        });
    }

    /** Gives the close that follows the condition of the wire reference: the engine calls everything internal. */
    private void failing(Throwable cause) {
        broken = true;
        Connection connection = engine.connection();
        if (connection.getCondition() != null) {
            return;
        }
        boolean undecodable = !(cause instanceof ProtocolViolationException);
        for (Throwable at = cause; at != null; at = at.getCause()) {
            undecodable |= at instanceof DecodeException;
        }
        connection.setCondition(
                undecodable
                        ? errors.of(ErrorCode.DECODE_ERROR, "Expected a frame, but it does not decode.")
                        : errors.of(
                                ConnectionError.FRAMING_ERROR.toString(),
                                "The peer broke the protocol: "
                                        + ClientText.abbreviate(String.valueOf(cause.getMessage()))));
    }

    // What links use.

    void add(LinkHandler link) {
        idle.linked();
        if (links.add(link)) {
            namespace.countLinks(1);
        }
    }

    void remove(LinkHandler link) {
        if (links.remove(link)) {
            namespace.countLinks(-1);
        }
        link.gone();
    }

    /** Counts a token or a password that was not believed. */
    void refusedCredential(Namespace of) {
        context.meter().of(of.name()).refusedCredentials.increment();
        if (!authenticated && ++refusedCredentials > REFUSED_CREDENTIALS_MAX) {
            transport
                    .executor()
                    .execute(() -> close(
                            ErrorCode.CONNECTION_FORCED,
                            "Expected a valid token, but " + REFUSED_CREDENTIALS_MAX + " were refused."));
        }
    }

    /** The transactions declared on this connection. */
    DeclaredTransactions transactions() {
        return transactions;
    }

    /** The links that are attached. */
    OpenLinks links() {
        return links;
    }

    DeliveryLedger ledger() {
        return ledger;
    }

    /** Forgets deliveries that the client has settled. */
    void forget(List<UnsettledDeliveries.Entry> deliveries) {
        makeRoom(() -> ledger.forget(deliveries));
    }

    /** Settles deliveries with the answer to the client's outcome. */
    void settle(List<UnsettledDeliveries.Entry> deliveries, DeliveryState answer) {
        makeRoom(() -> ledger.acknowledge(deliveries, answer));
        wantFlush();
    }

    /** Takes deliveries out of the ledger; if it had no room for more, links go on that waited for that. */
    private void makeRoom(Runnable taking) {
        boolean full = !ledger.mayTrackMore();
        taking.run();
        if (full && ledger.mayTrackMore()) {
            writable();
        }
    }

    /** Has the link complete what its client accepted, at the end of what is being read. */
    void completeSoon(OutgoingLink link) {
        completing.add(link);
    }

    /** Has all links complete what their client accepted: what comes next may depend on it. */
    void completeAccepted() {
        if (!completing.isEmpty()) {
            List<OutgoingLink> all = List.copyOf(completing);
            completing.clear();
            all.forEach(link -> guarded(link::completeAccepted));
        }
    }

    /** Changes the bytes handed to shards and not answered. */
    void inFlight(long deltaBytes) {
        memory.inFlight(deltaBytes);
    }

    /** Changes the bytes of messages that have not arrived whole. */
    void partial(long deltaBytes) {
        if (!memory.partial(deltaBytes)) {
            close(ErrorCode.QUOTA_EXCEEDED, "Too many bytes of unfinished messages on the connection.");
        }
    }

    LinkWire wire(String engineName) {
        LinkWire wire = table.link(engineName);
        if (wire == null) {
            throw new IllegalStateException("Expected every attach to pass the guard.");
        }
        return wire;
    }

    /** Why the link that was attached last is one too many; null if it is not. */
    @Nullable
    Rejection noRoomForLink() {
        if (authorization.isEmpty() && table.linkCount() > UNAUTHENTICATED_LINKS_MAX) {
            close(ErrorCode.CONNECTION_FORCED, "Expected a token before that many links.");
        }
        if (table.linkCount() > context.limits().maxLinks()) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + context.limits().maxLinks()
                            + " links on a connection, but this is one more.");
        }
        if (!memory.stateUsedUp()) {
            return null;
        }
        if (memory.hasMuchState()) {
            close(ErrorCode.QUOTA_EXCEEDED, MEMORY_USED_UP); // a link that is refused costs memory until it is detached
        }
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, MEMORY_USED_UP);
    }

    Rejection notFound(EntityAddress address) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The messaging entity '" + uri(address) + "' could not be found. To know more visit the documentation"
                        + " of entity names.");
    }

    Rejection unauthorized(String claim, EntityAddress address) {
        return new Rejection(
                ErrorCode.UNAUTHORIZED,
                "Unauthorized access. '" + claim + "' claim(s) are required to perform this operation. Resource: '"
                        + uri(address) + "'.");
    }

    /** The refusal of an attach by the entity itself, in the words clients look for. */
    ErrorCondition refusal(Rejection rejection, EntityAddress address) {
        return errors.of(
                rejection.code() == ErrorCode.ENTITY_NOT_FOUND ? notFound(address) : rejection, address.path());
    }

    private String uri(EntityAddress address) {
        return "sb://" + host + "/" + address.path() + address.subQueue().suffix();
    }

    Namespace namespace() {
        Namespace open = namespace.get();
        if (open == null) {
            throw new IllegalStateException("Expected the connection to be open.");
        }
        return open;
    }

    long nowMs() {
        return context.broker().clock().nowMs();
    }

    Executor executor() {
        return transport.executor();
    }

    /** Address and port of the client, for logs. */
    String client() {
        return transport.client();
    }

    /** Where its receivers are at home. */
    ReceiverHome home() {
        return home;
    }

    boolean isWritable() {
        return transport.isWritable();
    }

    FrameWriter frames() {
        return frames;
    }

    InboundGuard guard() {
        return guard;
    }

    Errors errors() {
        return errors;
    }

    Authorization authorization() {
        return authorization;
    }

    ResponseLinks responseLinks() {
        return responseLinks;
    }

    SessionLinks sessionLinks() {
        return sessionLinks;
    }

    ConnectionLimits limits() {
        return context.limits();
    }

    /** The memory that the connection holds. */
    ConnectionMemory memory() {
        return memory;
    }

    /** The largest message, request or answer that the memory of the server permits, in bytes. */
    long messageBytesMax() {
        return context.memory().messageBytesMax();
    }

    /** There may be memory for work and for deliveries that waited for it. */
    void memoryMayBeFree() {
        if (!ended) {
            guarded(memory::goOn);
            writable();
        }
    }

    private boolean unfinishedForTooLong(long nowMs) {
        return (memory.hasUnfinishedFrame()
                        && nowMs - memory.frameSinceMs() > context.limits().unfinishedTimeoutMs())
                || (memory.hasPartial() && links.areUnfinishedForTooLong(nowMs));
    }

    /** The time of the last tick, in milliseconds of a clock that only goes forward. */
    long tickMs() {
        return lastTickMs;
    }
}
