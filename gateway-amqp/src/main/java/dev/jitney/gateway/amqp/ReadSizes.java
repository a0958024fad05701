package dev.jitney.gateway.amqp;

import dev.jitney.runtime.memory.ClientMemory;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * How much is read from a socket at a time: what usually comes, but less while little memory is free, because what has
 * been read is held before anybody can say that it is too much. Any thread may call it.
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
     * From now on one read of a limited size per turn, as HTTP wants it: what one client sends at once must not be in memory
     * at once. Only for an object that belongs to one channel. (A channel keeps the sizes that it was opened with.)
     */
    void oneSmallReadPerTurn() {
        bytesMax = SMALL_READ_BYTES;
        maxMessagesPerRead(1);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty calls it, and replaces it by nothing for those who extend it
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
