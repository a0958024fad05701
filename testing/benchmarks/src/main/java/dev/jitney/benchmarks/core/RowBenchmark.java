package dev.jitney.benchmarks.core;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.StoredMessage;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchFormat;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of encoding a message as its row and decoding it, without the store. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RowBenchmark {
    private static final FragmentId FRAGMENT = new FragmentId(1, 0);

    private final RowBatch batch = new RowBatch();
    private final StoreRowWriter writer = new StoreRowWriter(batch);
    private final StoredMessage message = Samples.stored();
    private final StoreRowReader reader;

    public RowBenchmark() {
        reader = new StoreRowReader(new OneRow(row()));
    }

    private byte[] row() {
        writer.putMessage(FRAGMENT, Lane.MAIN, message);
        byte[] encoded = batch.encoded();
        batch.clear();
        return RowBatchFormat.value(encoded, RowBatchFormat.HEADER_BYTES);
    }

    /** Encodes the key and the value of a message row into a batch. */
    @Benchmark
    public long writeMessage() {
        batch.clear();
        writer.putMessage(FRAGMENT, Lane.MAIN, message);
        return batch.sizeBytes();
    }

    /** Decodes the key and the message of a row. */
    @Benchmark
    public StoredMessage readMessage() {
        return reader.stored(FRAGMENT, Lane.MAIN, 1);
    }

    /** Encodes the key of a removed message into a batch. */
    @Benchmark
    public long deleteMessage() {
        batch.clear();
        writer.deleteMessage(FRAGMENT, Lane.MAIN, 1);
        return batch.sizeBytes();
    }
}
