package dev.jitney.runtime.memory;

/** The reason why a connection holds memory. */
public enum MemoryPurpose {
    /** Objects that live as long as a connection, a session, a link or an unsettled delivery does. */
    STATE("state", false),

    /** Bytes of frames, messages and requests that have begun to arrive and have not arrived whole. */
    UNFINISHED("unfinished", true),

    /** Bytes of messages and requests that the broker has not answered. */
    REQUESTS("requests", true),

    /** Bytes of messages in transactions that are neither committed nor rolled back. */
    TRANSACTIONS("transactions", true),

    /** Bytes of answers that are being made or have not been written. */
    RESPONSES("responses", true),

    /** Bytes of messages on their way from a shard to the socket. */
    DELIVERIES("deliveries", true),

    /** Bytes that were written and that the client has not taken from the socket. */
    OUTPUT("output", true);

    private final String label;
    private final boolean transit;

    MemoryPurpose(String label, boolean transit) {
        this.label = label;
        this.transit = transit;
    }

    /** The name in metrics. */
    public String label() {
        return label;
    }

    /** Whether it is memory that comes and goes with traffic, of which a connection gets a fair share. */
    boolean isTransit() {
        return transit;
    }
}
