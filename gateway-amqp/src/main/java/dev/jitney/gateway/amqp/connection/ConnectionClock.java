package dev.jitney.gateway.amqp.connection;

/** The times of a connection's last read and last write, in milliseconds of a monotonic clock. */
final class ConnectionClock {
    private final long idleTimeoutMs;
    private long lastReadMs;
    private long lastWriteMs;
    private boolean wrote;
    private long peerIdleTimeoutMs;

    ConnectionClock(long idleTimeoutMs, long nowMs) {
        this.idleTimeoutMs = idleTimeoutMs;
        lastReadMs = nowMs;
        lastWriteMs = nowMs;
    }

    void opened(long peerIdleTimeout) {
        peerIdleTimeoutMs = peerIdleTimeout;
    }

    void read(long nowMs) {
        lastReadMs = nowMs;
    }

    void written() {
        wrote = true;
    }

    /**
     * Returns whether the peer was silent for twice the announced timeout. Single-threaded clients send their
     * keep-alive late (wire reference 1.4).
     */
    boolean peerIsSilent(long nowMs) {
        return idleTimeoutMs > 0 && nowMs - lastReadMs > 2 * idleTimeoutMs;
    }

    /** Returns whether to send an empty frame: well before half of the peer's idle timeout. */
    boolean heartbeatDue(long nowMs) {
        if (wrote) {
            wrote = false;
            lastWriteMs = nowMs;
        }
        return peerIdleTimeoutMs > 0 && nowMs - lastWriteMs >= peerIdleTimeoutMs / 3;
    }
}
