package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One namespace of the server: its rules and its entities. Any thread may call it. */
public abstract class Namespace {

    Namespace() {}

    /** The name as configured. */
    public abstract String name();

    /** Shared access rules of the namespace. */
    public abstract List<AccessRule> accessRules();

    public abstract Limits limits();

    /** The entity of that path, compared without case, or null. */
    public abstract @Nullable Entity entity(String path);

    /** All entities, in no particular order. */
    public abstract List<Entity> entities();

    /**
     * Creates a queue.
     *
     * @return completes with the entity once it is durable, or exceptionally with {@link BrokerException}
     */
    public abstract CompletionStage<Entity> createQueue(QueueDescription description);

    /** Changes a queue; fixed properties must be as they are (ENT-1). */
    public abstract CompletionStage<Entity> updateQueue(QueueDescription description);

    /** Deletes an entity with everything in it. */
    public abstract CompletionStage<Void> deleteEntity(String path);

    /** The same namespace for the server's own work on entities, which costs no throttling credits (MET-1). */
    public Namespace unthrottled() {
        return this;
    }
}
