package dev.jitney.gateway.http.exchange;

/**
 * The limits of the HTTP listeners.
 *
 * @param connectionsMax maximum number of connections of all listeners together that are busy with a request at the
 *     same time; the {@linkplain ClientShares clients} share it
 * @param spareConnections connections beyond that number, for health checks and for connections that have not sent the
 *     head of a request yet; if these are used up too, the connection that has waited longest for a head is closed
 * @param headSeconds maximum time for the whole head of a request, from the connection's start or from the head's first
 *     byte
 * @param idleSeconds maximum time between two requests, and for fetching a response, with more time for a large
 *     response
 * @param bodySeconds maximum time until the body of a request is received
 * @param surplusBytesMax bytes of a body above its limit that are read and dropped so that its sender sees the response
 * @param memoryBytesMax bytes of heads, bodies, responses and frames of all connections together in memory
 * @param waitingReceivesMax receives of all connections together that wait for a message; a connection has at most one,
 *     because requests of one connection are served one after the other; the {@linkplain ClientShares clients} share it
 * @param receiveSecondsMax longest waiting time of a receive, regardless of the request
 */
public record HttpLimits(
        int connectionsMax,
        int spareConnections,
        int headSeconds,
        int idleSeconds,
        int bodySeconds,
        int surplusBytesMax,
        long memoryBytesMax,
        int waitingReceivesMax,
        int receiveSecondsMax) {

    private static final long MEMORY_MIN_BYTES = 16L << 20;
    private static final long MEMORY_MAX_BYTES = 256L << 20;

    /** Returns limits for a heap of that size. */
    public static HttpLimits forHeap(long heapBytes) {
        long memory = Math.max(MEMORY_MIN_BYTES, Math.min(heapBytes / 8, MEMORY_MAX_BYTES));
        return new HttpLimits(1_000, 32, 10, 60, 60, 1 << 20, memory, 750, 60);
    }
}
