package dev.jitney.server.front;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/** The number of bytes to read from a socket at once, one read for each turn of its event loop. Any thread may call it. */
final class RelayReads extends DefaultMaxMessagesRecvByteBufAllocator {
    private final RelayMemory memory;

    RelayReads(RelayMemory memory) {
        super(1);
        this.memory = memory;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty itself calls it and offers subclasses no replacement
    public RecvByteBufAllocator.Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return memory.readBytesMax();
            }
        };
    }
}
