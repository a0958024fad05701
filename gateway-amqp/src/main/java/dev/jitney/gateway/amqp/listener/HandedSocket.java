package dev.jitney.gateway.amqp.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * A connection that one listener has accepted and another serves.
 *
 * @param channel the socket: registered with no event loop, reading nothing, and with an empty pipeline except for TLS
 *                if the client has begun it
 * @param firstBytes all bytes that the client has sent, decrypted; the receiver of the socket releases them
 */
public record HandedSocket(Channel channel, ByteBuf firstBytes) {}
