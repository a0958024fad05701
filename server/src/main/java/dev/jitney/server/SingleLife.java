package dev.jitney.server;

import dev.jitney.runtime.Clock;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The life of a single node: one term from start to end, on the node's own stores. */
final class SingleLife implements ServerLife {
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
