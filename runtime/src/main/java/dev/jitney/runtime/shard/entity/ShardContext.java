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
 * The facts that decisions in a turn of a shard use: its time, whether the store accepts more messages, lock tokens,
 * the steps spent on rules, and the entities. It changes nothing. For the shard's thread.
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
     * @param mailbox the mailbox of the shard
     * @param steps counts the steps of rules
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

    /** Begins a turn. Time never runs backwards. */
    public void startTurn(long now) {
        nowMs = Math.max(nowMs, now);
        steps.startTurn();
    }

    /** Sets the time before the entities of the store are read, before the shard runs. */
    public void startLoading(long now) {
        nowMs = now;
    }

    /** Sets whether the store accepts more messages. */
    public void setAcceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
    }

    /** Returns the time of this turn, milliseconds since the epoch. */
    public long nowMs() {
        return nowMs;
    }

    /** Returns whether the store accepts more messages. */
    public boolean acceptsGrowth() {
        return acceptsGrowth;
    }

    /** Returns the facts for one decision. */
    public Situation situation() {
        return new Situation(nowMs, acceptsGrowth, reader, tokens);
    }

    /** Returns the steps spent on rules in this turn. */
    public TurnSteps steps() {
        return steps;
    }

    /** Returns the mailbox of this shard. */
    public Mailbox mailbox() {
        return mailbox;
    }

    /** Returns whether this shard hosts an entity. */
    public boolean hosts(HostedEntity entity) {
        return entity.mailbox() == mailbox;
    }

    /** Returns the queue, topic or subscription of that number, or null if it is deleted or out of service. */
    public @Nullable EntityInShard find(long entityId) {
        return entitiesInShard.get(entityId);
    }

    /** Returns the refusal for an entity that {@link #find} does not return: out of service for now, or not found. */
    public Rejection missing(long entityId) {
        Rejection outOfService = damaged.refusal(entities.find(entityId));
        return outOfService == null ? Rejection.of(ErrorCode.ENTITY_NOT_FOUND) : outOfService;
    }

    /** Returns whether an entity is out of service. */
    public boolean isDamaged(long entityId) {
        HostedEntity entity = entities.find(entityId);
        return entity != null && damaged.contains(entity);
    }
}
