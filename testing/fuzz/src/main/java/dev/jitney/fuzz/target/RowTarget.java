package dev.jitney.fuzz.target;

import static java.util.Objects.requireNonNull;

import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.SharedBody;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.Random;

/**
 * A damaged row of each table. It is reported as corrupt, or it is a valid row that has exactly these bytes when it is
 * written again.
 *
 * <p>If damage turns one valid row into another, the formats cannot detect it; the checksums of the engine can.
 */
public final class RowTarget implements FuzzTarget {
    private static final FragmentId FRAGMENT = GoldenRows.FRAGMENT;
    private static final String SESSION = GoldenRows.SESSION;

    private final List<Row> golden = GoldenRows.all();

    @Override
    public String name() {
        return "row";
    }

    @Override
    public byte[] generate(Random random) {
        return golden.get(random.nextInt(golden.size())).toInput();
    }

    @Override
    public void run(byte[] input) {
        Row row = Row.of(input);
        RowBatch written = new RowBatch();
        try {
            readAndWrite(row, written);
        } catch (StoreFault refused) {
            if (refused.fault().reason() != StoreException.Reason.CORRUPT) {
                throw refused;
            }
            return;
        }
        for (Row again : Row.allOf(written)) {
            boolean sameVersion = row.value().length == 0
                    || again.value().length == 0
                    || row.value()[0] == again.value()[0]
                    || again.table() == Table.META && again.value().length == 4;
            if (again.table() == row.table() && sameVersion && !again.isSame(withKeyOf(again, row))) {
                throw new AssertionError("Expected a row of " + row.table()
                        + " to be refused or to be written with its own bytes, but it would be written as "
                        + java.util.HexFormat.of().formatHex(again.value()) + " under "
                        + java.util.HexFormat.of().formatHex(again.key()) + ".");
            }
        }
    }

    /**
     * Returns the row with the key that it is written with. A row that is read by key is written with the requested key;
     * a row from a scan keeps its own key, which may be its whole content.
     */
    private static Row withKeyOf(Row asked, Row row) {
        return switch (row.table()) {
            case TIMERS, SESSION_HEADS, SESSION_MESSAGES -> new Row(row.table(), row.key(), asked.value());
            case EXPIRY_BLOCKS, ENTITIES, PARTS, REMAINS -> row;
            default -> new Row(row.table(), asked.key(), row.value());
        };
    }

    private void readAndWrite(Row row, RowBatch written) {
        RowStore store = row.table() == Table.MESSAGE_STATES
                ? new RowStore(row, GoldenRows.message(), GoldenRows.body())
                : new RowStore(row, GoldenRows.body());
        if (row.table() == Table.BODIES) {
            store = new RowStore(row, GoldenRows.sharingMessage());
        }
        StoreRowReader reader = new StoreRowReader(store);
        StoreRowWriter writer = new StoreRowWriter(written);
        switch (row.table()) {
            case META -> meta(row, reader, writer);
            case ENTITIES -> reader.entities().forEach(writer::putEntity);
            case FRAGMENTS -> writer.putFragment(FRAGMENT, reader.fragment(FRAGMENT));
            case MESSAGES -> messages(reader, writer);
            case MESSAGE_STATES, BODIES -> states(row, reader, writer);
            case TIMERS ->
                reader.timers(FRAGMENT, 0, 0, 10)
                        .forEach(timer -> writer.putTimer(FRAGMENT, timer.dueMs(), timer.sequenceNumber()));
            case EXPIRY_BLOCKS ->
                reader.expiryBlocks(FRAGMENT)
                        .forEach(block -> writer.putExpiryBlock(FRAGMENT, block.block(), block.earliestExpiryMs()));
            case RULES -> reader.rules(FRAGMENT.entityId()).forEach(rule -> writer.putRule(FRAGMENT.entityId(), rule));
            case BODY_RELEASES -> writer.putBodyReleases(FRAGMENT, 1, reader.bodyReleases(FRAGMENT, 1));
            case REMAINS -> reader.remains();
            case DUPLICATE_IDS -> acceptedIds(reader, writer);
            case SESSIONS -> {
                reader.scanSessions(FRAGMENT, null, (id, session) -> true);
                writer.putSession(FRAGMENT, SESSION, requireNonNull(reader.session(FRAGMENT, SESSION)));
            }
            case SESSION_HEADS ->
                reader.sessionHeads(FRAGMENT, new SessionHeadRow(0, ""), 10)
                        .forEach(head -> writer.putSessionHead(FRAGMENT, head));
            case SESSION_MESSAGES ->
                reader.sessionMessages(FRAGMENT, SESSION, 0, 10)
                        .forEach(number -> writer.putSessionMessage(FRAGMENT, SESSION, number));
            case SESSION_STATES ->
                writer.putSessionState(FRAGMENT, SESSION, requireNonNull(reader.sessionState(FRAGMENT, SESSION)));
            case TRANSFERS -> {
                reader.outboxes(damage -> {
                    throw damage;
                });
                reader.transfers(new StoreRowReader.OutboxLane(FRAGMENT, 43), 0, 10, 1 << 20)
                        .forEach(transfer -> writer.putTransfer(FRAGMENT, transfer));
            }
            case TRANSFER_MARKS -> writer.putTransferMark(FRAGMENT, FRAGMENT, reader.transferMark(FRAGMENT, FRAGMENT));
            case UPTIME -> {
                if (row.key().length > 5) {
                    writer.putDowntimes(reader.downtimes());
                } else {
                    writer.putAlive(requireNonNull(reader.aliveMs()));
                }
            }
            case PARTS -> reader.parts().forEach(writer::putPart);
        }
    }

    private static void meta(Row row, StoreRowReader reader, StoreRowWriter writer) {
        if (row.key().length < 12) {
            writer.putNamespace("first", requireNonNull(reader.namespace("first")));
        } else {
            writer.putLastEntityId(reader.lastEntityId());
        }
    }

    private static void messages(StoreRowReader reader, StoreRowWriter writer) {
        reader.remnants(FRAGMENT, Lane.MAIN, 0, 10);
        reader.scan(FRAGMENT, Lane.MAIN, 0, Long.MAX_VALUE, message -> true);
        writer.putMessage(FRAGMENT, Lane.MAIN, reader.stored(FRAGMENT, Lane.MAIN, 7));
    }

    private static void states(Row row, StoreRowReader reader, StoreRowWriter writer) {
        var message = requireNonNull(reader.message(FRAGMENT, Lane.MAIN, 7));
        if (row.table() == Table.MESSAGE_STATES) {
            writer.putChange(FRAGMENT, Lane.MAIN, 7, requireNonNull(message.change()));
        } else {
            SharedBody shared = requireNonNull(message.message().sharedBody());
            writer.putBody(FRAGMENT, shared.number(), message.message().content());
        }
    }

    private static void acceptedIds(StoreRowReader reader, StoreRowWriter writer) {
        DuplicateKey key = DuplicateKey.ofString("order-7");
        for (long generationMs : reader.acceptedIdGenerations(FRAGMENT)) {
            reader.acceptedIds(FRAGMENT, generationMs, 10);
        }
        writer.putAcceptedId(FRAGMENT, requireNonNull(reader.acceptedId(FRAGMENT, GoldenRows.GENERATION_MS, key)));
    }
}
