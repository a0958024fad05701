package dev.jitney.cli.message;

import dev.jitney.cli.connection.ManagementNode;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Progress;
import java.util.Date;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletion of active messages on the server with {@code com.microsoft:batch-delete-messages}, without receiving them. Partitioned
 * entities and topics refuse the operation. Locked, deferred and scheduled messages stay.
 */
final class BatchDelete {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelete.class);
    private static final String OPERATION = "com.microsoft:batch-delete-messages";
    /** The maximum of one Service Bus request. A server may delete fewer messages at a time. */
    private static final int COUNT_MAX = 4_000;

    private BatchDelete() {}

    /**
     * Deletes the messages that were enqueued before this call.
     *
     * @param wanted supplies the number of messages still to delete; called before each request
     * @return false if the operation is unavailable or stopped early; the progress has the number of deleted messages
     */
    static boolean run(NamespaceClients clients, EntityAddress address, Progress progress, LongSupplier wanted) {
        Date before = Date.from(clients.console().clock().instant());
        try {
            ManagementNode node = clients.management(address.toString());
            while (wanted.getAsLong() > 0) {
                int count = (int) Math.min(COUNT_MAX, wanted.getAsLong());
                Map<?, ?> answer = node.call(OPERATION, Map.of("message-count", count, "enqueued-time-utc", before));
                long deleted = answer.get("message-count") instanceof Number number ? number.longValue() : 0;
                if (deleted <= 0) {
                    return true;
                }
                progress.add(deleted);
            }
            return true;
        } catch (RuntimeException | LinkageError e) {
            // The fallback reports any real problem to the user. A newer SDK may lack a class that this one has.
            LOG.debug("Batch delete is not available for {}", address, e);
            return false;
        }
    }
}
