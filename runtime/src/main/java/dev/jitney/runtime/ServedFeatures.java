package dev.jitney.runtime;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which descriptions the broker can honour. Every description is stored and administered in full; messages of an entity
 * that asks for what later versions will serve are refused instead of being served wrongly.
 */
public final class ServedFeatures {

    private ServedFeatures() {}

    /** Why messages of such an entity are refused, or null if they are served. */
    public static @Nullable Rejection refuse(EntityDescription description) {
        List<String> features = unserved(description);
        return features.isEmpty()
                ? null
                : new Rejection(
                        ErrorCode.NOT_IMPLEMENTED,
                        description.kind().word() + " '" + description.path() + "' needs "
                                + String.join(" and ", features)
                                + ", which this version does not serve yet: it is kept and administered, its messages"
                                + " are refused.");
    }

    /** What the entity asks for and does not get yet, in words; empty if it can be served. */
    public static List<String> unserved(EntityDescription description) {
        boolean partitioned = description instanceof QueueDescription queue
                ? queue.enablePartitioning()
                : description instanceof TopicDescription topic && topic.enablePartitioning();
        return partitioned ? List.of("partitioning (EnablePartitioning)") : List.of();
    }
}
