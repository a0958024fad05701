package dev.jitney.runtime.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.shard.EntityLifecycle;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.store.StoreException;
import java.util.List;

/**
 * The rows of namespaces in the store of the first shard: loads them at start and after a failure, and changes them.
 * For the thread of that shard, and before it runs.
 */
public final class NamespaceRows {
    private final EntityLifecycle shard;
    private final ShardEntities entities;
    private final ServedNamespaces namespaces;

    /** @param shard the first shard */
    public NamespaceRows(EntityLifecycle shard, ServedNamespaces namespaces) {
        this.shard = shard;
        this.entities = shard.entities();
        this.namespaces = namespaces;
    }

    /**
     * Adds the stored namespaces, before their entities are adopted. Namespaces that the configuration now contains
     * become configured ones.
     */
    public void load() throws StoreException {
        for (MadeNamespaceRow row : entities.madeNamespaces().values()) {
            if (!namespaces.load(row)) {
                entities.handOver(row);
            }
        }
    }

    /**
     * Applies the stored rows of namespaces, before the shard runs and again after each failure. New rows are written
     * with the next batch.
     */
    public void adopt() {
        shard.afterReload(this::reload);
        namespaces.all().forEach(this::remember);
    }

    private void reload() {
        namespaces.follow(entities.madeNamespaces());
        namespaces.all().forEach(this::remember);
    }

    private void remember(ServedNamespace namespace) {
        NamespaceRow stored = entities.namespace(namespace.name());
        String configuration = namespace.options().configuration();
        boolean known = configuration != null
                && entities.configurations(namespace.name()).contains(configuration);
        namespace.configurationKnown(known);
        NamespaceRow row = known && stored != null
                ? stored
                : NamespaceRow.startingFrom(
                        stored,
                        namespace.options().accessRules(),
                        namespace.options().declaredRules(),
                        entities.seal(),
                        shard.nowMs());
        namespace.settle(row);
        if (!row.equals(stored)) {
            put(namespace, row);
        }
    }

    private void put(ServedNamespace namespace, NamespaceRow row) {
        entities.putNamespace(namespace.name(), row, () -> namespace.settle(row));
    }

    /** Adds a namespace that is created at run time. */
    void create(ServedNamespace namespace, MadeNamespaceRow row, List<AccessRule> rules) {
        namespaces.begin(namespace);
        put(namespace, NamespaceRow.made(rules, shard.nowMs()));
        entities.putMadeNamespace(row, () -> namespaces.serve(namespace));
    }

    /** Marks a namespace created at run time as being deleted. */
    void leave(ServedNamespace namespace) {
        MadeNamespaceRow made = namespace.made();
        if (made != null) {
            entities.putMadeNamespace(made.leave(), () -> namespaces.leave(namespace));
        }
    }

    /** Removes the row of a namespace created at run time, after its entities. */
    void remove(ServedNamespace namespace) {
        entities.deleteNamespace(namespace.name(), () -> namespaces.remove(namespace));
    }
}
