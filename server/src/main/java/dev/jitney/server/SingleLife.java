package dev.jitney.server;

import dev.jitney.cluster.change.DirectoryChange;
import dev.jitney.cluster.member.Membership;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.cluster.ClusterLeave;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a single node: one term from start to end, on the node's own stores. */
final class SingleLife implements ServerLife {
    private static final Logger LOG = LoggerFactory.getLogger(SingleLife.class);

    private final TermSettings settings;
    private final Path dataDir;
    private final Clock clock;
    private volatile @Nullable ServiceTerm term;

    /**
     * @param dataDir the data directory, which this process holds
     */
    SingleLife(TermSettings settings, Path dataDir, Clock clock) {
        this.settings = settings;
        this.dataDir = dataDir;
        this.clock = clock;
    }

    @Override
    public void start(LifecycleLog log) throws StartException {
        ServerOptions options = settings.options();
        leaveCluster(options);
        BrokerBackend backend = settings.components()
                .openBackend(
                        dataDir,
                        options.stores(),
                        settings.namespaces(),
                        (name, tier) -> NamespaceSettings.made(name, tier, options),
                        clock);
        log.recovered();
        term = ServiceTerm.open(settings, backend);
    }

    /** Makes the data directory of a cluster's only member that of a single node, or completes this change (CL-54). */
    private void leaveCluster(ServerOptions options) throws StartException {
        ClusterLeave leave = options.leave();
        Path raft = leave == null || leave.raftDir() == null ? dataDir : leave.raftDir();
        try {
            DirectoryChange change =
                    leave == null && !Files.exists(raft.resolve(Membership.FILE)) ? null : change(raft, options);
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

    private DirectoryChange change(Path raft, ServerOptions options) throws StartException {
        return new DirectoryChange(raft, settings.components().kinds(dataDir, options.stores()), clock);
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
