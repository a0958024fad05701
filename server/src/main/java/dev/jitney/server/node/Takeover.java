package dev.jitney.server.node;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.front.RelayRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The last handler of a connection at the node port that becomes the connection of a client. It keeps the bytes that arrive
 * until the connection has left its event loop. For that event loop.
 */
final class Takeover extends ChannelInboundHandlerAdapter {
    private final RelayRequest relay;
    private final ClientGateways gateways;
    private @Nullable CompositeByteBuf early;

    Takeover(RelayRequest relay, ClientGateways gateways) {
        this.relay = relay;
        this.gateways = gateways;
    }

    /** Hands the connection over when the consent is sent. */
    void begin(Channel channel, ChannelFuture sent) {
        sent.addListener(written -> {
            if (written.isSuccess()) {
                channel.deregister().addListener(left -> leave(channel));
            } else {
                channel.close();
            }
        });
    }

    private void leave(Channel channel) {
        ByteBuf bytes = take();
        if (!channel.isOpen()) { // the other node has closed the connection
            bytes.release();
            return;
        }
        channel.pipeline().remove(this);
        gateways.adopt(new HandedSocket(channel, bytes, relay.client()), relay.protocols());
    }

    private ByteBuf take() {
        CompositeByteBuf all = early;
        early = null;
        return all == null ? Unpooled.EMPTY_BUFFER : all;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            from.fireChannelRead(message);
            return;
        }
        CompositeByteBuf all = early;
        if (all == null) {
            all = from.alloc().compositeBuffer();
            early = all;
        }
        all.addComponent(true, bytes);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext from) {
        take().release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        from.close();
    }
}
