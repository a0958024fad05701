package dev.jitney.gateway.http.exchange;

/**
 * How much clients may ask of the HTTP listeners.
 *
 * @param connectionsMax open connections of all listeners together; more are closed at once
 * @param idleSeconds how long a connection may take to send the head of its next request, and to fetch the answer to its
 *     last one
 * @param bodySeconds how long the body of a request may take to arrive
 * @param surplusBytesMax how much of a body that is too large is read and dropped so that its sender sees the answer
 * @param memoryBytesMax bodies of all requests and answers together that are held at a time
 * @param waitingReceivesMax receives of all connections together that wait for a message; a connection has one at most,
 *     because requests of one connection are served one after the other
 * @param receiveSecondsMax longest time a receive waits, whatever the client asks for
 */
public record HttpLimits(
        int connectionsMax,
        int idleSeconds,
        int bodySeconds,
        int surplusBytesMax,
        long memoryBytesMax,
        int waitingReceivesMax,
        int receiveSecondsMax) {

    private static final long MEMORY_MIN_BYTES = 16L << 20;
    private static final long MEMORY_MAX_BYTES = 256L << 20;

    /** Bounds for a heap of that size. */
    public static HttpLimits forHeap(long heapBytes) {
        long memory = Math.max(MEMORY_MIN_BYTES, Math.min(heapBytes / 8, MEMORY_MAX_BYTES));
        return new HttpLimits(1_000, 60, 60, 1 << 20, memory, 750, 60);
    }
}
