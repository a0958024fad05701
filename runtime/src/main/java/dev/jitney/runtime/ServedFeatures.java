package dev.jitney.runtime;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
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
        Features features = new Features();
        if (description instanceof QueueDescription queue) {
            features.partitioning(queue.enablePartitioning());
            features.idleness(queue.autoDeleteOnIdleMs());
        } else if (description instanceof TopicDescription topic) {
            features.partitioning(topic.enablePartitioning());
            features.idleness(topic.autoDeleteOnIdleMs());
        } else if (description instanceof SubscriptionDescription subscription) {
            features.idleness(subscription.autoDeleteOnIdleMs());
        }
        return features.unserved;
    }

    /** Collects what is asked for and not served. */
    private static final class Features {
        private final List<String> unserved = new ArrayList<>();

        void partitioning(boolean asked) {
            add(asked, "partitioning (EnablePartitioning)");
        }

        void idleness(long autoDeleteOnIdleMs) {
            add(autoDeleteOnIdleMs != MessageView.NEVER, "deletion when idle (AutoDeleteOnIdle)");
        }

        private void add(boolean asked, String feature) {
            if (asked) {
                unserved.add(feature);
            }
        }
    }
}
