package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.shard.turn.Mailbox;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entity as seen by the shard that hosts it. The shard's thread changes {@link #latest}; everyone else sees the
 * durable description, which follows when the change is committed. A fragment of a partitioned entity is a hosted
 * entity of its own with the description of the whole.
 *
 * <p>Any thread may call it, unless a method is marked for the shard's thread.
 */
public abstract class HostedEntity extends Entity {
    private static final Totals NOTHING = new Totals(new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0), 0, EntityFigures.NONE);

    private final Mailbox mailbox;
    private final long id;
    private final @Nullable HostedEntity whole;
    private final int fragment;
    private final UnclaimedLocks unclaimed = new UnclaimedLocks();
    private EntityRow latest;
    private volatile EntityRow durable;
    private volatile boolean known;
    private volatile boolean gone;
    private volatile boolean damaged;
    private volatile Totals totals = NOTHING;

    /** The published state of the entity. */
    private record Totals(MessageCounts counts, long accessedAtMs, EntityFigures figures) {}

    /** @param mailbox the mailbox of its shard */
    protected HostedEntity(Mailbox mailbox, EntityRow row) {
        this.mailbox = mailbox;
        this.id = row.entityId();
        this.latest = row;
        this.durable = row;
        this.whole = null;
        this.fragment = 0;
    }

    /** Creates a fragment of a partitioned entity, which uses the description of the whole. */
    protected HostedEntity(Mailbox mailbox, long id, HostedEntity whole, int fragment) {
        this.mailbox = mailbox;
        this.id = id;
        this.latest = whole.durable;
        this.durable = whole.durable;
        this.whole = whole;
        this.fragment = fragment;
    }

    @Override
    public final long id() {
        return id;
    }

    /** Returns the number of the fragment; 0 for an ordinary entity. */
    public final int fragment() {
        return fragment;
    }

    /** Returns whether it is a fragment of a partitioned entity. */
    public final boolean isFragment() {
        return whole != null;
    }

    /** Returns the mailbox of its shard, which also identifies the shard. */
    public final Mailbox mailbox() {
        return mailbox;
    }

    /** Returns the locks of messages that no application has received yet. */
    public final UnclaimedLocks unclaimed() {
        return unclaimed;
    }

    /** Returns the settings of its namespace. */
    public abstract NamespaceOptions namespaceOptions();

    /** Returns the quotas of its namespace. */
    public final Limits limits() {
        return namespaceOptions().limits();
    }

    // --- its description ---

    /**
     * Returns the description in the shard, committed or not. For a fragment this is the durable description of the
     * whole. For the shard's thread.
     */
    public final EntityRow latest() {
        return whole == null ? latest : whole.durable;
    }

    private EntityRow durable() {
        return whole == null ? durable : whole.durable;
    }

    /** Returns the latest description in the form that the state of its messages uses. For the shard's thread. */
    public abstract QueueDescription asQueue();

    /** Changes the description in the shard. For the shard's thread. */
    public final void change(EntityRow row) {
        latest = row;
    }

    /** Publishes the description after its commit. For the shard's thread. */
    public final void settle() {
        if (whole == null) {
            durable = latest;
        }
        known = true;
        if (whole == null) {
            settled();
        }
    }

    /** Called after the description was published. */
    protected abstract void settled();

    /** Returns whether it is a fragment of a deleted entity. */
    public final boolean isOrphan() {
        return whole != null && whole.gone;
    }

    /** Returns whether its creation is committed. */
    public final boolean isKnown() {
        return known;
    }

    /** Lists the entity under its name, which is taken from now on. Called once the entity is stored. */
    public abstract void list();

    /**
     * Removes the entity from the list and frees its name. From now on holders of this object get "not found". Called
     * once the deletion is stored.
     */
    public void unlist() {
        known = false;
        gone = true;
    }

    @Override
    public final String path() {
        return durable().description().path();
    }

    @Override
    public EntityDescription description() {
        return durable().description();
    }

    @Override
    public final boolean isGone() {
        return gone;
    }

    @Override
    public final long createdAtMs() {
        return durable().createdAtMs();
    }

    @Override
    public final long updatedAtMs() {
        return durable().updatedAtMs();
    }

    /** Returns whether it is out of service because of a corrupt row, although the store works. */
    public final boolean isDamaged() {
        return damaged;
    }

    /** Takes the entity out of service or puts it back. Called by {@link DamagedEntities}. */
    public final void setDamaged(boolean now) {
        damaged = now;
    }

    // --- its messages ---

    /** Publishes the committed state. For the shard's thread. */
    final void publish(MessageCounts counts, long accessedAtMs, EntityFigures figures) {
        totals = new Totals(counts, accessedAtMs, figures);
    }

    /** Returns the published message counts. */
    protected final MessageCounts shownCounts() {
        return totals.counts;
    }

    /** Returns the published figures. */
    protected final EntityFigures shownFigures() {
        return totals.figures;
    }

    /** Returns the published time of the last access, milliseconds since the epoch. */
    protected final long shownAccessedAtMs() {
        return totals.accessedAtMs;
    }

    // --- counting ---

    /** Counts an executed command, unless it is part of a command that the whole counts once (PART-15). */
    public abstract void countDone(Command command, Reply reply);

    /** Counts an executed command, for the meter and for throttling. */
    public abstract void count(Command command, Reply reply);

    /** Counts deliveries that were made together: messages, operations, bytes. */
    public abstract void countDeliveries(int messages, long operations, long bytes);

    /** Counts a message forwarded to another entity as an operation of this one (MET-1, FWD-16). */
    public abstract void countTransfer(int sizeBytes);

    /** Counts a receive that ended without a message. */
    public abstract void countEmptyReceive();

    /** Counts a call whose reply had to wait. */
    public abstract void countCall();

    /** Counts a refused command. Refused commands are free, except a wait for a session that timed out (MET-1). */
    public abstract void countRefusal(Command command, Rejection rejection);

    // --- other entities ---

    /** Returns the queue or topic of a path in the same namespace, committed or not, or null. */
    public abstract @Nullable HostedEntity sibling(String path);

    /**
     * Returns the target for forwarded messages: the entity itself or the fragment for them (PART-54), or a permanent
     * refusal.
     */
    public abstract SendTarget destination(List<IncomingMessage> messages);

    /** The target of a send: either a queue, topic or fragment, or a refusal. */
    public record SendTarget(
            @Nullable HostedEntity entity, @Nullable Rejection refusal) {
        public static SendTarget of(HostedEntity entity) {
            return new SendTarget(Objects.requireNonNull(entity), null);
        }

        public static SendTarget none(Rejection refusal) {
            return new SendTarget(null, refusal);
        }
    }

    /** Returns whether a receiver waits at one of its fragments, or a scheduled message waits in one (IDLE-7). */
    public abstract boolean areFragmentsInUse();

    /** Returns whether a receiver waits at one of its fragments. */
    public abstract boolean areFragmentsAwaited();

    /**
     * Updates the fragments in other shards to the stored state of the whole, after a commit with an uncertain outcome.
     *
     * @param shown the description that was visible before
     * @param shownRules the rules that were visible before
     */
    public abstract void catchUpFragments(EntityDescription shown, List<Rule> shownRules);

    /** Deletes its fragments, if any. Unreachable fragments are deleted when their shards work again. */
    public abstract void deleteFragments();
}
