package dev.jitney.gateway.amqp.delivery;

/** How many deliveries a receiver may have between the shard and the socket: fewer of large messages. */
public final class DeliveryWindow {
    private static final int COUNT_MAX = 256;
    private static final int BYTES_MAX = 4 << 20;
    private static final int SMOOTHING = 8;

    /** A guess to begin with, so that the first portion of a queue of large messages stays small. */
    private long averageBytes = 128 * 1024;

    public void delivered(int sizeBytes) {
        averageBytes += (sizeBytes - averageBytes) / SMOOTHING;
    }

    private int size() {
        return (int) Math.max(1, Math.min(COUNT_MAX, BYTES_MAX / Math.max(1, averageBytes)));
    }

    /** How many more may come while that many wait to be written. */
    public int room(int waiting) {
        return Math.max(0, size() - waiting);
    }

    /** Whether what was granted and has not come is little enough to grant more. */
    public boolean low(long outstanding) {
        return outstanding <= size() / 2;
    }
}
