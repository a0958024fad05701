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
 * An entity as the shard sees it that hosts it. The shard's thread changes {@link #latest}; everybody else sees what is durable,
 * which follows once the change is committed. A fragment of a partitioned entity is one of its own, whose description is that of
 * the whole.
 *
 * <p>Any thread may call it, unless a method says that it is for the shard's thread.
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

    /** The state of the entity as it is shown. */
    private record Totals(MessageCounts counts, long accessedAtMs, EntityFigures figures) {}

    /** @param mailbox that of its shard */
    protected HostedEntity(Mailbox mailbox, EntityRow row) {
        this.mailbox = mailbox;
        this.id = row.entityId();
        this.latest = row;
        this.durable = row;
        this.whole = null;
        this.fragment = 0;
    }

    /** A fragment of a partitioned entity, whose description it follows. */
    protected HostedEntity(Mailbox mailbox, long id, HostedEntity whole, int fragment) {
        this.mailbox = mailbox;
        this.id = id;
        this.latest = whole.durable;
        this.durable = whole.durable;
        this.whole = whole;
        this.fragment = fragment;
    }

    /** Its number, which no other entity of the broker has. */
    public final long id() {
        return id;
    }

    /** Number of the fragment; 0 of an ordinary entity. */
    public final int fragment() {
        return fragment;
    }

    /** Whether it is a fragment of a partitioned entity. */
    public final boolean isFragment() {
        return whole != null;
    }

    /** The mailbox of its shard, by which the shard is known. */
    public final Mailbox mailbox() {
        return mailbox;
    }

    /** Locks of its messages whose messages nobody has got. */
    public final UnclaimedLocks unclaimed() {
        return unclaimed;
    }

    /** The settings of its namespace. */
    public abstract NamespaceOptions namespaceOptions();

    /** The quotas of its namespace. */
    public final Limits limits() {
        return namespaceOptions().limits();
    }

    // --- its description ---

    /**
     * The description that the shard has, committed or not; of a fragment that of the whole which is durable. For the shard's
     * thread.
     */
    public final EntityRow latest() {
        return whole == null ? latest : whole.durable;
    }

    private EntityRow durable() {
        return whole == null ? durable : whole.durable;
    }

    /** The latest description as the state of its messages needs it. For the shard's thread. */
    public abstract QueueDescription asQueue();

    /** Changes it in the shard. For the shard's thread. */
    public final void change(EntityRow row) {
        latest = row;
    }

    /** The store has it as it is now in the shard: everybody may see it. For the shard's thread. */
    public final void settle() {
        if (whole == null) {
            durable = latest;
        }
        known = true;
        if (whole == null) {
            settled();
        }
    }

    /** Its description has become visible. */
    protected abstract void settled();

    /** Whether it is a fragment of an entity that is no more. */
    public final boolean isOrphan() {
        return whole != null && whole.gone;
    }

    /** Whether its creation is committed. */
    public final boolean isKnown() {
        return known;
    }

    /** The store has it: its name is taken. */
    public abstract void list();

    /** The store does not have it: its name is free, and whoever still holds it hears that there is no such entity. */
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

    /** Whether it is out of service because a row of it is damaged, though the store works. */
    public final boolean isDamaged() {
        return damaged;
    }

    /** It goes out of service or comes back; {@link DamagedEntities} decides. */
    public final void setDamaged(boolean now) {
        damaged = now;
    }

    // --- its messages ---

    /** Shows the state that was committed. For the shard's thread. */
    final void publish(MessageCounts counts, long accessedAtMs, EntityFigures figures) {
        totals = new Totals(counts, accessedAtMs, figures);
    }

    /** The counters that its shard has shown. */
    protected final MessageCounts shownCounts() {
        return totals.counts;
    }

    /** The figures that its shard has shown. */
    protected final EntityFigures shownFigures() {
        return totals.figures;
    }

    /** The last access that its shard has shown, milliseconds since the epoch. */
    protected final long shownAccessedAtMs() {
        return totals.accessedAtMs;
    }

    // --- counting ---

    /** Counts a command that the shard has carried out, if it is not a share of one that the whole counts once (PART-15). */
    public abstract void countDone(Command command, Reply reply);

    /** Counts a command that was carried out, for the meter and for throttling. */
    public abstract void count(Command command, Reply reply);

    /** Counts deliveries that were made together: messages, operations, bytes. */
    public abstract void countDeliveries(int messages, long operations, long bytes);

    /** A message of that size was handed on to another entity: an operation of this one (MET-1, FWD-16). */
    public abstract void countTransfer(int sizeBytes);

    /** Counts a receive that ended without a message. */
    public abstract void countEmptyReceive();

    /** Counts a call whose answer had to wait. */
    public abstract void countCall();

    /** Counts a command that was refused: free, but for a session that was waited for and did not come (MET-1). */
    public abstract void countRefusal(Command command, Rejection rejection);

    // --- other entities ---

    /** The queue or topic of that path in the same namespace, committed or not; null if there is none. */
    public abstract @Nullable HostedEntity sibling(String path);

    /** Whether it has fragments, which keep its messages. */
    public abstract boolean hasFragments();

    /**
     * The place for messages that another entity hands on: the entity itself, or the fragment for them (PART-54); or why none will
     * ever take them.
     */
    public abstract SendTarget destination(List<IncomingMessage> messages);

    /** A queue or topic or a fragment of one, or why there is none: exactly one of the two. */
    public record SendTarget(
            @Nullable HostedEntity entity, @Nullable Rejection refusal) {
        public static SendTarget of(HostedEntity entity) {
            return new SendTarget(Objects.requireNonNull(entity), null);
        }

        public static SendTarget none(Rejection refusal) {
            return new SendTarget(null, refusal);
        }
    }

    /** Whether somebody wants to receive from its fragments, or something waits in them for its time (IDLE-7). */
    public abstract boolean areFragmentsInUse();

    /**
     * Has the fragments in other shards follow what the store of the whole has, after a commit that gave no certain answer.
     *
     * @param shown the description that was visible before
     * @param shownRules the rules that were visible before
     */
    public abstract void catchUpFragments(EntityDescription shown, List<Rule> shownRules);

    /** Deletes its fragments, if it has some; those that cannot be reached go when their shards work again. */
    public abstract void deleteFragments();
}
