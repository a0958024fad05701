package dev.jitney.gateway.amqp.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The channel on its own event loop. Every step waits until the loop has finished the previous steps. */
@Timeout(30)
class TunnelChannelTest {
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<String> events = new ArrayList<>();
    private final List<ByteBuffer> sent = new ArrayList<>();
    private int consumedBytes;
    private int farCloses;
    private TunnelChannel channel;

    private final TunnelEnd far = new TunnelEnd() {
        @Override
        public void data(ByteBuffer bytes) {
            sent.add(bytes);
        }

        @Override
        public void consumed(int bytes) {
            consumedBytes += bytes;
        }

        @Override
        public void close() {
            farCloses++;
        }
    };

    private final class Recorder extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            events.add("active");
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            events.add("read " + bytes.readableBytes());
            bytes.release();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            events.add("complete");
            context.fireChannelReadComplete();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            events.add("writable " + context.channel().isWritable());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            events.add("inactive");
        }
    }

    @BeforeEach
    void open() {
        channel = new TunnelChannel(InetSocketAddress.createUnresolved("client", 1), far);
        channel.pipeline().addLast(new Recorder());
        loops.register(channel).syncUninterruptibly();
    }

    @AfterEach
    void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Runs an action on the loop, after all earlier tasks and the tasks that these added. */
    private <T> T onLoop(Callable<T> action) {
        for (int i = 0; i < 5; i++) {
            channel.eventLoop().submit(() -> {}).syncUninterruptibly();
        }
        return channel.eventLoop().submit(action).syncUninterruptibly().getNow();
    }

    private List<String> events() {
        return onLoop(() -> {
            List<String> all = List.copyOf(events);
            events.clear();
            return all;
        });
    }

    private static ByteBuffer octets(int count) {
        return ByteBuffer.allocate(count);
    }

    private ChannelFuture write(int bytes) {
        return onLoop(() -> channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes])));
    }

    @Test
    @DisplayName("Received bytes are read and reported as consumed")
    void reads() {
        channel.near().data(octets(5));
        channel.near().data(octets(7));
        assertThat(events()).startsWith("active", "read 5").contains("read 7").endsWith("complete");
        assertThat(onLoop(() -> consumedBytes)).isEqualTo(12);
        assertThat(channel.remoteAddress()).hasToString("client/<unresolved>:1");
    }

    @Test
    @DisplayName("While reading is switched off, received bytes wait and are not reported as consumed")
    void pauses() {
        onLoop(() -> channel.config().setAutoRead(false));
        onLoop(() -> channel.read()); // a read that was already requested may still deliver
        events();
        channel.near().data(octets(1));
        channel.near().data(octets(2));
        channel.near().data(octets(3));
        assertThat(events()).containsExactly("read 1", "complete");
        assertThat(onLoop(() -> consumedBytes)).isEqualTo(1);
        onLoop(() -> channel.config().setAutoRead(true));
        assertThat(events()).containsExactly("read 2", "read 3", "complete");
        assertThat(onLoop(() -> consumedBytes)).isEqualTo(6);
    }

    @Test
    @DisplayName("While the far end has a full window, written bytes wait, and the channel is not writable")
    void window() {
        events();
        ChannelFuture first = write(TunnelChannel.WINDOW_BYTES - 1);
        assertThat(first.isSuccess()).isTrue();
        assertThat(write(10).isSuccess()).as("the window is not full before it").isTrue();
        ChannelFuture waiting = write(100_000);
        assertThat(waiting.isDone()).isFalse();
        assertThat(onLoop(() -> channel.isWritable())).isFalse();
        assertThat(onLoop(() -> sent.size())).isEqualTo(2);
        assertThat(events()).contains("writable false");

        channel.near().consumed(9);
        assertThat(onLoop(waiting::isDone)).isFalse();
        channel.near().consumed(1);
        assertThat(onLoop(waiting::isSuccess)).isTrue();
        assertThat(onLoop(() -> sent.get(2).remaining())).isEqualTo(100_000);
        assertThat(events()).contains("writable true");
    }

    @Test
    @DisplayName("The far end's close arrives after its bytes, even while reading is switched off")
    void farCloses() {
        onLoop(() -> channel.config().setAutoRead(false));
        events();
        for (int i = 0; i < 40; i++) {
            channel.near().data(octets(3));
        }
        channel.near().close();
        channel.closeFuture().awaitUninterruptibly();
        List<String> events = events();
        assertThat(events.stream().filter("read 3"::equals)).hasSize(40);
        assertThat(events).endsWith("inactive");
        assertThat(onLoop(() -> farCloses)).isEqualTo(1);
        channel.near().data(octets(1));
        channel.near().consumed(1);
        channel.near().close();
        assertThat(events()).isEmpty();
    }

    @Test
    @DisplayName("Closing fails waiting writes and reports the end to the far end once")
    void closes() {
        write(TunnelChannel.WINDOW_BYTES);
        ChannelFuture waiting = write(5);
        channel.close().syncUninterruptibly();
        channel.close().syncUninterruptibly();
        assertThat(onLoop(waiting::isDone)).isTrue();
        assertThat(waiting.isSuccess()).isFalse();
        assertThat(onLoop(() -> farCloses)).isEqualTo(1);
        assertThat(channel.isActive()).isFalse();
        assertThat(events()).endsWith("inactive");
    }
}
