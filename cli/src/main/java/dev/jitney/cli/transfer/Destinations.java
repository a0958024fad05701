package dev.jitney.cli.transfer;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Failure;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The destinations of messages in an import. */
final class Destinations {
    private final Map<String, EntityAddress> map = new HashMap<>();
    private final boolean resubmit;

    /** @param resubmit whether dead letters go to their original entity */
    Destinations(Map<String, String> given, boolean resubmit) {
        this.resubmit = resubmit;
        given.forEach((from, to) -> {
            EntityAddress destination = EntityAddress.parse(to);
            if (!destination.sendable()) {
                throw Failure.badOption("--map " + from + "=" + to + ": Expected a queue or topic to send to.");
            }
            map.put(folded(EntityAddress.typed(from)), destination);
        });
    }

    /** Returns the name of a queue or topic, or null if the message has no destination. */
    @Nullable
    String of(EntityAddress address) {
        EntityAddress source = resubmit ? address.in(SubQueue.NONE) : address;
        EntityAddress mapped = map.getOrDefault(folded(address), map.get(folded(source)));
        if (mapped != null) {
            return mapped.entity();
        }
        return source.sendable() ? source.entity() : null;
    }

    private static String folded(EntityAddress address) {
        return address.toString().toLowerCase(Locale.ROOT);
    }
}
