package dev.jitney.cli.top;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerApi;
import dev.jitney.cli.entity.ListCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The source of entity loads: the metrics of a Jitney server, or otherwise the counts of the administration client. */
final class LoadSource {
    /** Status codes of servers without metrics. Other failures are reported to the user. */
    private static final Set<Integer> NO_METRICS = Set.of(400, 404, 405, 501);

    private final Supplier<List<EntityLoad>> read;
    private final boolean metrics;

    private LoadSource(Supplier<List<EntityLoad>> read, boolean metrics) {
        this.read = read;
        this.metrics = metrics;
    }

    /** Checks which of the two sources the server has. */
    static LoadSource of(NamespaceClients clients) {
        ServerApi server = clients.server();
        if (hasMetrics(server)) {
            return new LoadSource(() -> MetricsPage.read(String.valueOf(server.text("/metrics"))), true);
        }
        return new LoadSource(
                () -> {
                    List<EntityLoad> all = new ArrayList<>();
                    ListCommand.forEach(clients.admin(), document -> all.add(counts(document)));
                    return all;
                },
                false);
    }

    private static boolean hasMetrics(ServerApi server) {
        try {
            return server.text("/metrics") != null;
        } catch (HttpResponseException e) {
            if (e.getResponse() != null && NO_METRICS.contains(e.getResponse().getStatusCode())) {
                return false;
            }
            throw e;
        }
    }

    /** Returns whether rates, ages and receivers are known. */
    boolean hasMetrics() {
        return metrics;
    }

    List<EntityLoad> read() {
        return read.get();
    }

    private static EntityLoad counts(Map<String, @Nullable Object> document) {
        return new EntityLoad(
                String.valueOf(document.get("kind")),
                null,
                String.valueOf(document.get("path")),
                number(document, "activeMessageCount"),
                number(document, "deadLetterMessageCount") + number(document, "transferDeadLetterMessageCount"),
                number(document, "scheduledMessageCount"),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static long number(Map<String, @Nullable Object> document, String member) {
        return document.get(member) instanceof Number number ? number.longValue() : 0;
    }
}
