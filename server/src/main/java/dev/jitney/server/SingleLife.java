package dev.jitney.server;

import dev.jitney.cluster.change.DirectoryChange;
import dev.jitney.cluster.member.Membership;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.cluster.ClusterLeave;
import dev.jitney.server.stores.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a single node: one term from start to end, on the node's own stores, on disk or in memory. */
final class SingleLife implements ServerLife {
    private static final Logger LOG = LoggerFactory.getLogger(SingleLife.class);

    private final TermSettings settings;
    private final @Nullable Path dataDir;
    private final Clock clock;
    private volatile @Nullable ServiceTerm term;

    /**
     * @param dataDir the data directory, which this process holds, or null if everything is in memory
     */
    SingleLife(TermSettings settings, @Nullable Path dataDir, Clock clock) {
        this.settings = settings;
        this.dataDir = dataDir;
        this.clock = clock;
    }

    @Override
    public void start(LifecycleLog log) throws StartException {
        BrokerBackend backend = dataDir == null ? openInMemory() : open(dataDir);
        log.recovered();
        term = ServiceTerm.open(settings, backend);
    }

    private BrokerBackend openInMemory() throws StartException {
        ServerOptions options = settings.options();
        InMemory memory = Objects.requireNonNull(options.inMemory());
        List<NamespaceOptions> namespaces =
                settings.namespaces().stream().map(NamespaceSettings::options).toList();
        return settings.components()
                .openBackend(
                        memory.open(options.stores().stores()),
                        namespaces,
                        ServerComponents.BrokerSettings.of(options),
                        clock);
    }

    private BrokerBackend open(Path directory) throws StartException {
        ServerOptions options = settings.options();
        leaveCluster(directory, options);
        return settings.components()
                .openBackend(
                        directory,
                        options.stores(),
                        settings.namespaces(),
                        ServerComponents.BrokerSettings.of(options),
                        clock);
    }

    /** Makes the data directory of a cluster's only member that of a single node, or completes this change (CL-54). */
    private void leaveCluster(Path directory, ServerOptions options) throws StartException {
        ClusterLeave leave = options.leave();
        Path raft = leave == null || leave.raftDir() == null ? directory : leave.raftDir();
        try {
            DirectoryChange change = leave == null && !Files.exists(raft.resolve(Membership.FILE))
                    ? null
                    : new DirectoryChange(raft, settings.components().kinds(directory, options.stores()), clock);
            if (change == null || leave == null && change.interrupted() != Membership.Change.LEAVING) {
                return;
            }
            if (!change.leave()) {
                LOG.info("--cluster-leave has no effect: the data directory is that of a single node already.");
            }
        } catch (StoreException | IOException e) {
            throw StartException.fault("--cluster-leave: " + e.getMessage(), e);
        }
    }

    @Override
    public OpenPorts ports() {
        ServiceTerm current = term;
        return current == null ? OpenPorts.NONE : current.ports();
    }

    @Override
    public @Nullable ServiceTerm term() {
        return term;
    }

    @Override
    public @Nullable String trouble() {
        ServiceTerm current = term;
        return current == null ? "The server is not started." : current.trouble();
    }

    @Override
    public void close() {
        ServiceTerm current = term;
        if (current != null) {
            current.close();
        }
    }
}
