package dev.jitney.benchmarks.core;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.StoredMessage;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to turn a message into its row and back, without the store. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RowBenchmark {
    private static final FragmentId FRAGMENT = new FragmentId(1, 0);

    private final OneRow store = new OneRow();
    private final StoreRowWriter writer = new StoreRowWriter(store);
    private final StoreRowReader reader = new StoreRowReader(store, () -> {});
    private final StoredMessage message = Samples.stored();

    public RowBenchmark() {
        writer.putMessage(FRAGMENT, Lane.MAIN, message);
    }

    /** Key and value of a message row. */
    @Benchmark
    public byte @Nullable [] writeMessage() {
        writer.putMessage(FRAGMENT, Lane.MAIN, message);
        return store.value();
    }

    /** Key and message from a row. */
    @Benchmark
    public StoredMessage readMessage() {
        return reader.stored(FRAGMENT, Lane.MAIN, 1);
    }

    /** The key of a message that goes. */
    @Benchmark
    public byte @Nullable [] deleteMessage() {
        writer.deleteMessage(FRAGMENT, Lane.MAIN, 1);
        return store.deleted();
    }
}
