package dev.jitney.gateway.amqp.listener;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection that one listener has accepted and another serves.
 *
 * @param channel the socket: registered with no event loop, reading nothing, and with an empty pipeline except for TLS
 *                if the client has begun it, or below it TLS of the node that passed the connection on
 * @param firstBytes all bytes that the client has sent, decrypted; the receiver of the socket releases them
 * @param client address of the client if another node passed the connection on (CL-73); null if it is the address of
 *               the socket
 */
public record HandedSocket(
        Channel channel, ByteBuf firstBytes, @Nullable InetSocketAddress client) {

    /** Returns a connection from which nothing was read, and whose client is at the other end of the socket. */
    public static HandedSocket accepted(Channel channel) {
        return new HandedSocket(channel, Unpooled.EMPTY_BUFFER, null);
    }

    /** Closes a socket that is registered with no event loop, and releases the bytes. Any thread may call it. */
    public void close() {
        firstBytes.release();
        channel.unsafe().close(channel.unsafe().voidPromise());
    }
}
