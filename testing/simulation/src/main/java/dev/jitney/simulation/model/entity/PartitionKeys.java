package dev.jitney.simulation.model.entity;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.row.PartitionHash;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.Request;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which fragment of a partitioned entity messages belong to (semantics 17.3); the broker's own code has no say here. */
public final class PartitionKeys {

    private PartitionKeys() {}

    /** MSG-8, PART-32: whether messages may be sent together. */
    public static boolean areOne(List<Request.Sent> messages, EntitySettings settings) {
        for (Request.Sent message : messages) {
            boolean differs = message.session() != null
                    && message.partitionKey() != null
                    && !message.session().equals(message.partitionKey());
            if (differs
                    || !Objects.equals(message.key(settings), messages.get(0).key(settings))) {
                return false;
            }
        }
        return true;
    }

    /** PART-54: what is handed on comes to the fragment of its key. */
    public static void requireHandedOn(MessageCopy copy) {
        if (!copy.entity.isFragment()) {
            return;
        }
        EntitySettings settings = copy.entity.settings;
        String key = copy.row.session() != null ? copy.row.session() : text(copy, "sys.partitionkey");
        if (key == null && settings.detectsDuplicates()) {
            key = text(copy, "sys.messageid");
        }
        check(
                key == null || PartitionHash.fragment(key, settings.fragments()) == copy.entity.fragment,
                "Expected what is handed on in the fragment of its key (PART-54)",
                copy);
    }

    private static @Nullable String text(MessageCopy copy, String name) {
        String value = copy.visible.get(name);
        return value == null ? null : value.substring("string ".length());
    }
}
