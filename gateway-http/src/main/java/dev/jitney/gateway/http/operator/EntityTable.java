package dev.jitney.gateway.http.operator;

import dev.jitney.gateway.http.operator.figure.AllEntities;
import dev.jitney.gateway.http.operator.figure.FigureHistory;
import dev.jitney.gateway.http.operator.figure.FlowRates;
import dev.jitney.gateway.http.operator.figure.SharedPasses;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageCounts;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All entities of a namespace in one order, from one pass over them. Each turn of the pass has {@value #SLICE} entities. For one event
 * loop.
 */
final class EntityTable implements SharedPasses.Pass {
    /** The entities of one turn of the event loop. */
    static final int SLICE = 500;

    private static final Comparator<Row> LARGEST_FIRST = Comparator.comparingLong((Row row) -> -row.value());

    private final AllEntities entities;
    private final FigureHistory history;
    private final String sort;
    private final SortedSet<Row> rows = new TreeSet<>(LARGEST_FIRST.thenComparing(Row::key));

    /**
     * A row of the table.
     *
     * @param key the path of the entity in the form in which paths are compared
     * @param value the value by which the table is sorted
     */
    record Row(Entity entity, String key, long value) {}

    /** The tables that are equal: those of one namespace in one order. */
    record Key(Namespace namespace, String sort) {}

    /** Begins a pass. */
    EntityTable(Key key, FigureHistory history) {
        this.entities = new AllEntities(key.namespace());
        this.history = history;
        this.sort = key.sort();
    }

    @Override
    public boolean proceed() {
        for (int i = 0; i < SLICE && entities.hasNext(); i++) {
            Entity entity = entities.next();
            rows.add(new Row(entity, EntityAddress.keyOf(entity.path()), value(entity)));
        }
        return entities.hasNext();
    }

    /** Returns the rows in their order, once the pass is over. */
    SortedSet<Row> rows() {
        return Collections.unmodifiableSortedSet(rows);
    }

    private long value(Entity entity) {
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
}
