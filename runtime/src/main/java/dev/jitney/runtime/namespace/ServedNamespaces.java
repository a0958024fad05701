package dev.jitney.runtime.namespace;

import dev.jitney.model.EntityNames;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceMaker;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces of a broker: first the configured ones, in order, then those created at run time. Any thread may
 * read; only the thread of the first shard changes them, because its store holds their rows.
 */
public final class ServedNamespaces {
    private final NamespaceMaker maker;
    private final Function<NamespaceOptions, ServedNamespace> factory;

    /** Comparison forms of the names whose creation is not committed yet. For the first shard. */
    private final Set<String> making = new HashSet<>();

    private volatile List<Namespace> served = List.of();
    private volatile List<ServedNamespace> leaving = List.of();

    /**
     * @param maker   returns the options of namespaces created at run time
     * @param factory creates a namespace without entities
     */
    public ServedNamespaces(NamespaceMaker maker, Function<NamespaceOptions, ServedNamespace> factory) {
        this.maker = maker;
        this.factory = factory;
    }

    /** Adds a configured namespace, before the shards run. */
    public void configure(NamespaceOptions options) {
        serve(factory.apply(options));
    }

    /**
     * Adds a stored namespace that was created before a restart, before the shards run.
     *
     * @return false if the configuration now contains the name
     */
    boolean load(MadeNamespaceRow row) throws StoreException {
        if (find(row.name()) == null) {
            put(row);
            return true;
        }
        if (row.leaving()) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "The namespace '" + row.name()
                            + "' is being deleted, but the configuration contains it. Start the server"
                            + " once without it, so that Jitney can complete the deletion.");
        }
        return false;
    }

    private void put(MadeNamespaceRow row) {
        ServedNamespace namespace = make(row);
        serve(namespace);
        if (row.leaving()) {
            leave(namespace);
        }
    }

    // --- for all threads ---

    /** Returns the served namespaces, the first configured one first. */
    public List<Namespace> served() {
        return served;
    }

    /** Returns the namespaces that are being deleted. */
    public List<ServedNamespace> leaving() {
        return leaving;
    }

    /** Returns the served namespaces and those that are being deleted. */
    public List<ServedNamespace> all() {
        List<ServedNamespace> all = new ArrayList<>();
        served.forEach(namespace -> all.add((ServedNamespace) namespace));
        all.addAll(leaving);
        return all;
    }

    /** Returns the namespace of that name in any case, including one that is being deleted, or null. */
    public @Nullable ServedNamespace find(String name) {
        for (ServedNamespace namespace : all()) {
            if (namespace.name().equalsIgnoreCase(name)) {
                return namespace;
            }
        }
        return null;
    }

    // --- for the first shard ---

    /** Returns whether a namespace of that name exists or is being created. */
    boolean isTaken(String name) {
        return find(name) != null || making.contains(EntityNames.namespaceKey(name));
    }

    int count() {
        return served.size() + leaving.size() + making.size();
    }

    /** Begins the creation of a namespace. Its name is reserved until {@link #serve} or {@link #follow}. */
    void begin(ServedNamespace namespace) {
        making.add(EntityNames.namespaceKey(namespace.name()));
    }

    /** Creates a namespace that is not served yet. */
    ServedNamespace make(MadeNamespaceRow row) {
        ServedNamespace namespace = factory.apply(maker.options(row.name(), row.tier()));
        namespace.made(row);
        return namespace;
    }

    /** Starts serving a namespace. */
    void serve(ServedNamespace namespace) {
        making.remove(EntityNames.namespaceKey(namespace.name()));
        List<Namespace> more = new ArrayList<>(served);
        more.add(namespace);
        served = List.copyOf(more);
    }

    /** Stops serving a namespace whose entities are still to be deleted. */
    void leave(ServedNamespace namespace) {
        namespace.leave();
        List<Namespace> fewer = new ArrayList<>(served);
        if (fewer.remove(namespace)) {
            List<ServedNamespace> more = new ArrayList<>(leaving);
            more.add(namespace);
            leaving = List.copyOf(more);
            served = List.copyOf(fewer);
        }
    }

    /** Removes a namespace after its deletion. */
    void remove(ServedNamespace namespace) {
        namespace.leave();
        List<ServedNamespace> fewer = new ArrayList<>(leaving);
        fewer.remove(namespace);
        leaving = List.copyOf(fewer);
    }

    /**
     * Applies the stored rows after a failure, because a failed commit may have taken effect.
     *
     * @param rows the rows by the comparison form of their names
     */
    void follow(Map<String, MadeNamespaceRow> rows) {
        making.clear();
        for (ServedNamespace namespace : all()) {
            MadeNamespaceRow row = rows.get(EntityNames.namespaceKey(namespace.name()));
            if (namespace.isConfigured()) {
                continue;
            }
            if (row == null || row.leaving()) {
                leave(namespace);
            }
            if (row == null) {
                remove(namespace);
            }
        }
        rows.values().stream().filter(row -> find(row.name()) == null).forEach(this::put);
    }
}
