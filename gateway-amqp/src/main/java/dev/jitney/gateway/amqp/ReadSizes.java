package dev.jitney.gateway.amqp;

import dev.jitney.runtime.memory.ClientMemory;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * The number of bytes to read from a socket at a time: adaptive, and smaller while little memory is free, because bytes
 * are in memory before any limit can be checked. Any thread may call it.
 */
final class ReadSizes extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int SMALL_READ_BYTES = 32 * 1024;

    private final RecvByteBufAllocator adaptive = new AdaptiveRecvByteBufAllocator();
    private final ClientMemory memory;
    private volatile int bytesMax = Integer.MAX_VALUE;

    ReadSizes(ClientMemory memory) {
        this.memory = memory;
    }

    /**
     * Limits this object to one small read per turn of the event loop, as HTTP needs it, so that not everything that a
     * client sends at once is in memory. Only for an object that belongs to one channel. (A channel keeps the sizes
     * that it was opened with.)
     */
    void oneSmallReadPerTurn() {
        bytesMax = SMALL_READ_BYTES;
        maxMessagesPerRead(1);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty itself calls it and offers subclasses no replacement
    public Handle newHandle() {
        return new Sized(adaptive.newHandle());
    }

    private final class Sized extends MaxMessageHandle {
        private final Handle usual;

        Sized(Handle usual) {
            this.usual = usual;
        }

        @Override
        @SuppressWarnings("deprecation") // as above
        public void reset(ChannelConfig config) {
            super.reset(config);
            usual.reset(config);
        }

        @Override
        public int guess() {
            return Math.min(Math.min(usual.guess(), bytesMax), memory.readBytesMax());
        }

        @Override
        public void lastBytesRead(int bytes) {
            usual.attemptedBytesRead(attemptedBytesRead());
            usual.lastBytesRead(bytes);
            super.lastBytesRead(bytes);
        }

        @Override
        public void readComplete() {
            super.readComplete();
            usual.readComplete();
        }
    }
}
