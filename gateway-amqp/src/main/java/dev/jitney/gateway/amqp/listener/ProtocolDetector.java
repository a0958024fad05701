package dev.jitney.gateway.amqp.listener;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.listener.FirstBytes.Protocol;
import dev.jitney.gateway.amqp.shared.GatewayContext;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first handler of a connection on a shared port: reads until the protocol is known, then takes itself out of the
 * way. For the event loop of the channel; {@link #end} and {@link #giveUp} are for any thread.
 *
 * <table>
 * <caption>What becomes of a connection</caption>
 * <tr><th>first bytes</th><th>then</th></tr>
 * <tr><td>AMQP</td><td>an {@link AmqpConnectionHandler} takes its place, with all bytes</td></tr>
 * <tr><td>HTTP</td><td>the channel leaves its event loop and goes through the {@link HttpDoor}</td></tr>
 * <tr><td>TLS</td><td>a handler of TLS goes before this one, which reads on behind it</td></tr>
 * <tr><td>anything else, or what the port does not serve</td><td>refused, and closed</td></tr>
 * <tr><td>nothing for {@code timeoutMs}; twice that in all if TLS begins in time</td><td>closed</td></tr>
 * </table>
 *
 * <p>An undecided connection is one of the {@linkplain UndecidedSockets limited number} of them, and its memory counts
 * among that of clients without a credential.
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
     * What the connections of all shared ports have in common.
     *
     * @param gateway the AMQP side
     * @param tls server side TLS settings, or null if no port serves TLS
     * @param door where HTTP goes
     * @param undecided the connections whose protocol is not known
     * @param timeoutMs how long a client may take until it has told its protocol, milliseconds
     */
    public record Listener(
            GatewayContext gateway,
            @Nullable SslContext tls,
            HttpDoor door,
            UndecidedSockets undecided,
            long timeoutMs) {}

    /**
     * @param port the protocols that are served
     * @param beforeHttp called before the channel goes through the door, on its event loop
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
            beginTls(from, listener.tls());
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
            // An unknown protocol is answered with the one we speak (AMQP 1.0 part 2, 2.2).
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
        from.pipeline().addFirst(tls.newHandler(from.alloc()));
        from.pipeline().fireChannelRead(hello);
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
        channel.config().setAutoRead(false); // what has been read already goes along
        beforeHttp.run();
        channel.deregister().addListener(left -> {
            ByteBuf bytes = takeSeen();
            leaving = false;
            if (from.isRemoved()) { // the client has gone
                bytes.release();
                return;
            }
            from.pipeline().remove(this);
            listener.door().take(new HandedSocket(channel, bytes));
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

    /** The connection is not undecided any more. */
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
            LOG.debug("Socket {} failed: {}", from.channel().remoteAddress(), cause.getMessage());
        } else {
            LOG.info("Connection {} is closed: {}", from.channel().remoteAddress(), cause.toString());
        }
        from.close();
    }

    private void close() {
        ChannelHandlerContext on = context;
        if (on != null && !decided) {
            settled();
            // Next to the socket: a client that has said nothing gets no farewell of TLS, for which it would be waited.
            on.channel().unsafe().close(on.channel().unsafe().voidPromise());
        }
    }

    /** Closes the connection because there are too many like it. */
    void giveUp() {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.executor().execute(this::close);
        }
    }

    /** Closes the connection because of the memory that all without a credential hold. */
    @Override
    public void end(String why) {
        giveUp();
    }

    @Override
    public void resume() {
        // It waits for nothing but the client.
    }
}
