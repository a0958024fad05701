package dev.jitney.gateway.http.operator;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.figure.AllEntities;
import dev.jitney.gateway.http.operator.figure.FigureDocuments;
import dev.jitney.gateway.http.operator.figure.FigureHistory;
import dev.jitney.gateway.http.operator.figure.FlowRates;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of entities with their counts, page by page. Any thread may call it. */
final class EntityTableQuery {
    private EntityTableQuery() {}

    /** A row of the table with the value by which it is sorted. */
    private record Row(Entity entity, String key, long value) {}

    /**
     * Returns a page.
     *
     * @throws RefusedException if {@code after} is not from a page before
     */
    static JsonObject page(Namespace namespace, FigureHistory history, OperatorRequest request)
            throws RefusedException {
        String sort = request.text("sort");
        String contains = EntityAddress.keyOf(orEmpty(request.text("contains")));
        Set<String> kinds = request.list("kind");
        List<Row> rows = new ArrayList<>();
        for (Iterator<Entity> all = new AllEntities(namespace); all.hasNext(); ) {
            Entity entity = all.next();
            String key = EntityAddress.keyOf(entity.path());
            if (key.contains(contains) && kinds.contains(FigureDocuments.word(entity.kind()))) {
                rows.add(new Row(entity, key, value(entity, history, orEmpty(sort))));
            }
        }
        Comparator<Row> largestFirst = Comparator.comparingLong((Row row) -> -row.value());
        Comparator<Row> order = largestFirst.thenComparing(Row::key);
        rows.sort(order);
        Position after = Position.parse(request.text("after"));
        int max = (int) request.number("max", 1);
        JsonArray page = new JsonArray();
        Row last = null;
        String next = null;
        for (Row row : rows) {
            if (after != null && !after.isBefore(row)) {
                continue;
            }
            if (last != null && page.size() == max) {
                next = last.value() + " " + last.key();
                break;
            }
            page.add(document(row.entity(), history));
            last = row;
        }
        return new JsonObject().put("entities", page).put("total", rows.size()).put("next", next);
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
        boolean isBefore(Row row) {
            return row.value() != value ? row.value() < value : row.key().compareTo(key) > 0;
        }
    }

    private static long value(Entity entity, FigureHistory history, String sort) {
        MessageCounts counts = entity.counts();
        return switch (sort) {
            case "active" -> counts.active();
            case "deferred" -> counts.deferred();
            case "deadLetter" -> counts.deadLetter();
            case "transferDeadLetter" -> counts.transferDeadLetter();
            case "scheduled" -> counts.scheduled();
            case "size" -> counts.sizeBytes();
            case "incoming" -> entity.figures().incomingMessages();
            case "outgoing" -> entity.figures().outgoingMessages();
            case "incomingPerSecond" ->
                FlowRates.comparable(history.rates(entity).incomingOneMinute());
            case "outgoingPerSecond" ->
                FlowRates.comparable(history.rates(entity).outgoingOneMinute());
            case "receivers" -> entity.figures().receivers();
            case "oldest" -> {
                long oldest = entity.figures().oldestEnqueuedTimeMs();
                yield oldest == 0 ? Long.MIN_VALUE + 1 : -oldest;
            }
            default -> 0;
        };
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
