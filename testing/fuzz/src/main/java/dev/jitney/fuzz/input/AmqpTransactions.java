package dev.jitney.fuzz.input;

import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Inputs with transactions: declares, discharges, and sends in transactions. */
final class AmqpTransactions {
    /** The id of a transaction, if the gateway happens to issue it; most inputs name no existing transaction. */
    static final byte[] FIRST = "txn:0:1".getBytes(StandardCharsets.US_ASCII);

    private static final long COORDINATOR = 10;
    private static final int ATTACH_COORDINATOR = 0x30;
    private static final int DECLARE = 0x31;
    private static final int DISCHARGE = 0x32;
    private static final int TRANSACTIONAL_STATE = 0x34;
    private static final int VALUE_SECTION = 0x77;

    private AmqpTransactions() {}

    /** Returns an attach to the coordinator. */
    static byte[] coordinator(long handle) {
        Wire.Described target = Wire.section(ATTACH_COORDINATOR, Arrays.asList(Wire.sym("amqp:local-transactions")));
        Wire.Described source = Wire.section(0x28, List.of());
        return Frames.frame(0, Code.ATTACH, "transactions", handle, false, null, null, source, target, null, null, 0L);
    }

    /** Returns a message to the coordinator, or a message in a transaction to the link of that handle. */
    static byte[] frame(Random random, long handle, byte[] message) {
        byte[] transaction = random.nextInt(4) == 0 ? new byte[random.nextInt(40)] : FIRST;
        return switch (random.nextInt(4)) {
            case 0 -> ask(random, Wire.section(DECLARE, List.of()));
            case 1 ->
                ask(random, Wire.section(DISCHARGE, Arrays.asList(bad(random, transaction), random.nextBoolean())));
            case 2 -> ask(random, Wire.section(DECLARE + random.nextInt(2), Arrays.asList(bad(random, null), true)));
            default ->
                Frames.transfer(
                        handle,
                        random.nextInt(4),
                        Wire.section(TRANSACTIONAL_STATE, Arrays.asList(bad(random, transaction), bad(random, null))),
                        message);
        };
    }

    private static byte[] ask(Random random, Wire.Described request) {
        byte[] message = WireValues.encode(Wire.section(VALUE_SECTION, bad(random, request)));
        return Frames.transfer(COORDINATOR, random.nextInt(4), message);
    }

    private static @Nullable Object bad(Random random, @Nullable Object good) {
        return random.nextInt(8) == 0 ? WireValues.any(random, 2) : good;
    }
}
