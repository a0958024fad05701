package dev.jitney.gateway.amqp.listener;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.listener.FirstBytes.Protocol;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.wire.ClientAddress;
import dev.jitney.gateway.amqp.wire.Refusals;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first handler of a connection on a shared port. It reads until the protocol is known, and then removes itself.
 * For the event loop of the channel; any thread may call {@link #end} and {@link #giveUp}.
 *
 * <table>
 * <caption>The next step of a connection</caption>
 * <tr><th>first bytes</th><th>next step</th></tr>
 * <tr><td>AMQP</td><td>an {@link AmqpConnectionHandler} replaces this handler and gets all bytes</td></tr>
 * <tr><td>HTTP</td><td>the channel leaves its event loop and passes through the {@link HttpDoor}</td></tr>
 * <tr><td>TLS</td><td>a TLS handler is added before this one, which continues to read behind it</td></tr>
 * <tr><td>another protocol, or one that the port does not serve</td><td>refused and closed</td></tr>
 * <tr><td>none within {@code timeoutMs}, or twice that time in all if TLS begins in time</td><td>closed</td></tr>
 * </table>
 *
 * <p>The number of undecided connections is {@linkplain UndecidedSockets limited}. Their memory counts as memory of
 * unauthenticated clients.
 */
public final class ProtocolDetector extends ChannelInboundHandlerAdapter implements MemoryAccount.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(ProtocolDetector.class);

    private final Listener listener;
    private final SharedPort port;
    private final Runnable beforeHttp;
    private @Nullable ChannelHandlerContext context;
    private @Nullable CompositeByteBuf seen;
    private @Nullable MemoryAccount account;
    private @Nullable Future<?> deadline;
    private FirstBytes first = new FirstBytes();
    private boolean secure;
    private boolean decided;
    private boolean leaving;

    /**
     * The common settings of connections on all shared ports.
     *
     * @param gateway AMQP side
     * @param tls server side TLS settings, read for each connection, or null if no port serves TLS
     * @param door destination of HTTP connections
     * @param undecided connections whose protocol is not known yet
     * @param timeoutMs time within which a client must send enough bytes to identify its protocol, in milliseconds
     */
    public record Listener(
            GatewayContext gateway,
            @Nullable Supplier<SslContext> tls,
            HttpDoor door,
            UndecidedSockets undecided,
            long timeoutMs) {}

    /**
     * @param port protocols of the port
     * @param beforeHttp called before the channel passes through the door, on its event loop
     */
    public ProtocolDetector(Listener listener, SharedPort port, Runnable beforeHttp) {
        this.listener = listener;
        this.port = port;
        this.beforeHttp = beforeHttp;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        if (added.channel().isActive()) {
            start(added);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        start(active);
        active.fireChannelActive();
    }

    private void start(ChannelHandlerContext active) {
        if (account == null && !decided) {
            MemoryAccount opened = listener.gateway().memory().open(this);
            account = opened;
            opened.hold(MemoryPurpose.STATE, AmqpConnectionHandler.SOCKET_BYTES);
            awaitBytes(active);
            listener.undecided().add(this);
        }
    }

    private void awaitBytes(ChannelHandlerContext active) {
        Future<?> before = deadline;
        if (before != null) {
            before.cancel(false);
        }
        deadline = active.executor().schedule(this::close, listener.timeoutMs(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            from.fireChannelRead(message);
            return;
        }
        if (decided && !leaving) {
            bytes.release(); // refused
            return;
        }
        int at = bytes.readerIndex();
        keep(from, bytes);
        while (!decided && at < bytes.writerIndex()) {
            Protocol protocol = first.next(bytes.getByte(at++));
            if (protocol != Protocol.UNDECIDED) {
                decide(from, protocol);
                return;
            }
        }
    }

    private void keep(ChannelHandlerContext from, ByteBuf bytes) {
        CompositeByteBuf all = seen;
        if (all == null) {
            all = from.alloc().compositeBuffer(FirstBytes.METHOD_CHARACTERS_MAX + 2);
            seen = all;
        }
        all.addComponent(true, bytes);
    }

    private void decide(ChannelHandlerContext from, Protocol protocol) {
        boolean mayAmqp = secure ? port.amqps() : port.amqp();
        boolean mayHttp = secure ? port.https() : port.http();
        if (protocol == Protocol.TLS && !secure && port.tls() && listener.tls() != null) {
            beginTls(from, listener.tls().get());
        } else if (protocol == Protocol.TLS && !secure) {
            refused();
            listener.gateway().refusals().tls(from);
        } else if (protocol == Protocol.AMQP && mayAmqp) {
            beginAmqp(from);
        } else if (protocol == Protocol.HTTP && mayHttp) {
            beginHttp(from);
        } else if (protocol == Protocol.HTTP && !secure && port.tls()) {
            refused();
            listener.gateway().refusals().plainHttp(from);
        } else if (protocol == Protocol.AMQP && !secure && port.tls()) {
            refused();
            listener.gateway().refusals().plainAmqp(from);
        } else {
            refused();
            // The answer to an unknown protocol is the header of the supported one (AMQP 1.0 part 2, 2.2).
            Refusals.end(from, AmqpConnectionHandler.protocolHeader());
        }
    }

    private void beginTls(ChannelHandlerContext from, SslContext tls) {
        MemoryAccount own = account;
        if (own != null) {
            own.hold(MemoryPurpose.STATE, AmqpConnectionHandler.TLS_BYTES);
        }
        awaitBytes(from);
        secure = true;
        first = new FirstBytes();
        ByteBuf hello = takeSeen();
        // Directly before this handler: a node that passed the connection on may have a handler of its own below.
        SslHandler handler = tls.newHandler(from.alloc());
        from.pipeline().addBefore(from.name(), null, handler);
        try {
            handler.channelRead(from.pipeline().context(handler), hello);
        } catch (Exception e) { // declared by Netty
            exceptionCaught(from, e);
        }
    }

    private void beginAmqp(ChannelHandlerContext from) {
        settled();
        SslHandler tls = from.pipeline().get(SslHandler.class);
        String name = tls == null
                ? null
                : AmqpConnectionHandler.requestedName(tls.engine().getSession());
        AmqpConnectionHandler amqp = new AmqpConnectionHandler(listener.gateway(), name);
        ByteBuf bytes = takeSeen();
        from.pipeline().addLast(amqp);
        ChannelHandlerContext next = from.pipeline().context(amqp);
        from.pipeline().remove(this);
        amqp.channelRead(next, bytes);
    }

    private void beginHttp(ChannelHandlerContext from) {
        settled();
        leaving = true;
        Channel channel = from.channel();
        channel.config().setAutoRead(false); // the bytes already read go with the socket
        beforeHttp.run();
        channel.deregister().addListener(left -> {
            ByteBuf bytes = takeSeen();
            leaving = false;
            if (from.isRemoved()) { // the client has closed the socket
                bytes.release();
                return;
            }
            from.pipeline().remove(this);
            listener.door().take(new HandedSocket(channel, bytes, ClientAddress.passedOn(channel)));
        });
    }

    private ByteBuf takeSeen() {
        CompositeByteBuf all = seen;
        seen = null;
        return all == null ? Unpooled.EMPTY_BUFFER : all;
    }

    private void refused() {
        settled();
        takeSeen().release();
    }

    /** Removes the connection from the undecided ones. */
    private void settled() {
        decided = true;
        listener.undecided().remove(this);
        Future<?> task = deadline;
        if (task != null) {
            task.cancel(false);
        }
        MemoryAccount own = account;
        if (own != null) {
            own.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        gone();
        from.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext from) {
        gone();
    }

    private void gone() {
        if (!leaving) {
            settled();
            takeSeen().release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("Socket {} failed: {}", ClientAddress.of(from.channel()), cause.getMessage());
        } else {
            LOG.info("Connection {} is closed: {}", ClientAddress.of(from.channel()), cause.toString());
        }
        from.close();
    }

    private void close() {
        ChannelHandlerContext on = context;
        if (on != null && !decided) {
            settled();
            // Closes the socket itself: a client that has sent nothing gets no close_notify of TLS, which would delay
            // the close.
            on.channel().unsafe().close(on.channel().unsafe().voidPromise());
        }
    }

    /** Closes the connection before its protocol is known. */
    void giveUp() {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.executor().execute(this::close);
        }
    }

    /** Closes the connection because of the memory that all unauthenticated clients hold. */
    @Override
    public void end(String why) {
        giveUp();
    }

    @Override
    public void resume() {
        // The connection waits only for its client.
    }
}
