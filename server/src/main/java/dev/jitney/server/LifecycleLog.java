package dev.jitney.server;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The log of a server's start and stop. Its times are of a monotonic clock, in nanoseconds. */
final class LifecycleLog {
    private final Logger log;
    private final long startNs;
    private long recoveredNs;

    /**
     * Logs that a server begins to start.
     *
     * @param log     the log of the server
     * @param dataDir the data directory, or null if everything is in memory
     */
    LifecycleLog(Logger log, @Nullable Path dataDir) {
        this.log = log;
        startNs = System.nanoTime();
        recoveredNs = startNs;
        String java = System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")";
        log.atInfo()
                .addKeyValue("version", BuildInfo.version())
                .addKeyValue("java", java)
                .addKeyValue(
                        "dataDirectory",
                        dataDir == null ? "none" : dataDir.toAbsolutePath().normalize())
                .log("Jitney starts");
        if (dataDir == null) {
            log.info("Everything is in memory and is lost when the server stops.");
        }
    }

    /** Notes that all stores are open and the broker has read its state. */
    void recovered() {
        recoveredNs = System.nanoTime();
    }

    /** Logs that all listeners are open. */
    void serving(Broker broker, String listeners) {
        long entities = 0;
        for (Namespace namespace : broker.namespaces()) {
            for (Entity entity : namespace.entities()) {
                entities += 1 + entity.subscriptions().size();
            }
        }
        log.atInfo()
                .addKeyValue("listeners", listeners)
                .addKeyValue("namespaces", broker.namespaces().size())
                .addKeyValue("entities", entities)
                .addKeyValue("stores", broker.shards().size())
                .addKeyValue("recoverySeconds", seconds(recoveredNs - startNs))
                .addKeyValue("startSeconds", seconds(System.nanoTime() - startNs))
                .log("Jitney is ready");
    }

    /**
     * Logs that a server begins to stop.
     *
     * @return the time of the beginning, for {@link #stopped}
     */
    long stopping(String reason) {
        long nowNs = System.nanoTime();
        log.atInfo()
                .addKeyValue("reason", reason)
                .addKeyValue("uptimeSeconds", TimeUnit.NANOSECONDS.toSeconds(nowNs - startNs))
                .log("Jitney stops");
        return nowNs;
    }

    /** Logs that everything is closed. */
    void stopped(long stoppingNs) {
        log.atInfo()
                .addKeyValue("stopSeconds", seconds(System.nanoTime() - stoppingNs))
                .log("Jitney has stopped");
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.1f", ns / 1e9);
    }
}
