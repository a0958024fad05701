package dev.jitney.server.doctor;

import dev.jitney.server.ServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The installation that is checked, as its options describe it.
 *
 * @param options the options of the server
 * @param configFile the configuration file, or null
 * @param configTrouble the reason why the configuration file cannot be used, or null
 * @param secretFiles files with keys that options name
 * @param secretsInOptions names of options with a key on the command line or in the environment
 * @param urls URLs of running servers to check; empty if none is expected to run
 * @param urlsGiven whether the user has named the URLs, so that a server must answer there
 * @param process the server that holds the data directory
 * @param nowMs the time of this machine, milliseconds since the epoch
 */
public record Installation(
        ServerOptions options,
        @Nullable Path configFile,
        @Nullable String configTrouble,
        List<Path> secretFiles,
        List<String> secretsInOptions,
        List<URI> urls,
        boolean urlsGiven,
        ServerProcess process,
        long nowMs) {

    public Installation {
        secretFiles = List.copyOf(secretFiles);
        secretsInOptions = List.copyOf(secretsInOptions);
        urls = List.copyOf(urls);
    }

    /** Returns the absolute data directory, or null if everything is in memory. */
    public @Nullable Path dataDir() {
        Path directory = options.dataDir();
        return directory == null ? null : directory.toAbsolutePath().normalize();
    }

    /** Returns the directories of all stores and the data directory, each once. Some may not exist. */
    public List<Path> directories() {
        List<Path> all = new ArrayList<>();
        Path data = dataDir();
        if (data != null) {
            all.add(data);
        }
        for (Path directory : options.stores().directories()) {
            Path absolute = directory.toAbsolutePath().normalize();
            if (!all.contains(absolute)) {
                all.add(absolute);
            }
        }
        return all;
    }

    /** Returns the directories of the stores themselves, in their order. Some may not exist. */
    public List<Path> stores() {
        Path data = dataDir();
        List<Path> all = new ArrayList<>();
        if (data != null) {
            List<Path> homes = options.stores().directories();
            for (int i = 0; i < options.stores().stores(); i++) {
                Path home = homes.isEmpty() ? data : homes.get(i % homes.size());
                all.add(home.toAbsolutePath().normalize().resolve("store-" + i));
            }
        }
        return all;
    }
}
