package dev.jitney.gateway.amqp.connection;

/** When a connection was last read from and written to, in milliseconds of a clock that only goes forward. */
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

    /** Single-threaded clients send their keep-alive late, so we wait twice what we announce (wire reference 1.4). */
    boolean peerIsSilent(long nowMs) {
        return idleTimeoutMs > 0 && nowMs - lastReadMs > 2 * idleTimeoutMs;
    }

    /** Whether to send an empty frame: well before half of what the peer puts up with. */
    boolean heartbeatDue(long nowMs) {
        if (wrote) {
            wrote = false;
            lastWriteMs = nowMs;
        }
        return peerIdleTimeoutMs > 0 && nowMs - lastWriteMs >= peerIdleTimeoutMs / 3;
    }
}
