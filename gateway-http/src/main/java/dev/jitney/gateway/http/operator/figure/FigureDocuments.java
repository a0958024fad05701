package dev.jitney.gateway.http.operator.figure;

import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** The parts of JSON documents about figures. */
public final class FigureDocuments {
    private FigureDocuments() {}

    /** Returns the numbers of messages by state. */
    public static JsonObject counts(MessageCounts counts) {
        return new JsonObject()
                .put("active", counts.active())
                .put("locked", counts.locked())
                .put("deferred", counts.deferred())
                .put("scheduled", counts.scheduled())
                .put("deadLetter", counts.deadLetter())
                .put("transferDeadLetter", counts.transferDeadLetter())
                .put("transfer", counts.transfer());
    }

    /** Returns the word for a kind of entities, such as {@code queue}. */
    public static String word(EntityKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
