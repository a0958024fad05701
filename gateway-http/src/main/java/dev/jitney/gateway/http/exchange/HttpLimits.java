package dev.jitney.gateway.http.exchange;

/**
 * How much clients may ask of the HTTP listeners.
 *
 * @param connectionsMax connections of all listeners together that may be busy with a request at a time
 * @param spareConnections connections beyond that number, for requests that ask about the health of the server and for
 *     connections that have not sent the head of a request yet; when those are taken too, the connection that has waited
 *     longest for a head is closed
 * @param headSeconds how long a connection may take for the whole head of a request, counted from the connection's start
 *     or from the head's first byte
 * @param idleSeconds how long a connection may send nothing between two requests, and how long it may take to fetch an
 *     answer, with more time for a large answer
 * @param bodySeconds how long the body of a request may take to arrive
 * @param surplusBytesMax how much of a body that is too large is read and dropped so that its sender sees the answer
 * @param memoryBytesMax heads, bodies, answers and frames of all connections together that are held at a time
 * @param waitingReceivesMax receives of all connections together that wait for a message; a connection has one at most,
 *     because requests of one connection are served one after the other
 * @param receiveSecondsMax longest time a receive waits, whatever the client asks for
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

    /** Bounds for a heap of that size. */
    public static HttpLimits forHeap(long heapBytes) {
        long memory = Math.max(MEMORY_MIN_BYTES, Math.min(heapBytes / 8, MEMORY_MAX_BYTES));
        return new HttpLimits(1_000, 32, 10, 60, 60, 1 << 20, memory, 750, 60);
    }
}
