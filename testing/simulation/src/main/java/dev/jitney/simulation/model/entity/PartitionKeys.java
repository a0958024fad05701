package dev.jitney.simulation.model.entity;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.row.PartitionHash;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.Request;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The assignment of messages to fragments of a partitioned entity (semantics 17.3), without the code of the broker. */
public final class PartitionKeys {

    private PartitionKeys() {}

    /** Returns whether messages may be sent in one batch (MSG-8, PART-32). */
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

    /** Checks that a forwarded message is in the fragment of its key (PART-54). */
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
                "Expected a forwarded message to be in the fragment of its key (PART-54)",
                copy);
    }

    private static @Nullable String text(MessageCopy copy, String name) {
        String value = copy.visible.get(name);
        return value == null ? null : value.substring("string ".length());
    }
}
