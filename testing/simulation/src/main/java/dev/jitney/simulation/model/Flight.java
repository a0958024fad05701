package dev.jitney.simulation.model;

/** A message in the outbox of a shelf. */
final class Flight {
    final long uid;
    final Shelf source;
    final long destinationId;
    final long number;
    final int sizeBytes;
    final Look look;

    /** Whether the destination has taken it. */
    boolean landed;

    Flight(long uid, Shelf source, long destinationId, long number, int sizeBytes, Look look) {
        this.uid = uid;
        this.source = source;
        this.destinationId = destinationId;
        this.number = number;
        this.sizeBytes = sizeBytes;
        this.look = look;
    }

    @Override
    public String toString() {
        return "message " + uid + " on its way from " + source.path + " as number " + number;
    }
}
