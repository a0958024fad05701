package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.security.PercentCoding;
import dev.jitney.runtime.store.DiskFigures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The sums of a namespace, and its entities that need attention, from one pass over all entities. Each turn of the pass has
 * {@value #SLICE} entities. For one event loop.
 */
final class Overview implements SharedPasses.Pass {
    /** The limit of entities that are listed for each reason. */
    static final int LISTED_MAX = 20;

    /** The entities of one turn of the event loop. */
    static final int SLICE = 1_000;

    private final AllEntities entities;
    private final FigureHistory history;
    private final long olderThanSeconds;
    private final BiConsumer<Entity, FigureSample> each;
    private final long nowMs;
    private final int[] kinds = new int[EntityKind.values().length];
    private final LargestEntities growing = new LargestEntities(LISTED_MAX);
    private final LargestEntities unreceived = new LargestEntities(LISTED_MAX);
    private final LargestEntities old = new LargestEntities(LISTED_MAX);
    private final ForwardLoops forwards = new ForwardLoops();
    private List<ForwardLoops.Step> loops = List.of();
    private MessageCounts counts = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);
    private FlowRates rates = FlowRates.NONE;
    private long receivers;

    private Overview(
            Namespace namespace, FigureHistory history, long olderThanSeconds, BiConsumer<Entity, FigureSample> each) {
        this.entities = new AllEntities(namespace);
        this.history = history;
        this.olderThanSeconds = olderThanSeconds;
        this.each = each;
        this.nowMs = history.nowMs();
    }

    /** Begins a pass over the entities of a namespace. */
    static Overview begin(Namespace namespace, FigureHistory history, long olderThanSeconds) {
        return new Overview(namespace, history, olderThanSeconds, (entity, figures) -> {});
    }

    /**
     * Looks at all entities of a namespace. The first turn is this call.
     *
     * @param olderThanSeconds the age from which on a message is old
     * @param each gets each entity with its figures
     * @param nextTurn runs the next turn on the event loop, or drops it if the result is not needed any more
     * @param then gets the overview
     */
    static void make(
            Namespace namespace,
            FigureHistory history,
            long olderThanSeconds,
            BiConsumer<Entity, FigureSample> each,
            Executor nextTurn,
            Consumer<Overview> then) {
        new Overview(namespace, history, olderThanSeconds, each).proceed(nextTurn, then);
    }

    private void proceed(Executor nextTurn, Consumer<Overview> then) {
        if (proceed()) {
            nextTurn.execute(() -> proceed(nextTurn, then));
        } else {
            then.accept(this);
        }
    }

    @Override
    public boolean proceed() {
        for (int i = 0; i < SLICE && entities.hasNext(); i++) {
            Entity entity = entities.next();
            each.accept(entity, add(entity));
        }
        boolean more = entities.hasNext();
        if (!more) {
            loops = forwards.find();
        }
        return more;
    }

    private FigureSample add(Entity entity) {
        MessageCounts own = entity.counts();
        EntityFigures figures = entity.figures();
        EntityHistory samples = history.of(entity);
        boolean topic = entity.kind() == EntityKind.TOPIC;
        forwards.add(entity);
        kinds[entity.kind().ordinal()]++;
        counts = counts.plus(own);
        receivers += figures.receivers();
        // Messages of a subscription were counted when its topic took them.
        rates = rates.plus(history.rates(samples, figures), entity.kind() != EntityKind.SUBSCRIPTION);
        FigureSample then = samples == null ? null : samples.fiveMinutesAgo;
        if (then != null && own.deadLetter() > then.deadLetter()) {
            growing.offer(entity, own.deadLetter() - then.deadLetter());
        }
        if (!topic
                && own.active() > 0
                && figures.receivers() == 0
                && (then == null || figures.outgoingMessages() <= then.outgoing())) {
            unreceived.offer(entity, own.active());
        }
        if (figures.oldestEnqueuedTimeMs() > 0) {
            long age = history.ageSeconds(figures.oldestEnqueuedTimeMs());
            if (age > olderThanSeconds) {
                old.offer(entity, age);
            }
        }
        return new FigureSample(
                nowMs, own.active(), own.deadLetter(), figures.incomingMessages(), figures.outgoingMessages());
    }

    /** Returns the document of the sums. */
    JsonObject totals(Namespace namespace) {
        JsonObject document = new JsonObject()
                .put("namespace", namespace.name())
                .put("time", Instant.ofEpochMilli(nowMs).toString())
                .put(
                        "entities",
                        new JsonObject()
                                .put("queues", kinds[EntityKind.QUEUE.ordinal()])
                                .put("topics", kinds[EntityKind.TOPIC.ordinal()])
                                .put("subscriptions", kinds[EntityKind.SUBSCRIPTION.ordinal()]))
                .put("counts", FigureDocuments.counts(counts))
                .put("sizeInBytes", counts.sizeBytes())
                .put("receivers", receivers);
        return rates.addTo(document);
    }

    /** Returns the document of the entities that need attention. */
    JsonObject attention() {
        return new JsonObject()
                .put("deadLettersGrow", listed(growing, "growth", SubQueue.DEAD_LETTER.suffix(), ""))
                .put("noReceiver", listed(unreceived, "active", "", "?state=active"))
                .put(
                        "oldMessages",
                        listed(old, "oldestAgeSeconds", "", "?state=active&max=1")
                                .put("olderThanSeconds", olderThanSeconds))
                .put("forwardLoops", listedLoops());
    }

    private JsonObject listedLoops() {
        JsonArray list = new JsonArray();
        for (ForwardLoops.Step step : loops.subList(0, Math.min(LISTED_MAX, loops.size()))) {
            list.add(member(step.entity(), "", "").put("forwardsTo", step.to()));
        }
        return new JsonObject().put("count", loops.size()).put("entities", list);
    }

    /** Returns the numbers of entities that need attention, by reason. */
    JsonObject attentionCounts() {
        return new JsonObject()
                .put("deadLettersGrow", growing.count())
                .put("noReceiver", unreceived.count())
                .put("oldMessages", old.count())
                .put("forwardLoops", loops.size());
    }

    /** @param query selects the messages that are the reason */
    private static JsonObject listed(LargestEntities entities, String member, String subQueue, String query) {
        JsonArray list = new JsonArray();
        for (LargestEntities.Ranked ranked : entities.list()) {
            list.add(member(ranked.entity(), subQueue, query).put(member, ranked.value()));
        }
        return new JsonObject().put("count", entities.count()).put("entities", list);
    }

    private static JsonObject member(Entity entity, String subQueue, String query) {
        return new JsonObject()
                .put("path", entity.path())
                .put("kind", FigureDocuments.word(entity.kind()))
                .put(
                        "messages",
                        OperatorRequest.PREFIX + "/entities/" + PercentCoding.encode(entity.path() + subQueue)
                                + "/messages" + query);
    }

    /** Returns the document of the stores, which all namespaces share. */
    static JsonArray stores(List<ShardFigures> shards) {
        JsonArray stores = new JsonArray();
        for (ShardFigures shard : shards) {
            JsonObject store = new JsonObject()
                    .put("store", shard.index())
                    .put("state", shard.state())
                    .put("acceptsMessages", shard.serving() && shard.acceptsGrowth());
            DiskFigures disk = shard.disk();
            if (disk != null) {
                store.put("usedBytes", disk.tableBytes() + disk.logBytes())
                        .put("freeBytes", disk.freeBytes())
                        .put("bytesUntilRefused", disk.untilRefusedBytes());
            }
            stores.add(store);
        }
        return stores;
    }
}
