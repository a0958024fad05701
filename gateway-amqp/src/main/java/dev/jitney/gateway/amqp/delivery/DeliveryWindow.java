package dev.jitney.gateway.amqp.delivery;

/**
 * The number of deliveries that a receiver may have between the shard and the socket. The larger the messages, the
 * fewer.
 */
public final class DeliveryWindow {
    private static final int COUNT_MAX = 1_024;
    private static final int BYTES_MAX = 4 << 20;
    private static final int SMOOTHING = 8;

    /** The initial guess, so that the first portion of a queue of large messages stays small. */
    private long averageBytes = 128 * 1024;

    public void delivered(int sizeBytes) {
        averageBytes += (sizeBytes - averageBytes) / SMOOTHING;
    }

    private int size() {
        return (int) Math.max(1, Math.min(COUNT_MAX, BYTES_MAX / Math.max(1, averageBytes)));
    }

    /** Returns how many more deliveries may come while {@code waiting} deliveries wait to be written. */
    public int room(int waiting) {
        return Math.max(0, size() - waiting);
    }

    /** Returns whether few enough granted deliveries are outstanding to grant more. */
    public boolean low(long outstanding) {
        return outstanding <= size() / 2;
    }
}
