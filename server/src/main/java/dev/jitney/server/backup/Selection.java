package dev.jitney.server.backup;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.rows.StoredEntities;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The namespaces and entities that a restored data directory gets. A topic brings its subscriptions, because they share the bodies
 * of messages. Names are compared without case.
 *
 * @param namespaces the namespaces, or empty for all
 * @param entities   the paths of queues and topics, or empty for all
 */
public record Selection(List<String> namespaces, List<String> entities) {
    /** Everything. */
    public static final Selection ALL = new Selection(List.of(), List.of());

    public Selection {
        namespaces = namespaces.stream().map(Selection::key).toList();
        entities = entities.stream().map(Selection::key).toList();
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    boolean isAll() {
        return namespaces.isEmpty() && entities.isEmpty();
    }

    /**
     * Removes everything else from stores that no broker uses.
     *
     * @return the number of selected entities, with subscriptions
     * @throws BackupException if a selected name does not exist, or is that of a subscription; the stores are unchanged then
     */
    int apply(List<RocksDbMessagingStore> stores) throws StoreException, BackupException {
        List<EntityRow> all = new ArrayList<>();
        for (RocksDbMessagingStore store : stores) {
            all.addAll(StoredEntities.of(store));
        }
        Set<String> missingNamespaces = new HashSet<>(namespaces);
        Set<String> missingEntities = new HashSet<>(entities);
        Set<String> keptNamespaces = new HashSet<>();
        Set<Long> kept = new HashSet<>();
        for (EntityRow row : all) {
            String namespace = key(row.namespace());
            String top = key(topLevel(row.description()));
            missingNamespaces.remove(namespace);
            if (!namespaces.isEmpty() && !namespaces.contains(namespace)) {
                continue;
            }
            if (entities.isEmpty() || entities.contains(top)) {
                missingEntities.remove(top);
                keptNamespaces.add(namespace);
                kept.add(row.entityId());
            } else if (row.description().kind() == EntityKind.SUBSCRIPTION
                    && entities.contains(key(row.description().path()))) {
                throw new BackupException("--entity " + row.description().path()
                        + ": Expected a queue or a topic, but it is a subscription. Select its topic, "
                        + topLevel(row.description())
                        + ": a topic and its subscriptions share the bodies of messages.");
            }
        }
        if (!missingNamespaces.isEmpty()) {
            throw new BackupException(
                    "--namespace: Expected namespaces with entities in the backup, but it has none in: "
                            + String.join(", ", missingNamespaces) + ".");
        }
        if (!missingEntities.isEmpty()) {
            throw new BackupException("--entity: Expected queues and topics of the backup, but it does not have: "
                    + String.join(", ", missingEntities) + ".");
        }
        keptNamespaces.addAll(namespaces);
        for (RocksDbMessagingStore store : stores) {
            StoredEntities.keepOnly(store, kept, keptNamespaces);
        }
        return kept.size();
    }

    private static String topLevel(EntityDescription description) {
        return description instanceof SubscriptionDescription subscription
                ? subscription.topicPath()
                : description.path();
    }
}
