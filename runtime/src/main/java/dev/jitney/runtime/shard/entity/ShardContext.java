package dev.jitney.runtime.shard.entity;

import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Situation;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.TurnSteps;
import org.jspecify.annotations.Nullable;

/**
 * The facts that decisions in a turn of a shard may use: its time, whether the store takes more messages, lock tokens, the steps
 * that rules have cost, and which entities are there. It changes nothing. For the shard's thread.
 */
public final class ShardContext {
    private final Mailbox mailbox;
    private final EntitiesInShard entitiesInShard;
    private final ShardEntities entities;
    private final DamagedEntities damaged;
    private final TurnSteps steps;
    private final StoreRowReader reader;
    private final LockTokenSequence tokens;
    private long nowMs;
    private boolean acceptsGrowth = true;

    /**
     * @param mailbox that of the shard
     * @param steps hears what rules cost
     */
    public ShardContext(
            Mailbox mailbox,
            EntitiesInShard entitiesInShard,
            ShardEntities entities,
            DamagedEntities damaged,
            TurnSteps steps,
            StoreRowReader reader,
            LockTokenSequence tokens) {
        this.mailbox = mailbox;
        this.entitiesInShard = entitiesInShard;
        this.entities = entities;
        this.damaged = damaged;
        this.steps = steps;
        this.reader = reader;
        this.tokens = tokens;
    }

    /** A turn begins; time never runs backwards. */
    public void startTurn(long now) {
        nowMs = Math.max(nowMs, now);
        steps.startTurn();
    }

    /** The entities of the store are about to be read, before the shard runs. */
    public void startLoading(long now) {
        nowMs = now;
    }

    /** Tells whether the store takes what adds messages. */
    public void setAcceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
    }

    /** The time of this turn, milliseconds since the epoch. */
    public long nowMs() {
        return nowMs;
    }

    /** Whether the store takes what adds messages. */
    public boolean acceptsGrowth() {
        return acceptsGrowth;
    }

    /** The facts for one decision. */
    public Situation situation() {
        return new Situation(nowMs, acceptsGrowth, reader, tokens);
    }

    /** The cost of rules in this turn. */
    public TurnSteps steps() {
        return steps;
    }

    /** The mailbox of this shard. */
    public Mailbox mailbox() {
        return mailbox;
    }

    /** Whether this shard hosts an entity. */
    public boolean hosts(HostedEntity entity) {
        return entity.mailbox() == mailbox;
    }

    /** The queue, topic or subscription of that number, or null if it is gone or out of service. */
    public @Nullable EntityInShard find(long entityId) {
        return entitiesInShard.get(entityId);
    }

    /** Why an entity that {@link #find} does not find does nothing: it is out of service for a while, or it is not there. */
    public Rejection missing(long entityId) {
        Rejection outOfService = damaged.refusal(entities.find(entityId));
        return outOfService == null ? Rejection.of(ErrorCode.ENTITY_NOT_FOUND) : outOfService;
    }

    /** Whether an entity is out of service. */
    public boolean isDamaged(long entityId) {
        HostedEntity entity = entities.find(entityId);
        return entity != null && damaged.contains(entity);
    }
}
