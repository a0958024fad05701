package dev.jitney.server.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** The reader of the leader's answer to a {@link RelayRequest}. It reads nothing behind the answer. For one event loop. */
final class RelayAnswer extends ByteToMessageDecoder {
    private static final int BYTES_MAX = 4 * 1024;
    private static final int STATUS_LINE_MAX = 100;
    private static final String ACCEPTED = "HTTP/1.1 101 ";
    private static final ByteBuf END = Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer(new byte[] {'\r', '\n', '\r', '\n'}).asReadOnly());

    private final Consumer<Channel> accepted;
    private final Consumer<String> refused;
    private boolean complete;

    /**
     * @param accepted called when the leader accepts; its channel has stopped reading
     * @param refused called for every other outcome, with the reason
     */
    RelayAnswer(Consumer<Channel> accepted, Consumer<String> refused) {
        this.accepted = accepted;
        this.refused = refused;
    }

    @Override
    protected void decode(ChannelHandlerContext from, ByteBuf in, List<Object> out) {
        if (complete) {
            return; // bytes of the connection, which go to the next handler when this one is removed
        }
        int end = ByteBufUtil.indexOf(END.duplicate(), in);
        if (end < 0) {
            if (in.readableBytes() > BYTES_MAX) {
                refuse("The answer of the node port has more than " + BYTES_MAX + " bytes.");
            }
            return;
        }
        String head = in.readSlice(end - in.readerIndex() + END.readableBytes()).toString(StandardCharsets.US_ASCII);
        complete = true;
        if (head.startsWith(ACCEPTED)) {
            from.channel().config().setAutoRead(false);
            accepted.accept(from.channel());
        } else {
            int line = Math.min(head.indexOf('\r'), STATUS_LINE_MAX);
            refuse(head.substring(0, line));
        }
    }

    private void refuse(String why) {
        complete = true;
        refused.accept(why);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) throws Exception {
        if (!(event instanceof ChannelInputShutdownEvent)) {
            super.userEventTriggered(from, event);
        } else if (complete) {
            from.fireUserEventTriggered(event); // the superclass would drop the bytes behind the answer
        } else {
            refuse("The node port closed the connection.");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws Exception {
        if (!complete) {
            refuse("The node port closed the connection.");
        }
        super.channelInactive(from);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (!complete) {
            refuse(cause.toString());
        }
        from.close();
    }
}
