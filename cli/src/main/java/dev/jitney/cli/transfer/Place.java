package dev.jitney.cli.transfer;

import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.entity.EntityReader;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * An address whose messages are exported.
 *
 * @param messages the number of messages including dead letters, or {@link Progress#UNKNOWN}
 * @param deadLetters whether to export its dead-letter queues too
 */
record Place(EntityAddress address, long messages, boolean deadLetters) {

    static Place found(EntityReader.Found entity) {
        return new Place(EntityAddress.parse(entity.path()), entity.messages(), entity.deadLetters());
    }

    /** Returns the places of a path that the user named. A topic includes its subscriptions. Reads no other entities. */
    static List<Place> named(NamespaceClients clients, String path) {
        EntityAddress address = EntityAddress.typed(path);
        if (address.sendable() && isTopic(clients, address.entity())) {
            List<Place> places = new ArrayList<>();
            places.add(new Place(address, Progress.UNKNOWN, false));
            for (SubscriptionProperties subscription : clients.admin().listSubscriptions(address.entity())) {
                EntityAddress of =
                        new EntityAddress(address.entity(), subscription.getSubscriptionName(), SubQueue.NONE);
                places.add(new Place(of, Progress.UNKNOWN, true));
            }
            return places;
        }
        return List.of(new Place(address, Progress.UNKNOWN, address.subQueue() == SubQueue.NONE));
    }

    /** Returns false also if the right Manage is missing: the entity is then most likely a queue. */
    private static boolean isTopic(NamespaceClients clients, String name) {
        try {
            clients.admin().getTopic(name);
            return true;
        } catch (RuntimeException notATopicOrNotToBeSeen) {
            return false;
        }
    }
}
