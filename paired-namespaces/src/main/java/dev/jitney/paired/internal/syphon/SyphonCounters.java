package dev.jitney.paired.internal.syphon;

import java.util.concurrent.atomic.LongAdder;

/** The counters that all workers of one syphon share. Thread-safe. */
public final class SyphonCounters {
    public final LongAdder receives = new LongAdder();
    public final LongAdder delivered = new LongAdder();
    public final LongAdder deadLettered = new LongAdder();
    public final LongAdder left = new LongAdder();
}
