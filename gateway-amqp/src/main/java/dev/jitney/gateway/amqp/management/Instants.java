package dev.jitney.gateway.amqp.management;

import java.time.Instant;

/** Timestamps for clients: none is later than the last instant of .NET. */
final class Instants {
    /** 9999-12-31, the last instant of .NET; clients also send it for "the end of time". */
    static final long LATEST_MS = 253_402_300_799_999L;

    private Instants() {}

    static Instant[] of(long[] msSinceEpoch) {
        Instant[] instants = new Instant[msSinceEpoch.length];
        for (int i = 0; i < instants.length; i++) {
            instants[i] = of(msSinceEpoch[i]);
        }
        return instants;
    }

    static Instant of(long msSinceEpoch) {
        return Instant.ofEpochMilli(Math.min(msSinceEpoch, LATEST_MS));
    }
}
