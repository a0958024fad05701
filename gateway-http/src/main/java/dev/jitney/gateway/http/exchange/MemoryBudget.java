package dev.jitney.gateway.http.exchange;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all connections of the HTTP gateway together may use. Each claim has to be released for the same
 * purpose. Any thread may call it.
 */
final class MemoryBudget {
    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();
    private final Map<MemoryPurpose, AtomicLong> byPurpose = new EnumMap<>(MemoryPurpose.class);

    /** @param bytesMax bytes for all purposes together, positive */
    MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
        for (MemoryPurpose purpose : MemoryPurpose.values()) {
            byPurpose.put(purpose, new AtomicLong());
        }
    }

    /** Claims bytes if they are available; returns whether they were. */
    boolean claim(MemoryPurpose purpose, long bytes) {
        if (held.addAndGet(bytes) > bytesMax) {
            held.addAndGet(-bytes);
            return false;
        }
        of(purpose).addAndGet(bytes);
        return true;
    }

    /** Claims bytes that are needed even above the limit, for example for a short refusal. */
    void force(MemoryPurpose purpose, long bytes) {
        held.addAndGet(bytes);
        of(purpose).addAndGet(bytes);
    }

    /** Releases bytes that were claimed for that purpose. */
    void release(MemoryPurpose purpose, long bytes) {
        held.addAndGet(-bytes);
        of(purpose).addAndGet(-bytes);
    }

    /** Returns whether all bytes are claimed. */
    boolean isExhausted() {
        return held.get() >= bytesMax;
    }

    /** Returns the bytes claimed for all purposes. */
    long held() {
        return held.get();
    }

    /** Returns the bytes claimed for one purpose. */
    long held(MemoryPurpose purpose) {
        return of(purpose).get();
    }

    private AtomicLong of(MemoryPurpose purpose) {
        AtomicLong bytes = byPurpose.get(purpose);
        if (bytes == null) {
            throw new IllegalArgumentException("Expected a known purpose, but got " + purpose + ".");
        }
        return bytes;
    }
}
