package dev.jitney.gateway.http.operator;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.figure.FigureDocuments;
import dev.jitney.gateway.http.operator.figure.FigureHistory;
import dev.jitney.gateway.http.operator.figure.SharedPasses;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A page of the table of entities with their counts. For one event loop. */
final class EntityTableQuery {
    private final String contains;
    private final Set<String> kinds;
    private final @Nullable Position after;
    private final int max;

    private EntityTableQuery(OperatorRequest request) throws RefusedException {
        contains = EntityAddress.keyOf(orEmpty(request.text("contains")));
        kinds = request.list("kind");
        after = Position.parse(request.text("after"));
        max = (int) request.number("max", 1);
    }

    /**
     * Answers with a page.
     *
     * @throws RefusedException if {@code after} is not from a page before
     */
    static void start(
            Exchange exchange, SharedPasses<EntityTable> tables, FigureHistory history, OperatorRequest request)
            throws RefusedException {
        EntityTableQuery query = new EntityTableQuery(request);
        EntityTable.Key key = new EntityTable.Key(exchange.namespace(), orEmpty(request.text("sort")));
        tables.run(
                exchange,
                key,
                () -> new EntityTable(key, history),
                table -> JsonAnswer.send(exchange, query.page(table, history).toBuffer()));
    }

    private JsonObject page(EntityTable table, FigureHistory history) {
        JsonArray page = new JsonArray();
        EntityTable.Row last = null;
        String next = null;
        int total = 0;
        for (EntityTable.Row row : table.rows()) {
            if (!row.key().contains(contains)
                    || !kinds.contains(FigureDocuments.word(row.entity().kind()))) {
                continue;
            }
            total++;
            if (next != null || after != null && !after.isBefore(row)) {
                continue;
            }
            if (last != null && page.size() == max) {
                next = last.value() + " " + last.key();
            } else {
                page.add(document(row.entity(), history));
                last = row;
            }
        }
        return new JsonObject().put("entities", page).put("total", total).put("next", next);
    }

    private record Position(long value, String key) {
        static @Nullable Position parse(@Nullable String text) throws RefusedException {
            if (text == null || text.isEmpty()) {
                return null;
            }
            int blank = text.indexOf(' ');
            try {
                return new Position(Long.parseLong(text.substring(0, Math.max(0, blank))), text.substring(blank + 1));
            } catch (NumberFormatException e) {
                throw new RefusedException(
                        HttpError.badRequest("Expected the value of 'next' in the page before in 'after'."));
            }
        }

        /** Returns whether a row comes after this position. */
        boolean isBefore(EntityTable.Row row) {
            return row.value() != value ? row.value() < value : row.key().compareTo(key) > 0;
        }
    }

    /** Returns one entity. */
    static JsonObject document(Entity entity, FigureHistory history) {
        MessageCounts counts = entity.counts();
        EntityFigures figures = entity.figures();
        JsonObject document = new JsonObject()
                .put("path", entity.path())
                .put("kind", FigureDocuments.word(entity.kind()))
                .put("status", entity.description().status().word())
                .put("availability", entity.availability().word())
                .put("requiresSession", entity.description().requiresSession())
                .put("counts", FigureDocuments.counts(counts))
                .put("sizeInBytes", counts.sizeBytes())
                .put("receivers", figures.receivers())
                .put("incomingMessages", figures.incomingMessages())
                .put("outgoingMessages", figures.outgoingMessages())
                .put("createdAt", Instant.ofEpochMilli(entity.createdAtMs()).toString())
                .put("updatedAt", Instant.ofEpochMilli(entity.updatedAtMs()).toString());
        if (entity.accessedAtMs() > 0) {
            document.put(
                    "accessedAt", Instant.ofEpochMilli(entity.accessedAtMs()).toString());
        }
        putText(document, "forwardTo", entity.description().forwardTo());
        putText(document, "forwardDeadLetteredMessagesTo", entity.description().forwardDeadLetteredMessagesTo());
        history.rates(entity).addTo(document);
        if (figures.oldestEnqueuedTimeMs() > 0) {
            document.put(
                            "oldestEnqueuedTime",
                            Instant.ofEpochMilli(figures.oldestEnqueuedTimeMs()).toString())
                    .put("oldestAgeSeconds", history.ageSeconds(figures.oldestEnqueuedTimeMs()));
        }
        if (entity.kind() == EntityKind.TOPIC) {
            document.put("subscriptions", entity.subscriptions().size());
        }
        if (entity.kind() == EntityKind.SUBSCRIPTION) {
            document.put("rules", entity.rules().size());
        }
        return document;
    }

    private static void putText(JsonObject document, String member, @Nullable String text) {
        if (text != null) {
            document.put(member, text);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
