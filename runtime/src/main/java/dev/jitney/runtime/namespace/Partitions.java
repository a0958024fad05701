package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.HostedEntity.SendTarget;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The fragments of a partitioned entity (semantics chapter 17), each an entity in a shard of its own while there are
 * enough, and operations on them. Any thread may call it.
 */
public interface Partitions {

    /** Creates the partitions of an entity, without fragments at first. */
    @FunctionalInterface
    interface Factory {
        Partitions create(ServedEntity whole, int count);
    }

    // --- the fragments ---

    /** Returns the final number of fragments. */
    int count();

    /** Returns whether all fragments exist. */
    boolean isComplete();

    /** Adds a fragment, before the entity is visible. */
    void put(ServedEntity part);

    /** Returns a fragment of a complete entity, by its index from 0. */
    ServedEntity part(int fragment);

    /** Returns a fragment, or null while the entity is being created. */
    @Nullable
    ServedEntity partOrNull(int fragment);

    /** Returns the existing fragments, in order. */
    List<ServedEntity> all();

    /** Returns whether the shards of all fragments work. */
    boolean areAllAvailable();

    /** Returns whether no single fragment is damaged. */
    boolean areAllIntact();

    // --- aggregates ---

    /** Returns the sum of their counters (PART-57). */
    MessageCounts counts();

    /** Returns the sum of their figures. */
    EntityFigures figures();

    /** Returns their last access in milliseconds since the epoch, or 0 if there was none. */
    long accessedAtMs();

    /** Returns whether a receiver waits, or a scheduled message waits for its time (IDLE-7). */
    boolean isInUse();

    /** Returns whether a receiver waits. */
    boolean isAwaited();

    // --- commands ---

    /** Submits a command for the whole to the fragments concerned. */
    void submit(Command command, Executor executor, ReplyListener listener);

    /** Attaches a receiver of the whole. */
    void attach(
            ConnectionReceivers home, Command.AttachReceiver command, ReceiverListener listener, ReplyListener reply);

    /** Accepts a session of the whole. */
    void acceptSession(
            Command.AcceptSession command, Executor executor, ReceiverListener listener, ReplyListener reply);

    /** Ends a receiver of the whole. */
    void forget(long receiverId);

    // --- transactions and forwarding ---

    /**
     * Returns the fragment for messages that another entity forwards (PART-54), or the reason why none will ever
     * accept them.
     */
    SendTarget destination(List<IncomingMessage> messages);

    /** Returns the rules for the keys of messages that a transaction sends (PART-49). */
    KeyRules keyRulesInTransactions();

    /** Returns the fragments that a command concerns. */
    Set<Integer> fragmentsOf(Command command);

    /** Returns the command with the receiver number that the session's fragment uses. */
    Command translate(Command command);

    // --- changes ---

    /** Performs {@link dev.jitney.runtime.shard.entity.HostedEntity#catchUpFragments}. */
    void catchUp(EntityDescription shown, List<Rule> shownRules);

    /** Deletes all fragments. Fragments in unavailable shards are deleted when their shards work again. */
    void deleteAll();
}
