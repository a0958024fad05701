package dev.jitney.gateway.amqp.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * A connection that was accepted here and is served elsewhere.
 *
 * @param channel the socket: registered with no event loop, not read from, and with nothing in its pipeline but TLS where
 *     its client has begun it
 * @param firstBytes all that the client has sent, decrypted; whoever takes the socket releases it
 */
public record HandedSocket(Channel channel, ByteBuf firstBytes) {}
