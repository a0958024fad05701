package dev.jitney.gateway.http.operator.backup;

import io.vertx.core.json.JsonObject;
import java.time.Instant;

/**
 * A backup as operators see it.
 *
 * @param run          the number of the order since the start of the server, or 0 for a backup that was there before
 * @param id           names the backup in its directory; empty before it is complete
 * @param state        {@code starting}, {@code copying}, {@code done}, {@code failed} or, in a list, {@code unreadable}
 * @param momentMs     the moment whose data it has, in milliseconds since the epoch; 0 before it is known
 * @param bytes        the bytes of all its files
 * @param newBytes     the bytes of its files that no older backup had
 * @param bytesDone    the bytes that were read so far
 * @param stores       the number of its messaging stores
 * @param stoppedNanos the time for which commits waited at the moment, in nanoseconds
 * @param reason       the reason why it has failed or cannot be read, or empty text
 * @param warning      a sentence about a problem that did not prevent it, or empty text
 */
public record BackupView(
        long run,
        String id,
        String state,
        long momentMs,
        long bytes,
        long newBytes,
        long bytesDone,
        int stores,
        long stoppedNanos,
        String reason,
        String warning) {

    JsonObject document() {
        JsonObject document = new JsonObject().put("state", state);
        if (run > 0) {
            document.put("run", run).put("bytesDone", bytesDone).put("stoppedMicroseconds", stoppedNanos / 1_000);
        }
        if (!id.isEmpty()) {
            document.put("id", id).put("stores", stores).put("newBytes", newBytes);
        }
        if (momentMs > 0) {
            document.put("moment", Instant.ofEpochMilli(momentMs).toString());
        }
        document.put("bytes", bytes);
        if (!reason.isEmpty()) {
            document.put("reason", reason);
        }
        if (!warning.isEmpty()) {
            document.put("warning", warning);
        }
        return document;
    }
}
