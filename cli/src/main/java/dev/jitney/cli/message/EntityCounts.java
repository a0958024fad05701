package dev.jitney.cli.message;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of messages from entity management, to show how much work is left. They need the right Manage and a reachable
 * administration URL. Otherwise the numbers are {@link Progress#UNKNOWN}.
 */
public final class EntityCounts {
    private static final Logger LOG = LoggerFactory.getLogger(EntityCounts.class);

    private EntityCounts() {}

    /** Returns the number of messages of a queue, a subscription or a sub-queue, including scheduled messages. */
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

    /** Returns the number of scheduled messages of a queue or topic. */
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
        LOG.debug("The number of messages is unknown", e);
        return Progress.UNKNOWN;
    }
}
