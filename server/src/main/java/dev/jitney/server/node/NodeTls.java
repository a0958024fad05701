package dev.jitney.server.node;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;

/**
 * TLS of a connection to the node port (CL-70). It is a handler of its own around that of Netty, because gateways take the handler of
 * Netty for the TLS of the client: below a connection that another node passes on, this handler stays where it is. For the event loop
 * of the connection, which may change.
 */
final class NodeTls extends ChannelDuplexHandler {
    private final SslHandler tls;

    NodeTls(SslHandler tls) {
        this.tls = tls;
    }

    /** Returns the session. It is complete after the handshake. */
    SSLSession session() {
        return tls.engine().getSession();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        tls.handlerAdded(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) throws Exception {
        tls.handlerRemoved(context);
    }

    @Override
    public void channelRegistered(ChannelHandlerContext context) throws Exception {
        tls.channelRegistered(context);
    }

    @Override
    public void channelUnregistered(ChannelHandlerContext context) throws Exception {
        tls.channelUnregistered(context);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        tls.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        tls.channelInactive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        tls.channelRead(context, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        tls.channelReadComplete(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        tls.userEventTriggered(context, event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        tls.channelWritabilityChanged(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        tls.exceptionCaught(context, cause);
    }

    @Override
    public void bind(ChannelHandlerContext context, SocketAddress address, ChannelPromise promise) throws Exception {
        tls.bind(context, address, promise);
    }

    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise)
            throws Exception {
        tls.connect(context, remote, local, promise);
    }

    @Override
    public void disconnect(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        tls.disconnect(context, promise);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        tls.close(context, promise);
    }

    @Override
    public void deregister(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        tls.deregister(context, promise);
    }

    @Override
    public void read(ChannelHandlerContext context) throws Exception {
        tls.read(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        tls.write(context, message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
        tls.flush(context);
    }
}
