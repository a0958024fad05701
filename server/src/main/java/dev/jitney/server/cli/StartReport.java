package dev.jitney.server.cli;

import dev.jitney.server.BuildInfo;
import dev.jitney.server.JitneyServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** The report of a started server on standard output. Lines that begin with {@code Endpoint=} are for programs. */
final class StartReport {
    private static final int NAMES_MAX = 10;

    private StartReport() {}

    static void print(JitneyServer server, boolean configured, PrintStream out) {
        StringBuilder text = new StringBuilder();
        String node = server.clusterNode();
        line(
                text,
                node == null
                        ? "Jitney " + BuildInfo.version() + " is ready."
                        : "Jitney " + BuildInfo.version() + " runs node " + node
                                + ". It serves clients as soon as a majority of the nodes runs.");
        line(text, "  listens   " + String.join("  ", server.listeners()));
        List<String> off = server.plainPortsLeftOut();
        if (!off.isEmpty()) {
            line(
                    text,
                    "  off       ports without TLS, because other machines can connect; to open: "
                            + String.join(" ", off));
        }
        Path dataDir = server.dataDir();
        line(
                text,
                "  data      "
                        + (dataDir == null
                                ? "in memory, and lost when the server stops"
                                : dataDir.toAbsolutePath().normalize()));
        List<String> names = server.namespaceNames();
        // The leader of a cluster knows the entities, and it may change at any time.
        for (int i = 0; node == null && i < names.size(); i++) {
            List<String> queues = server.queuePaths(i);
            String namespace = names.size() == 1 ? "" : names.get(i) + ": ";
            line(text, "  queues    " + namespace + summary(queues, configured));
            List<String> topics = server.topicPaths(i);
            if (!topics.isEmpty()) {
                line(text, "  topics    " + namespace + summary(topics, configured));
            }
        }
        line(text, "Connection string" + (names.size() == 1 ? ":" : "s (the first one works with any host name):"));
        server.printableConnectionStrings().forEach(connectionString -> line(text, connectionString));
        out.print(text);
        out.flush();
    }

    private static String summary(List<String> queues, boolean configured) {
        if (queues.isEmpty()) {
            return configured
                    ? "none"
                    : "none yet; create them with an SDK, --config FILE, or: jitney queue create NAME";
        }
        String shown = String.join(", ", queues.subList(0, Math.min(NAMES_MAX, queues.size())));
        return queues.size() > NAMES_MAX ? shown + " and " + (queues.size() - NAMES_MAX) + " more" : shown;
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
