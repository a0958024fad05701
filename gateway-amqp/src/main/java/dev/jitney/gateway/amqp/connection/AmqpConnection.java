package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.access.SaslNegotiation;
import dev.jitney.gateway.amqp.link.LinkAcceptor;
import dev.jitney.gateway.amqp.link.LinkContext;
import dev.jitney.gateway.amqp.message.Errors;
import dev.jitney.gateway.amqp.shared.ConnectionCloser;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.gateway.amqp.wire.FailureWatch;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.InboundGuard;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.SessionWire;
import dev.jitney.gateway.amqp.wire.WireTable;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClient;
import dev.jitney.runtime.memory.MemoryAccount;
import java.security.cert.X509Certificate;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection without its socket: it takes bytes, writes bytes to a {@link Transport}, and receives the time as an
 * argument.
 *
 * <p>The protonj2 engine keeps the protocol's states; {@link InboundGuard} and {@link FrameWriter} stand at its two
 * ends. All methods are called on the event loop.
 */
final class AmqpConnection implements InboundGuard.Listener, ConnectionCloser {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpConnection.class);
    /** The session limit before authentication: more than enough to send a token. Each session costs memory. */
    private static final int UNAUTHENTICATED_SESSIONS_MAX = 32;

    private final ConnectionLimits limits;
    private final Transport transport;
    private final @Nullable String serverName;
    private final long number;
    private final String containerId;
    private final FrameWriter frames;
    private final FrameIntake intake;
    private final SaslIntake saslIntake;
    private final ProtonEngine engine = new ProtonEngine();
    private final @Nullable SaslNegotiation sasl;
    private final ConnectionClock clock;
    private final ConnectionMemory memory;
    private final ConnectionAccess access;
    private final RightsWatch rights;
    private final ConnectionLoop loop;
    private final LinkContext context;
    private final LinkAcceptor acceptor;
    private int sessionCount;
    private long openedAtMs;
    private boolean broken;
    private boolean ended;

    AmqpConnection(
            GatewayContext gateway,
            Transport transport,
            MemoryAccount account,
            boolean withSasl,
            @Nullable String serverName,
            @Nullable X509Certificate certificate,
            long nowMs) {
        this.transport = transport;
        this.serverName = serverName;
        limits = gateway.limits();
        number = gateway.nextConnectionNumber();
        containerId = gateway.containerId(number);
        clock = new ConnectionClock(limits.idleTimeoutMs(), nowMs);
        memory = new ConnectionMemory(limits, gateway.memory(), account, transport);
        Errors errors = new Errors(containerId, gateway.broker().clock());
        access = new ConnectionAccess(gateway, transport, account, this, errors);
        rights = new RightsWatch(access, this);
        WireTable table = new WireTable();
        frames = new FrameWriter(table, limits.idleTimeoutMs(), new ClockedOutput(clock, transport));
        loop = new ConnectionLoop(transport, frames, memory, this, containerId, nowMs);
        InboundGuard guard = new InboundGuard(table, this);
        intake = new FrameIntake(engine, guard, limits.maxFrameSizeBytes());
        saslIntake = new SaslIntake(
                engine, intake::take, withSasl && gateway.identities().isConfigured());
        context = new LinkContext(gateway, loop, frames, guard, memory, access);
        acceptor = new LinkAcceptor(context, table);
        sasl = withSasl
                ? new SaslNegotiation(
                        gateway,
                        serverName,
                        certificate,
                        access.gate(),
                        transport.executor(),
                        () -> loop.guarded(this::saslDecided))
                : null;
        startEngine(guard);
    }

    private void startEngine(InboundGuard guard) {
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
        connection.setMaxFrameSize(limits.maxFrameSizeBytes());
        connection.openHandler(opened -> loop.guarded(this::opened));
        connection.closeHandler(closed -> loop.guarded(this::closedByPeer));
        connection.sessionOpenHandler(session -> loop.guarded(() -> begin(session)));
        connection.senderOpenHandler(sender -> loop.guarded(() -> acceptor.clientReceives(sender)));
        connection.receiverOpenHandler(receiver -> loop.guarded(() -> acceptor.clientSends(receiver)));
        engine.start();
    }

    /** Takes bytes from the peer. The connection owns them from now on, and the caller must not change them. */
    void ingest(byte[] bytes, long nowMs) {
        if (ended) {
            return;
        }
        clock.read(nowMs);
        if (!access.noteAuthentication() && memory.exceedsUnauthenticatedLimit(bytes.length)) {
            close(
                    ErrorCode.CONNECTION_FORCED,
                    "The connection sent too many bytes without a valid token. Put a token first.");
            return;
        }
        saslIntake.take(bytes);
        if (!ended) {
            memory.unfinishedFrame(intake.unfinishedBytes() + saslIntake.unfinishedBytes(), nowMs);
        }
        context.completions().run();
        if (broken && !ended) {
            engineFailed(); // closed because of an error in a frame: the engine sends the close
        }
        endIfRefused();
    }

    /** Continues after a SASL outcome that was sent later than the client's response. */
    private void saslDecided() {
        transport.flush();
        endIfRefused();
    }

    private void endIfRefused() {
        if (sasl != null && sasl.refused() && !ended) {
            if (!sasl.isBusy()) {
                access.refusedCredential(sasl.judging());
            }
            transport.close();
            end();
        }
    }

    private void opened() {
        memory.state(0, intake.frameBytes());
        Connection connection = engine.connection();
        String asked = connection.getRemoteHostname() == null ? serverName : connection.getRemoteHostname();
        access.open(asked, sasl == null ? null : sasl.credential(), sasl == null ? null : sasl.identity());
        long peerFrame = Math.max(512, connection.getRemoteMaxFrameSize());
        int ownFrame = (int) Math.min(limits.maxFrameSizeBytes(), peerFrame);
        connection.setContainerId(containerId);
        connection.setMaxFrameSize(ownFrame);
        connection.setChannelMax(limits.maxSessions() - 1);
        connection.open();
        openedAtMs = access.nowMs();
        frames.maxFrameSize(ownFrame);
        clock.opened(connection.getRemoteIdleTimeout());
        access.enterIfDecided();
    }

    private void begin(Session session) {
        if (memory.stateUsedUp()) {
            close(ErrorCode.QUOTA_EXCEEDED, ConnectionMemory.STATE_USED_UP);
            return;
        }
        session.setHandleMax(limits.maxLinks() - 1L);
        session.closeHandler(closed -> closed.close());
        session.open();
        sessionCount++;
        if (access.authorization().isEmpty() && sessionCount > UNAUTHENTICATED_SESSIONS_MAX) {
            close(
                    ErrorCode.CONNECTION_FORCED,
                    "The connection began too many sessions without a valid token. Put a token first.");
        }
    }

    private void closedByPeer() {
        engine.connection().close();
        transport.close();
        end();
    }

    /**
     * Does everything that depends on time: checks for an idle peer, sends heartbeats, drops expired tokens, applies
     * changed access rules.
     *
     * @param nowMs milliseconds of a monotonic clock
     */
    void tick(long nowMs) {
        if (ended) {
            return;
        }
        access.noteAuthentication();
        memory.output(transport.pendingOutputBytes());
        context.transactions().giveBackEnded();
        memory.tick(context.deliveries().count(), nowMs);
        loop.tick(nowMs);
        if (unfinishedForTooLong(nowMs)) {
            close(
                    ErrorCode.CONNECTION_FORCED,
                    "Expected the rest of a message or frame, but it did not arrive in time.");
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
            loop.flush();
        }
        context.links().detachFromGoneEntities();
        Namespace gone = access.goneNamespace();
        if (gone != null) {
            close(ErrorCode.CONNECTION_FORCED, "The namespace '" + gone.name() + "' was deleted.");
            return;
        }
        String idle = context.links().closeIdle(nowMs);
        if (idle != null) {
            close(ErrorCode.CONNECTION_FORCED, idle);
        }
        if (!ended) {
            rights.tick(context.links().all());
        }
    }

    private boolean unfinishedForTooLong(long nowMs) {
        return (memory.hasUnfinishedFrame() && nowMs - memory.frameSinceMs() > limits.unfinishedTimeoutMs())
                || (memory.hasPartial() && context.links().areUnfinishedForTooLong(nowMs));
    }

    /** Closes a connection without a valid credential at the deadline (wire reference 2.5). */
    void authenticationDeadline() {
        if (access.authorization().isEmpty()) {
            close(ErrorCode.CONNECTION_FORCED, "Expected a valid token, but the connection sent none in time.");
        }
    }

    @Override
    public void close(ErrorCode code, String description) {
        if (ended) {
            return;
        }
        Connection connection = engine.connection();
        if (connection.isLocallyOpen() && !engine.isFailed()) {
            connection.setCondition(access.errors().of(code, description));
            connection.close();
        }
        transport.close();
        end();
    }

    private void engineFailed() {
        Throwable cause = engine.failureCause();
        LOG.atInfo()
                .addKeyValue(LogKeys.CONNECTION, containerId)
                .log("Closing a connection: {}", cause == null ? "protocol violation" : cause.getMessage());
        frames.flush();
        transport.close();
        end();
    }

    /** Releases everything when the socket has closed. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        context.links().end();
        acceptor.end();
        context.end();
        access.leave();
        if (!engine.isFailed()) {
            engine.shutdown();
        }
    }

    long number() {
        return number;
    }

    /** Returns the namespace, or null before it is open. */
    @Nullable
    Namespace namespace() {
        return access.namespaceOrNull();
    }

    /** Describes the connection for operators; returns null if no link carries messages of the entity or sub-queue. */
    @Nullable
    ConnectedClient describe(Entity entity, EntityAddress address) {
        return ended
                ? null
                : ClientDescription.of(
                        number, openedAtMs, access.client(), engine.connection(), context, entity, address);
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    /** Flushes the written frames. */
    void flush() {
        loop.flush();
    }

    /** Continues when the socket accepts bytes again. */
    void writable() {
        context.links().writable();
    }

    /** Reports the number of bytes that the client has not read from its socket. */
    void output(long pendingBytes) {
        memory.output(pendingBytes);
    }

    /** Retries work and deliveries that waited for memory. */
    void memoryMayBeFree() {
        if (!ended) {
            loop.guarded(memory::runWaiting);
            writable();
        }
    }

    // Calls of the guard.

    @Override
    public void onOutcome(SessionWire session, int first, int last, @Nullable DeliveryState state, boolean settled) {
        loop.guarded(() -> context.deliveries().outcome(session, first, last, state, settled));
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
        loop.guarded(() -> context.links().stolen(old));
    }

    @Override
    public void onWindow(SessionWire session) {
        context.links().resume(session);
    }

    @Override
    public void onEnd(SessionWire session) {
        loop.guarded(() -> {
            context.links().end(session);
            context.deliveries().end(session);
            sessionCount--;
            memory.giveBackState(session.memoryBytesOfAll());
        });
    }

    /**
     * Sets the error condition of the close to that of the wire reference; the engine would use "internal error" for
     * everything.
     */
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
                        ? access.errors().of(ErrorCode.DECODE_ERROR, "Expected a frame, but it cannot be decoded.")
                        : access.errors()
                                .of(
                                        ConnectionError.FRAMING_ERROR.toString(),
                                        "Protocol violation: "
                                                + ClientText.abbreviate(String.valueOf(cause.getMessage()))));
    }
}
