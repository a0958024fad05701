package dev.jitney.testing.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.sasl.SaslOutcome;
import org.apache.qpid.protonj2.engine.sasl.client.SaslAuthenticator;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.apache.qpid.protonj2.engine.sasl.client.SaslMechanismSelector;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * A connection with one AMQP session. Any thread may open links and close the connection. All other calls on a link must run on
 * the event loop, by {@link #execute}.
 *
 * <p>The frames of one turn of the event loop are collected in one buffer and flushed together.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 64 * 1024;
    private static final int GATHER_BYTES = 128 * 1024;

    private final Endpoint endpoint;
    private final Channel channel;
    private final CompletableFuture<ClientConnection> opened;
    private final CompletableFuture<AmqpException> closed = new CompletableFuture<>();
    private final Engine engine = EngineFactory.PROTON.createEngine();
    private final Connection connection = engine.connection();
    private final Session session;
    /** Callbacks to run when there may be credit or room to write again. */
    private final List<Runnable> pumps = new ArrayList<>();

    private @Nullable ByteBuf gathered;
    private boolean flushScheduled;
    private boolean inTurn;

    ClientConnection(Endpoint endpoint, Channel channel, CompletableFuture<ClientConnection> opened) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.opened = opened;
        this.session = connection.session();
    }

    /** Completes with the reason when the connection has ended; never exceptionally. */
    public CompletableFuture<AmqpException> closed() {
        return closed;
    }

    /** Runs a task on the event loop, and flushes afterwards. */
    public void execute(Runnable task) {
        channel.eventLoop().execute(() -> turn(task));
    }

    /** Runs a task on the event loop after a delay. */
    public void later(Runnable task, long delay, TimeUnit unit) {
        channel.eventLoop().schedule(() -> turn(task), delay, unit);
    }

    /** Opens a link that sends to an entity. */
    public CompletableFuture<SenderLink> sender(String address, SenderLink.Listener listener) {
        return open(() -> SenderLink.open(this, address, listener));
    }

    /**
     * Opens a link that receives from an entity.
     *
     * @param credit the number of messages the broker may send ahead; it is replenished when half is used
     * @param peekLock whether the receiver settles messages; false means receive-and-delete
     */
    public CompletableFuture<ReceiverLink> receiver(
            String address, int credit, boolean peekLock, ReceiverLink.Listener listener) {
        return receiver(address, credit, peekLock ? Settling.CONFIRMED : Settling.BEFORE_ARRIVAL, listener);
    }

    /** Opens a receiving link with any settlement mode. */
    public CompletableFuture<ReceiverLink> receiver(
            String address, int credit, Settling settling, ReceiverLink.Listener listener) {
        return open(() -> ReceiverLink.open(this, address, credit, settling, listener));
    }

    /** Opens a link to the transaction coordinator on the session of all links, so that transactions may span entities. */
    public CompletableFuture<CoordinatorLink> coordinator() {
        return open(() -> CoordinatorLink.open(this));
    }

    /**
     * Opens a link that receives the messages of a session from an entity and settles them.
     *
     * @param sessionId the session id, or null for the next available session
     * @param credit the number of messages the broker may send ahead
     */
    public CompletableFuture<ReceiverLink> sessionReceiver(
            String address, @Nullable String sessionId, int credit, ReceiverLink.Listener listener) {
        return open(() -> ReceiverLink.openSession(this, address, sessionId, credit, listener));
    }

    /** Opens a pair of links to the management node of an entity. */
    public CompletableFuture<RequestLink> management(String entity) {
        return open(() -> RequestLink.open(this, entity + "/$management"));
    }

    private <T> CompletableFuture<T> open(Supplier<CompletableFuture<T>> attach) {
        CompletableFuture<T> result = new CompletableFuture<>();
        closed.thenAccept(result::completeExceptionally);
        execute(() -> attach.get().whenComplete((link, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else {
                result.complete(link);
            }
        }));
        return result;
    }

    /** Closes the connection with a close frame. The socket closes on the broker's response or when the connection breaks. */
    @Override
    public void close() {
        if (channel.eventLoop().isShuttingDown()) {
            return;
        }
        execute(() -> {
            if (connection.isLocallyOpen() && engine.isWritable()) {
                connection.close();
                flush();
            }
            channel.close();
        });
    }

    /** Stops reading from the socket, like a client that hangs. */
    public void stopReading() {
        channel.config().setAutoRead(false);
    }

    /** Closes the socket without a close frame. */
    public void abort() {
        channel.close();
    }

    Session session() {
        return session;
    }

    /** Returns whether the socket accepts more data; checked between two sends. */
    boolean isWritable() {
        return channel.isWritable() && channel.isActive() && engine.isWritable();
    }

    /** Adds a callback for the end of each turn in which bytes arrived or the socket accepted some. */
    void addPump(Runnable pump) {
        pumps.add(pump);
    }

    static AmqpException error(@Nullable ErrorCondition condition, String what) {
        return condition == null
                ? new AmqpException(null, what, null)
                : new AmqpException(condition.getCondition().toString(), condition.getDescription(), null);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        turn(() -> {
            engine.pipeline().addFirst("end-of-state-news", new EndOfStateNews());
            engine.outputHandler(this::gather);
            engine.errorHandler(failed -> end(failed.failureCause()));
            engine.saslDriver()
                    .client()
                    .setListener(new SaslAuthenticator(
                                    new SaslMechanismSelector(Set.of(Symbol.valueOf("PLAIN"))),
                                    new Credentials(endpoint))
                            .saslComplete(outcome -> {
                                if (outcome != SaslOutcome.SASL_OK) {
                                    end(new AmqpException("amqp:unauthorized-access", "SASL outcome " + outcome, null));
                                }
                            }));
            connection.setContainerId("bench-" + channel.id().asShortText());
            connection.setHostname(endpoint.host());
            connection.setMaxFrameSize(MAX_FRAME_BYTES);
            connection.openHandler(open -> session.open());
            connection.closeHandler(over -> end(error(over.getRemoteCondition(), "The broker closed the connection.")));
            session.openHandler(open -> opened.complete(this));
            session.closeHandler(over -> end(error(over.getRemoteCondition(), "The broker ended the session.")));
            engine.start();
            connection.open();
            engine.tickAuto(channel.eventLoop());
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        inTurn = true;
        ByteBuf bytes = (ByteBuf) message;
        try {
            // A heap copy for the garbage collector, because messages are read after the socket's buffer is reused.
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            ProtonBuffer input = ProtonByteArrayBufferAllocator.wrapped(copy);
            while (input.isReadable() && engine.isRunning()) {
                engine.ingest(input);
            }
        } catch (RuntimeException e) {
            end(e);
        } finally {
            ReferenceCountUtil.release(bytes);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turn(this::pump);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable() && !inTurn) {
            // Run it later, because this method may be called from within a flush.
            execute(this::pump);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(new AmqpException(null, "The connection was lost.", null));
        try {
            engine.shutdown();
        } catch (RuntimeException e) {
            closed.obtrudeValue(new AmqpException(null, "The connection was lost: " + e, e));
        }
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(cause);
    }

    private void pump() {
        for (int i = 0; i < pumps.size() && isWritable(); i++) {
            pumps.get(i).run();
        }
    }

    private void turn(Runnable task) {
        inTurn = true;
        try {
            task.run();
        } catch (RuntimeException e) {
            end(e);
        } finally {
            inTurn = false;
            flush();
        }
    }

    private void gather(ProtonBuffer frame, @Nullable Runnable done) {
        int size = frame.getReadableBytes();
        ByteBuf target = gathered;
        if (target != null && target.writableBytes() < size) {
            channel.write(target, channel.voidPromise());
            target = null;
        }
        if (target == null) {
            target = channel.alloc().directBuffer(Math.max(size, GATHER_BYTES));
            gathered = target;
        }
        int at = target.writerIndex();
        ByteBuffer room = target.internalNioBuffer(at, size);
        frame.copyInto(frame.getReadOffset(), room, room.position(), size);
        target.writerIndex(at + size);
        frame.close();
        if (done != null) {
            done.run();
        }
        if (!inTurn && !flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(this::flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        ByteBuf last = gathered;
        gathered = null;
        if (last == null) {
            channel.flush();
        } else {
            channel.writeAndFlush(last, channel.voidPromise());
        }
    }

    private void end(@Nullable Throwable cause) {
        AmqpException reason =
                cause instanceof AmqpException known ? known : new AmqpException(null, String.valueOf(cause), cause);
        if (closed.complete(reason)) {
            opened.completeExceptionally(reason);
            channel.close();
        }
    }

    /** A handler that drops this event. In protonj2 1.1.0 the pipeline's end passes it to itself until the stack overflows. */
    private static final class EndOfStateNews implements EngineHandler {
        @Override
        public void handleEngineStateChanged(EngineHandlerContext context) {
            // No handler needs it.
        }
    }

    /** Rule name and key for SASL PLAIN. */
    private record Credentials(Endpoint endpoint) implements SaslCredentialsProvider {
        @Override
        public String vhost() {
            return endpoint.host();
        }

        @Override
        public String username() {
            return endpoint.ruleName();
        }

        @Override
        public String password() {
            return endpoint.key();
        }

        @Override
        public @Nullable Principal localPrincipal() {
            return null;
        }
    }
}
