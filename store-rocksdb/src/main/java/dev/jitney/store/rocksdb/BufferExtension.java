package dev.jitney.store.rocksdb;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the {@linkplain WriteBuffer write buffers} of all stores of a process may use beyond their usual sizes. Thread-safe.
 */
final class BufferExtension {
    /** That of this process: a sixteenth of its heap. */
    static final BufferExtension OF_PROCESS =
            new BufferExtension(Runtime.getRuntime().maxMemory() / 16);

    private final long bytesMax;
    private final AtomicLong usedBytes = new AtomicLong();

    /** @param bytesMax the most bytes of all buffers together */
    BufferExtension(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns the bytes that no buffer uses; negative while buffers that have just grown use too much. */
    long freeBytes() {
        return bytesMax - usedBytes.get();
    }

    /**
     * Changes the use of one buffer.
     *
     * @param beforeBytes the bytes that it has used so far
     * @param bytes       the bytes that it uses from now on
     */
    void use(long beforeBytes, long bytes) {
        if (bytes != beforeBytes) {
            usedBytes.addAndGet(bytes - beforeBytes);
        }
    }
}
