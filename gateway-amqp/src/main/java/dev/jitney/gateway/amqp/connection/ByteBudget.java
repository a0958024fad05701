package dev.jitney.gateway.amqp.connection;

/** The bytes one connection holds, and what follows when they are too many (QUOTA-8). */
final class ByteBudget {
    private final ConnectionLimits limits;
    private final Transport transport;
    private long inFlightBytes;
    private long partialBytes;
    private long strangerBytes;
    private boolean readingPaused;

    ByteBudget(ConnectionLimits limits, Transport transport) {
        this.limits = limits;
        this.transport = transport;
    }

    /** Counts what a peer without a credential sends. */
    boolean tooMuchForAStranger(int bytes) {
        strangerBytes += bytes;
        return strangerBytes > limits.unauthenticatedBytesMax();
    }

    void inFlight(long deltaBytes) {
        inFlightBytes += deltaBytes;
        if (!readingPaused && inFlightBytes > limits.inFlightBytesMax()) {
            readingPaused = true;
            transport.reading(false);
        } else if (readingPaused && inFlightBytes <= limits.inFlightBytesMax() / 2) {
            readingPaused = false;
            transport.reading(true);
        }
    }

    /** False when the peer has begun more than it may. Pausing would not help: only reading on completes a message. */
    boolean partial(long deltaBytes) {
        partialBytes += deltaBytes;
        return deltaBytes <= 0 || partialBytes <= limits.partialBytesMax();
    }

    boolean readingPaused() {
        return readingPaused;
    }
}
