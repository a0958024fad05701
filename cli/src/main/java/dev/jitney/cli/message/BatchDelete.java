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
 * Deletes active messages without fetching them, with {@code com.microsoft:batch-delete-messages}. Partitioned
 * entities and topics refuse it; locked, deferred and scheduled messages stay.
 */
final class BatchDelete {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelete.class);
    private static final String OPERATION = "com.microsoft:batch-delete-messages";
    /** The most that Service Bus takes; a server may delete fewer of them at a time. */
    private static final int COUNT_MAX = 4_000;

    private BatchDelete() {}

    /**
     * Deletes what was enqueued until now.
     *
     * @param wanted how many more are to be deleted; it is asked before each request
     * @return false if it cannot be done this way, or not to the end; what was deleted is in the progress
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
            // The other way tells the user what is wrong, if something is. A newer SDK may lack what this one has.
            LOG.debug("Batch delete of {} is not to be had", address, e);
            return false;
        }
    }
}
