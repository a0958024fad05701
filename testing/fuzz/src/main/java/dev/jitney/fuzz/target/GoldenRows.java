package dev.jitney.fuzz.target;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.model.MessageContent;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Valid rows: the golden rows of every version, and for the other tables the rows that the current version writes. */
final class GoldenRows {
    static final FragmentId FRAGMENT = new FragmentId(42, 0);
    static final String SESSION = "session-1";
    static final long GENERATION_MS = 1_699_999_000_000L;
    private static final byte[] ENTITY_KEY = HexFormat.of().parseHex("0000002a");
    private static final byte[] FRAGMENT_KEY = HexFormat.of().parseHex("0000002a0000");
    private static final byte[] MESSAGE_KEY = HexFormat.of().parseHex("0000002a0000000000000000000007");
    private static final byte[] TRANSFER_KEY = HexFormat.of().parseHex("0000002a00000000002b0000000000000009");

    private GoldenRows() {}

    static List<Row> all() {
        List<Row> out = new ArrayList<>();
        for (String name : List.of("queue-v1", "queue-v2", "topic-v2", "subscription-v2")) {
            out.add(golden(Table.ENTITIES, ENTITY_KEY, name));
        }
        for (String name :
                List.of("message-v1", "message-v2", "message-v3", "message-shared-v2", "message-shared-v3")) {
            out.add(golden(Table.MESSAGES, MESSAGE_KEY, name));
        }
        out.add(golden(Table.FRAGMENTS, FRAGMENT_KEY, "fragment-v1"));
        out.add(golden(Table.FRAGMENTS, FRAGMENT_KEY, "fragment-v2"));
        out.add(golden(Table.MESSAGE_STATES, MESSAGE_KEY, "change-v1"));
        out.add(golden(Table.RULES, key("0000002a", "red"), "rule-sql-v1"));
        out.add(golden(Table.RULES, key("0000002a", "$default"), "rule-correlation-v1"));
        out.add(golden(Table.TRANSFERS, TRANSFER_KEY, "transfer-v1"));
        out.add(golden(Table.TRANSFERS, TRANSFER_KEY, "transfer-v2"));
        out.add(golden(Table.UPTIME, key("", "alive"), "alive-v1"));
        out.add(golden(Table.UPTIME, key("", "downtimes"), "downtimes-v1"));
        out.add(golden(Table.PARTS, ENTITY_KEY, "part-v1"));
        out.add(golden(Table.META, key("", "namespace/n"), "namespace-v1"));
        out.add(new Row(Table.REMAINS, ENTITY_KEY, HexFormat.of().parseHex("00000029")));
        out.add(body());
        out.addAll(written());
        return out;
    }

    /** Returns rows of the current version for tables without golden rows. */
    private static List<Row> written() {
        RowBatch rows = new RowBatch();
        StoreRowWriter writer = new StoreRowWriter(rows);
        writer.putLastEntityId(44);
        writer.putTimer(FRAGMENT, 1_700_000_000_000L, 7);
        writer.putExpiryBlock(FRAGMENT, 3, 1_700_000_000_000L);
        writer.putBodyReleases(FRAGMENT, 12, 2);
        writer.putSession(FRAGMENT, SESSION, new SessionRow(7, 0, 2, 3, 12, 1_700_000_000_000L));
        writer.putSessionHead(FRAGMENT, new SessionHeadRow(7, SESSION));
        writer.putSessionMessage(FRAGMENT, SESSION, 7);
        writer.putSessionState(FRAGMENT, SESSION, new byte[] {1, 2, 3});
        writer.putTransferMark(FRAGMENT, FRAGMENT, 9);
        writer.putAcceptedId(
                FRAGMENT, new AcceptedId(DuplicateKey.ofString("order-7"), GENERATION_MS, 1_700_000_000_000L, 12));
        return Row.allOf(rows);
    }

    static Row message() {
        return golden(Table.MESSAGES, MESSAGE_KEY, "message-v3");
    }

    static Row sharingMessage() {
        return golden(Table.MESSAGES, MESSAGE_KEY, "message-shared-v3");
    }

    static Row body() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer body = StandardCharsets.UTF_8.encode("body");
        return new Row(
                Table.BODIES,
                HexFormat.of().parseHex("00000029000200000000" + "0000000c"),
                MessageContent.of(true, 4, false, nothing, nothing, nothing, body)
                        .bytes());
    }

    private static byte[] key(String hex, String text) {
        byte[] front = HexFormat.of().parseHex(hex);
        byte[] back = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(front.length + back.length)
                .put(front)
                .put(back)
                .array();
    }

    private static Row golden(Table table, byte[] key, String name) {
        String file = "/dev/jitney/runtime/rows/" + name + ".hex";
        try (InputStream in = GoldenRows.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(
                        "Expected the golden row " + file + " on the class path, but it is missing.");
            }
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return new Row(table, key, HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
