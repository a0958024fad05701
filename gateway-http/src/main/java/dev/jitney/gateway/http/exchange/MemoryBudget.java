package dev.jitney.gateway.http.exchange;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all connections share. Any thread may call it. */
final class MemoryBudget {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes bytes if that many are left. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes bytes that are there already, even beyond the bound. */
    void force(long bytes) {
        taken.addAndGet(bytes);
    }

    void give(long bytes) {
        taken.addAndGet(-bytes);
    }

    boolean isExhausted() {
        return taken.get() >= bytesMax;
    }

    long taken() {
        return taken.get();
    }
}
