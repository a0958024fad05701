package dev.jitney.server;

import dev.jitney.model.EntityKind;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The queues of a namespace, for setting them up. */
interface QueueCatalogue {

    /** What is in force, or null if there is no such queue. */
    @Nullable
    QueueDescription find(String path);

    /** Completes when the queue is durable, or with {@link dev.jitney.runtime.BrokerException}. */
    CompletionStage<?> create(QueueDescription description);

    /** Completes when the change is durable, or with {@link dev.jitney.runtime.BrokerException}. */
    CompletionStage<?> update(QueueDescription description);

    /** Paths of all queues. */
    List<String> paths();

    /** Those of a running broker; setting them up costs no throttling credits, however many are declared. */
    static QueueCatalogue of(Namespace throttled) {
        Namespace namespace = throttled.unthrottled();
        return new QueueCatalogue() {
            @Override
            public @Nullable QueueDescription find(String path) {
                Entity entity = namespace.entity(path);
                return entity != null && entity.description() instanceof QueueDescription queue ? queue : null;
            }

            @Override
            public CompletionStage<?> create(QueueDescription description) {
                return namespace.createQueue(description);
            }

            @Override
            public CompletionStage<?> update(QueueDescription description) {
                return namespace.updateQueue(description);
            }

            @Override
            public List<String> paths() {
                return namespace.entities().stream()
                        .filter(entity -> entity.kind() == EntityKind.QUEUE)
                        .map(Entity::path)
                        .sorted()
                        .toList();
            }
        };
    }
}
