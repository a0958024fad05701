package dev.jitney.benchmarks.core;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.StoredMessage;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.Table;
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
        return store.value;
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
        return store.deleted;
    }

    /** Store and batch at once: keeps the last row. */
    private static final class OneRow implements StoreBatch, MessagingStore {
        private byte @Nullable [] value;
        private byte @Nullable [] deleted;

        @Override
        public void put(Table table, byte[] key, byte[] row) {
            value = row;
        }

        @Override
        public void delete(Table table, byte[] key) {
            deleted = key;
        }

        @Override
        public void deleteRange(Table table, byte[] from, byte[] to) {
            deleted = from;
        }

        @Override
        public boolean isEmpty() {
            return value == null;
        }

        @Override
        public long sizeBytes() {
            byte[] row = value;
            return row == null ? 0 : row.length;
        }

        @Override
        public void clear() {
            value = null;
        }

        @Override
        public StoreBatch newBatch() {
            return this;
        }

        @Override
        public void commit(StoreBatch batch) {}

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return value;
        }

        @Override
        public StoreCursor scan(Table table, byte[] from, byte[] to) {
            throw new UnsupportedOperationException("Expected single rows only.");
        }

        @Override
        public boolean acceptsGrowth() {
            return true;
        }

        @Override
        public void reopen() {}

        @Override
        public void close() {}
    }
}
