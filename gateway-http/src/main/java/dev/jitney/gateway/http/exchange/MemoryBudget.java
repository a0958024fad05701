package dev.jitney.gateway.http.exchange;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all connections of the HTTP gateway may hold together. Whoever claims bytes releases as many for the same
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

    /** Claims bytes if that many are left; returns whether they were. */
    boolean claim(MemoryPurpose purpose, long bytes) {
        if (held.addAndGet(bytes) > bytesMax) {
            held.addAndGet(-bytes);
            return false;
        }
        of(purpose).addAndGet(bytes);
        return true;
    }

    /** Claims bytes that must be held whether or not they are left, such as a short refusal. */
    void force(MemoryPurpose purpose, long bytes) {
        held.addAndGet(bytes);
        of(purpose).addAndGet(bytes);
    }

    /** Gives back what was claimed for that purpose. */
    void release(MemoryPurpose purpose, long bytes) {
        held.addAndGet(-bytes);
        of(purpose).addAndGet(-bytes);
    }

    /** Whether all bytes are held. */
    boolean isExhausted() {
        return held.get() >= bytesMax;
    }

    /** Bytes held for all purposes. */
    long held() {
        return held.get();
    }

    /** Bytes held for one purpose. */
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
