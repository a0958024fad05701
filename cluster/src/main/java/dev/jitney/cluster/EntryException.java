package dev.jitney.cluster;

/** An entry that cannot be read. A replica that gets one stops and opens again (CL-6, CL-42). */
public final class EntryException extends Exception {
    private static final long serialVersionUID = 1L;

    public EntryException(String message) {
        super(message);
    }
}
