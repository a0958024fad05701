package dev.jitney.server;

import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.BrokerException;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.QueueConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings the queues of a namespace to what the configuration says, and writes only where something differs: applying a
 * file twice changes nothing. What the file does not name stays.
 *
 * @param created queues that were not there
 * @param updated queues that were there and differed
 * @param unserved what was declared and is not served yet, a sentence each
 */
record EntitySetup(int created, int updated, List<String> unserved) {
    private static final long TIMEOUT_SECONDS = 60;

    /** Applies one namespace of the file and waits until it is durable. */
    static EntitySetup apply(NamespaceConfig config, QueueCatalogue queues) throws StartException {
        int created = 0;
        int updated = 0;
        List<String> unserved = new ArrayList<>();
        Map<String, CompletionStage<?>> pending = new LinkedHashMap<>();
        for (QueueConfig queue : config.queues()) {
            QueueDescription existing = queues.find(queue.name());
            List<String> features = queue.unserved();
            if (!features.isEmpty()) {
                // A queue with other semantics than it was declared with would be worse than none.
                unserved.add("queue '" + queue.name() + "' needs " + String.join(" and ", features)
                        + (existing == null ? "" : " and stays as it was created, without"));
            } else if (existing == null) {
                pending.put(queue.name(), queues.create(queue.describe()));
                created++;
            } else {
                QueueDescription wanted = queue.over(existing);
                if (!wanted.equals(existing)) {
                    pending.put(queue.name(), queues.update(wanted));
                    updated++;
                }
            }
        }
        if (!config.topics().isEmpty()) {
            unserved.add("topics: " + String.join(", ", config.topics()));
        }
        for (Map.Entry<String, CompletionStage<?>> queue : pending.entrySet()) {
            await(config.name(), queue.getKey(), queue.getValue());
        }
        return new EntitySetup(created, updated, List.copyOf(unserved));
    }

    private static void await(String namespace, String queue, CompletionStage<?> stage) throws StartException {
        String where = "--config: queue '" + queue + "' of namespace '" + namespace + "': ";
        try {
            stage.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BrokerException refused) {
                String reason = where + refused.rejection().description();
                throw refused.rejection().code().retryable()
                        ? StartException.fault(reason, refused)
                        : StartException.badOption(reason, refused);
            }
            throw StartException.fault(where + e.getCause(), e);
        } catch (TimeoutException e) {
            throw StartException.fault(where + "The store did not answer in " + TIMEOUT_SECONDS + " s.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StartException.fault(where + "Interrupted while it was set up.", e);
        }
    }
}
