package dev.jitney.runtime.rows;

import dev.jitney.core.StoredMessage;
import java.io.ByteArrayOutputStream;

/** The whole row of a message. */
final class MessageRowBytes {
    private MessageRowBytes() {}

    static byte[] of(StoredMessage message) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row.writeBytes(MessageRows.head(message));
        row.writeBytes(MessageRows.content(message));
        return row.toByteArray();
    }
}
