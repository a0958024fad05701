package dev.jitney.gateway.http.operator.figure;

import dev.jitney.model.MessageCounts;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.Namespace;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of entities in the past: a sample every {@value #FINE_STEP_MS} ms for five minutes, and one a minute for an hour. For one
 * event loop.
 *
 * <p>A round of samples reads the published figures of the entities and sends no commands. It is divided into slices of
 * {@value #SLICE} entities, between which the event loop serves its connections.
 *
 * <p>The memory is bounded: at most {@value #ENTITIES_MAX} entities have a history, about 4 kB each, and all of them use at most 1/32 of
 * the heap. If there are more entities, the namespaces take turns until the limit is reached, each with its entities in the order of
 * their names. The others have no history and no rates.
 */
public final class FigureHistory {
    private static final Logger LOG = LoggerFactory.getLogger(FigureHistory.class);

    static final int FINE_STEP_MS = 10_000;
    static final int ONE_MINUTE_MS = 60_000;
    static final int FIVE_MINUTES_MS = 300_000;

    /** The limit of entities with a history. */
    static final int ENTITIES_MAX = 10_000;

    /** The entities that one turn of the event loop samples. */
    static final int SLICE = 500;

    private static final int HEAP_SHARE = 32;
    private static final long LOOK_MS = 1_000;
    private static final long SLICE_PAUSE_MS = 1;

    /** The shortest time for which a rate is given. */
    private static final long RATE_MIN_MS = 1_000;

    private final Broker broker;
    private final Clock clock;
    private final int entitiesMax;
    private final Map<Entity, EntityHistory> histories = new IdentityHashMap<>();

    /** The namespaces whose entities the current round has not listed yet. */
    private final Queue<Namespace> unlisted = new ArrayDeque<>();

    /** The entities that the current round has not reached yet, by namespace. */
    private final Queue<Iterator<Entity>> ahead = new ArrayDeque<>();

    private long round;
    private long roundMs;
    private int sampled;
    private boolean sampling;

    FigureHistory(Broker broker, int entitiesMax) {
        this.broker = broker;
        this.clock = broker.clock().steady(); // rates must not depend on corrections of the machine's clock
        this.entitiesMax = entitiesMax;
    }

    /** Starts to sample on an event loop, until {@code vertx} ends. */
    public static FigureHistory start(Vertx vertx, Broker broker) {
        long fitting = Runtime.getRuntime().maxMemory() / HEAP_SHARE / EntityHistory.bytes();
        FigureHistory history = new FigureHistory(broker, (int) Math.min(ENTITIES_MAX, fitting));
        vertx.runOnContext(now -> history.look(vertx));
        vertx.setPeriodic(LOOK_MS, tick -> history.look(vertx));
        return history;
    }

    private void look(Vertx vertx) {
        if (isDue()) {
            begin();
            proceed(vertx);
        }
    }

    private void proceed(Vertx vertx) {
        try {
            if (!slice()) {
                vertx.setTimer(SLICE_PAUSE_MS, later -> proceed(vertx));
            }
        } catch (RuntimeException e) {
            LOG.error("A round of samples of entities failed. The next one begins in {} ms.", FINE_STEP_MS, e);
            unlisted.clear();
            ahead.clear();
            sampling = false;
        }
    }

    /** Returns whether a round should begin. */
    boolean isDue() {
        long passed = clock.nowMs() - roundMs;
        return !sampling && (round == 0 || passed >= FINE_STEP_MS || passed < 0);
    }

    /** Begins a round. */
    void begin() {
        round++;
        roundMs = clock.nowMs();
        sampled = 0;
        sampling = true;
        unlisted.addAll(broker.namespaces());
    }

    /**
     * Lists the entities of one namespace, or samples some entities.
     *
     * @return whether the round is over
     */
    boolean slice() {
        Namespace next = unlisted.poll();
        if (next != null) {
            ahead.add(new AllEntities(next));
            return false;
        }
        for (int i = 0; i < SLICE && sampled < entitiesMax; i++) {
            Iterator<Entity> entities = ahead.poll();
            if (entities == null) {
                break;
            }
            if (entities.hasNext()) {
                sample(entities.next());
                ahead.add(entities);
            }
        }
        if (!ahead.isEmpty() && sampled < entitiesMax) {
            return false;
        }
        ahead.clear();
        histories.values().removeIf(history -> history.round != round); // deleted, or beyond the limit
        sampling = false;
        return true;
    }

    private void sample(Entity entity) {
        if (entity.isGone()) {
            return;
        }
        sampled++;
        EntityHistory history = histories.get(entity);
        if (history == null) {
            if (histories.size() >= entitiesMax) {
                return; // the end of this round makes room for it
            }
            history = new EntityHistory();
            histories.put(entity, history);
        }
        history.add(sample(entity, roundMs));
        history.round = round;
    }

    private static FigureSample sample(Entity entity, long timeMs) {
        MessageCounts counts = entity.counts();
        EntityFigures figures = entity.figures();
        return new FigureSample(
                timeMs, counts.active(), counts.deadLetter(), figures.incomingMessages(), figures.outgoingMessages());
    }

    /** Returns the number of entities with a history. */
    int size() {
        return histories.size();
    }

    /** Returns the history of an entity, or null if it has none. */
    @Nullable
    EntityHistory of(Entity entity) {
        return histories.get(entity);
    }

    /** Returns the time of now, by the clock of the samples. */
    long nowMs() {
        return clock.nowMs();
    }

    /** Returns the age of a message that was enqueued at a time. */
    public long ageSeconds(long enqueuedTimeMs) {
        return Math.max(0, clock.nowMs() - enqueuedTimeMs) / 1_000;
    }

    /** Returns the rates of an entity. */
    public FlowRates rates(Entity entity) {
        return rates(histories.get(entity), entity.figures());
    }

    /** Returns the rates of an entity with a history, whose current figures are known. */
    FlowRates rates(@Nullable EntityHistory history, EntityFigures figures) {
        FigureSample one = history == null ? null : history.oneMinuteAgo;
        FigureSample five = history == null ? null : history.fiveMinutesAgo;
        if (one == null || five == null) {
            return FlowRates.UNKNOWN;
        }
        long nowMs = clock.nowMs();
        return new FlowRates(
                perSecond(figures.incomingMessages() - one.incoming(), nowMs - one.timeMs()),
                perSecond(figures.outgoingMessages() - one.outgoing(), nowMs - one.timeMs()),
                perSecond(figures.incomingMessages() - five.incoming(), nowMs - five.timeMs()),
                perSecond(figures.outgoingMessages() - five.outgoing(), nowMs - five.timeMs()));
    }

    private static double perSecond(long messages, long ms) {
        return ms < RATE_MIN_MS ? Double.NaN : Math.max(0, messages) * 1_000.0 / ms;
    }
}
