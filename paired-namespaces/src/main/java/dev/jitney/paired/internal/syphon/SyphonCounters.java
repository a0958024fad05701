package dev.jitney.paired.internal.syphon;

import java.util.concurrent.atomic.LongAdder;

/** The counters that all workers of one syphon share. For any thread. */
public final class SyphonCounters {
    public final LongAdder receives = new LongAdder();
    public final LongAdder delivered = new LongAdder();
    public final LongAdder deadLettered = new LongAdder();
    public final LongAdder left = new LongAdder();
}
