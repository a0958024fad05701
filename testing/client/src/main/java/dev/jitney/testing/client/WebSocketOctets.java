package dev.jitney.testing.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/**
 * A handler that makes a WebSocket work like a socket for the later handlers of the pipeline: bytes in, bytes out, and active
 * once the server has accepted the WebSocket.
 */
final class WebSocketOctets extends ChannelDuplexHandler {
    private static final int MAX_FRAME_BYTES = 1024 * 1024;
    private static final int MAX_ANSWER_BYTES = 8 * 1024;

    private WebSocketOctets() {}

    static void addTo(ChannelPipeline pipeline, Endpoint endpoint) {
        WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri("ws://" + endpoint.host() + ":" + endpoint.port() + "/$servicebus/websocket")
                .subprotocol("AMQPWSB10")
                .maxFramePayloadLength(MAX_FRAME_BYTES)
                .build();
        pipeline.addLast(
                new HttpClientCodec(),
                new HttpObjectAggregator(MAX_ANSWER_BYTES),
                new WebSocketClientProtocolHandler(config),
                new WebSocketOctets());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // Not yet, because the next handler would write.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
            context.fireChannelActive();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.fireChannelRead(((WebSocketFrame) message).content());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        context.write(message instanceof ByteBuf octets ? new BinaryWebSocketFrame(octets) : message, promise);
    }
}
