package dev.jitney.gateway.amqp.wire;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client of a connection. It differs from the address at the other end of the socket if another node
 * passed the connection on (CL-73). Any thread may call it.
 */
public final class ClientAddress {
    private static final AttributeKey<InetSocketAddress> KEY = AttributeKey.valueOf(ClientAddress.class, "client");

    private ClientAddress() {}

    /** Sets the address of a client behind another node. */
    public static void set(Channel channel, InetSocketAddress client) {
        channel.attr(KEY).set(client);
    }

    /** Returns the address of the client, or null if it is not known any more. */
    public static @Nullable SocketAddress of(Channel channel) {
        InetSocketAddress client = passedOn(channel);
        return client == null ? channel.remoteAddress() : client;
    }

    /** Returns the address of a client behind another node, or null for all other clients. */
    public static @Nullable InetSocketAddress passedOn(Channel channel) {
        return channel.attr(KEY).get();
    }
}
