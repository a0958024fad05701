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
 * The namespaces of a broker: first those of the configuration, in its order, then those that were made at run time. Any thread
 * may read; the thread of the first shard changes them, since its store keeps what is known of namespaces.
 */
public final class ServedNamespaces {
    private final NamespaceMaker maker;
    private final Function<NamespaceOptions, ServedNamespace> factory;

    /** Comparison forms of the names whose creation waits for its commit. For the first shard. */
    private final Set<String> making = new HashSet<>();

    private volatile List<Namespace> served = List.of();
    private volatile List<ServedNamespace> leaving = List.of();

    /**
     * @param maker tells how namespaces are served that are made at run time
     * @param factory makes one that has no entities
     */
    public ServedNamespaces(NamespaceMaker maker, Function<NamespaceOptions, ServedNamespace> factory) {
        this.maker = maker;
        this.factory = factory;
    }

    /** Adds one of the configuration, before the shards run. */
    public void configure(NamespaceOptions options) {
        serve(factory.apply(options));
    }

    /**
     * Adds one that was made in an earlier life, before the shards run.
     *
     * @return false if the configuration has taken its name over
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
                            + "' is being deleted, but the configuration names it. Start the server"
                            + " once without it, so that the deletion can end.");
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

    // --- for everybody ---

    /** Those that are served, the first configured one first. */
    public List<Namespace> served() {
        return served;
    }

    /** Those that are being deleted. */
    public List<ServedNamespace> leaving() {
        return leaving;
    }

    /** All that have entities. */
    public List<ServedNamespace> all() {
        List<ServedNamespace> all = new ArrayList<>();
        served.forEach(namespace -> all.add((ServedNamespace) namespace));
        all.addAll(leaving);
        return all;
    }

    /** The one of that name in any case, also if it is being deleted; or null. */
    public @Nullable ServedNamespace find(String name) {
        for (ServedNamespace namespace : all()) {
            if (namespace.name().equalsIgnoreCase(name)) {
                return namespace;
            }
        }
        return null;
    }

    // --- for the first shard ---

    /** Whether there is one of that name, or will be. */
    boolean isTaken(String name) {
        return find(name) != null || making.contains(EntityNames.namespaceKey(name));
    }

    int count() {
        return served.size() + leaving.size() + making.size();
    }

    /** The creation of one begins; its name is taken until {@link #serve} or {@link #follow}. */
    void begin(ServedNamespace namespace) {
        making.add(EntityNames.namespaceKey(namespace.name()));
    }

    /** One that is not served yet. */
    ServedNamespace make(MadeNamespaceRow row) {
        ServedNamespace namespace = factory.apply(maker.options(row.name(), row.tier()));
        namespace.made(row);
        return namespace;
    }

    /** It is there. */
    void serve(ServedNamespace namespace) {
        making.remove(EntityNames.namespaceKey(namespace.name()));
        List<Namespace> more = new ArrayList<>(served);
        more.add(namespace);
        served = List.copyOf(more);
    }

    /** It is served no more; its entities are still to go. */
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

    /** Nothing is left of it. */
    void remove(ServedNamespace namespace) {
        namespace.leave();
        List<ServedNamespace> fewer = new ArrayList<>(leaving);
        fewer.remove(namespace);
        leaving = List.copyOf(fewer);
    }

    /**
     * Takes over what the store has after a failure: a failed commit may have happened.
     *
     * @param rows by the comparison forms of their names
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
