package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.Random;

/** An encoded batch of rows. It is reported as corrupt, or has the same bytes when it is written again. */
public final class RowBatchTarget implements FuzzTarget {
    private static final int ROWS_MAX = 12;
    private static final int BYTES_MAX = 300;

    @Override
    public String name() {
        return "row-batch";
    }

    @Override
    public byte[] generate(Random random) {
        RowBatch batch = new RowBatch();
        for (int i = random.nextInt(ROWS_MAX); i >= 0; i--) {
            Table table = Table.values()[random.nextInt(Table.values().length)];
            byte[] key = bytes(random);
            switch (random.nextInt(3)) {
                case 0 -> batch.put(table, key, bytes(random));
                case 1 -> batch.delete(table, key);
                default -> batch.deleteRange(table, key, Arrays.copyOf(key, key.length + 1));
            }
        }
        return batch.encoded();
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 20 : BYTES_MAX)];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public void run(byte[] input) {
        byte[] again;
        try {
            RowBatchReader.check(input);
            again = writtenAgain(input);
        } catch (StoreException refused) {
            if (refused.reason() != StoreException.Reason.CORRUPT) {
                throw new AssertionError(
                        "Expected damage to be reported as corruption, but got another exception.", refused);
            }
            return;
        }
        if (!Arrays.equals(again, input)) {
            throw new AssertionError(
                    "Expected a batch to be refused or to keep its bytes when it is written again, but it became "
                            + java.util.HexFormat.of().formatHex(again) + ".");
        }
    }

    private static byte[] writtenAgain(byte[] input) throws StoreException {
        RowBatch batch = new RowBatch();
        RowBatchReader rows = RowBatchReader.of(input);
        while (rows.next()) {
            switch (rows.operation()) {
                case PUT -> batch.put(rows.table(), rows.key(), rows.argument());
                case DELETE -> batch.delete(rows.table(), rows.key());
                case DELETE_RANGE -> batch.deleteRange(rows.table(), rows.key(), rows.argument());
            }
        }
        return batch.encoded();
    }

    @Override
    public long allocationBytesMax() {
        return 1 << 20;
    }
}
