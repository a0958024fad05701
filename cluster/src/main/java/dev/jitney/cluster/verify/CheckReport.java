package dev.jitney.cluster.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * The state of a {@link ReplicaCheck}, as one node sends it to another.
 *
 * @param id     the id of the mark
 * @param state  the state
 * @param index  the index of the mark in the log, 0 before it was applied
 * @param rows   the rows that were read so far
 * @param bytes  the bytes of these rows
 * @param reason the reason of a failure, otherwise empty
 * @param tables the checksums of all tables once the check is complete, otherwise none
 */
public record CheckReport(
        UUID id, State state, long index, long rows, long bytes, String reason, List<TableChecksum> tables) {
    private static final int LINES_MAX = 1 << 18;
    private static final int FIELDS = 6;
    private static final int REASON_MAX = 1_000;

    public CheckReport {
        tables = List.copyOf(tables);
        reason = reason.replaceAll("\\s+", " ");
        reason = reason.substring(0, Math.min(reason.length(), REASON_MAX));
    }

    /** The state of a check. */
    public enum State {
        /** The node has not applied the mark yet. */
        WAITING,
        /** It reads its tables as of the mark. */
        READING,
        /** The checksums are complete. */
        DONE,
        /** The check cannot be completed. */
        FAILED;

        /** Returns whether the state does not change any more. */
        boolean isFinal() {
            return this == DONE || this == FAILED;
        }
    }

    /** Returns the text form. */
    public byte[] encoded() {
        StringBuilder text = new StringBuilder()
                .append(id)
                .append(' ')
                .append(state.name().toLowerCase(Locale.ROOT))
                .append(' ')
                .append(index)
                .append(' ')
                .append(rows)
                .append(' ')
                .append(bytes)
                .append(' ')
                .append(reason)
                .append('\n');
        for (TableChecksum table : tables) {
            text.append(table.store())
                    .append(' ')
                    .append(table.table())
                    .append(' ')
                    .append(table.rows())
                    .append(' ')
                    .append(table.bytes())
                    .append(' ')
                    .append(HexFormat.of().toHexDigits(table.checksum()))
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the text form.
     *
     * @throws IOException if it is not valid
     */
    public static CheckReport parse(byte[] encoded) throws IOException {
        String[] lines = new String(encoded, StandardCharsets.UTF_8).split("\n", LINES_MAX);
        try {
            String[] head = lines[0].split(" ", FIELDS);
            List<TableChecksum> tables = new ArrayList<>();
            for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
                String[] table = lines[i].split(" ", FIELDS);
                tables.add(new TableChecksum(
                        Integer.parseInt(table[0]),
                        Integer.parseInt(table[1]),
                        Long.parseLong(table[2]),
                        Long.parseLong(table[3]),
                        HexFormat.fromHexDigits(table[4])));
            }
            return new CheckReport(
                    UUID.fromString(head[0]),
                    State.valueOf(head[1].toUpperCase(Locale.ROOT)),
                    Long.parseLong(head[2]),
                    Long.parseLong(head[3]),
                    Long.parseLong(head[4]),
                    head[5],
                    tables);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("Expected checksums of a node, but got something else.", e);
        }
    }
}
