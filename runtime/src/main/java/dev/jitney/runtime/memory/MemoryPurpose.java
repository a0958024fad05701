package dev.jitney.runtime.memory;

/** The purpose for which a connection holds memory. */
public enum MemoryPurpose {
    /** Objects that live as long as a connection, a session, a link or an unsettled delivery. */
    STATE("state", false),

    /** Bytes of frames, messages and requests that have arrived only in part. */
    UNFINISHED("unfinished", true),

    /** Bytes of messages and requests that the broker has not answered. */
    REQUESTS("requests", true),

    /** Bytes of messages in transactions that are neither committed nor rolled back. */
    TRANSACTIONS("transactions", true),

    /** Bytes of answers that are being created or have not been written. */
    RESPONSES("responses", true),

    /** Bytes of messages between a shard and the socket. */
    DELIVERIES("deliveries", true),

    /** Bytes that were written but that the client has not read from the socket. */
    OUTPUT("output", true);

    private final String label;
    private final boolean transit;

    MemoryPurpose(String label, boolean transit) {
        this.label = label;
        this.transit = transit;
    }

    /** Returns the name in metrics. */
    public String label() {
        return label;
    }

    /** Returns whether the memory is transient traffic, of which a connection gets a fair share. */
    boolean isTransit() {
        return transit;
    }
}
