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
    private final RecvByteBufAllocator adaptive = new AdaptiveRecvByteBufAllocator();
    private final ClientMemory memory;

    ReadSizes(ClientMemory memory) {
        this.memory = memory;
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
            return Math.min(usual.guess(), memory.readBytesMax());
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
