package dev.jitney.runtime.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.shard.EntityLifecycle;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.store.StoreException;
import java.util.List;

/**
 * The namespaces as the store of the first shard keeps them: taken over at a start and after a failure, and changed. For the
 * thread of that shard, and before it runs.
 */
public final class NamespaceRows {
    private final EntityLifecycle shard;
    private final ShardEntities entities;
    private final ServedNamespaces namespaces;

    /** @param shard the first one */
    public NamespaceRows(EntityLifecycle shard, ServedNamespaces namespaces) {
        this.shard = shard;
        this.entities = shard.entities();
        this.namespaces = namespaces;
    }

    /**
     * Adds the namespaces that the store has, before entities are adopted; those that the configuration has taken over are
     * its from now on.
     */
    public void load() throws StoreException {
        for (MadeNamespaceRow row : entities.madeNamespaces().values()) {
            if (!namespaces.load(row)) {
                entities.handOver(row);
            }
        }
    }

    /**
     * Takes over what the store has about namespaces, before the shard runs, and again after each failure; what is new is written
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
        NamespaceRow row = NamespaceRow.startingFrom(stored, namespace.options().accessRules(), shard.nowMs());
        namespace.settle(row);
        if (!row.equals(stored)) {
            put(namespace, row);
        }
    }

    private void put(ServedNamespace namespace, NamespaceRow row) {
        entities.putNamespace(namespace.name(), row, () -> namespace.settle(row));
    }

    /** Adds a namespace that is made at run time. */
    void create(ServedNamespace namespace, MadeNamespaceRow row, List<AccessRule> rules) {
        namespaces.begin(namespace);
        put(namespace, NamespaceRow.made(rules, shard.nowMs()));
        entities.putMadeNamespace(row, () -> namespaces.serve(namespace));
    }

    /** A namespace that was made at run time is served no more. */
    void leave(ServedNamespace namespace) {
        MadeNamespaceRow made = namespace.made();
        if (made != null) {
            entities.putMadeNamespace(made.leave(), () -> namespaces.leave(namespace));
        }
    }

    /** Nothing is left of a namespace that was made at run time. */
    void remove(ServedNamespace namespace) {
        entities.deleteNamespace(namespace.name(), () -> namespaces.remove(namespace));
    }
}
