package dev.jitney.server.front;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bytes in memory of all connections that are passed on, and their limit. Any thread may call it.
 *
 * <p>A connection may hold at most as much as is free, so that slow clients leave room for others (Choudhury and Hahne,
 * "Dynamic queue length thresholds for shared-memory packet switches", 1998). Reads become small when little is free.
 */
final class RelayMemory {
    private static final int READ_BYTES_MAX = 32 * 1024;
    private static final int READ_BYTES_MIN = 1024;
    private static final int TIGHT_PART = 4;

    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();
    private final LongAdder toLeader = new LongAdder();
    private final LongAdder toClients = new LongAdder();

    RelayMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Counts bytes that were read. */
    void take(long bytes, boolean fromClient) {
        held.addAndGet(bytes);
        (fromClient ? toLeader : toClients).add(bytes);
    }

    /** Counts bytes that the other side has taken, or that were dropped. */
    void release(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Returns whether a connection that holds so many bytes may read more. */
    boolean permits(long ownBytes) {
        return ownBytes <= bytesMax - held.get();
    }

    /** Returns the number of bytes to read at once. */
    int readBytesMax() {
        return bytesMax - held.get() > bytesMax / TIGHT_PART ? READ_BYTES_MAX : READ_BYTES_MIN;
    }

    long heldBytes() {
        return held.get();
    }

    long toLeaderBytes() {
        return toLeader.sum();
    }

    long toClientsBytes() {
        return toClients.sum();
    }
}
