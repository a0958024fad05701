package dev.jitney.cli.message;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of messages that the administration tells, to show how much of some work is left. It takes the right Manage and
 * a reachable administration; without them the numbers are {@link Progress#UNKNOWN}.
 */
public final class EntityCounts {
    private static final Logger LOG = LoggerFactory.getLogger(EntityCounts.class);

    private EntityCounts() {}

    /** The messages of a queue, of a subscription or of one of their sub-queues, scheduled ones included. */
    public static long of(NamespaceClients clients, EntityAddress address) {
        try {
            ServiceBusAdministrationClient admin = clients.admin();
            if (address.subscription() != null) {
                SubscriptionRuntimeProperties counts =
                        admin.getSubscriptionRuntimeProperties(address.entity(), address.subscription());
                return switch (address.subQueue()) {
                    case NONE -> counts.getActiveMessageCount();
                    case DEAD_LETTER_QUEUE -> counts.getDeadLetterMessageCount();
                    case TRANSFER_DEAD_LETTER_QUEUE -> counts.getTransferDeadLetterMessageCount();
                };
            }
            QueueRuntimeProperties counts = admin.getQueueRuntimeProperties(address.entity());
            return switch (address.subQueue()) {
                case NONE -> (long) counts.getActiveMessageCount() + counts.getScheduledMessageCount();
                case DEAD_LETTER_QUEUE -> counts.getDeadLetterMessageCount();
                case TRANSFER_DEAD_LETTER_QUEUE -> counts.getTransferDeadLetterMessageCount();
            };
        } catch (RuntimeException e) {
            return unknown(e);
        }
    }

    /** The scheduled messages of a queue or topic. */
    static long scheduled(NamespaceClients clients, EntityAddress address) {
        try {
            return clients.admin().getQueueRuntimeProperties(address.entity()).getScheduledMessageCount();
        } catch (RuntimeException notAQueue) {
            try {
                return clients.admin()
                        .getTopicRuntimeProperties(address.entity())
                        .getScheduledMessageCount();
            } catch (RuntimeException e) {
                return unknown(e);
            }
        }
    }

    private static long unknown(RuntimeException e) {
        LOG.debug("How many messages there are is not known", e);
        return Progress.UNKNOWN;
    }
}
