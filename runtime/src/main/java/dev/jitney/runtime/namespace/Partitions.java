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
 * The fragments of a partitioned entity (semantics chapter 17), each an entity in a shard of its own as far as there are enough,
 * and the ways to them. Any thread may call it.
 */
public interface Partitions {

    /** Makes the partitions of an entity, without fragments at first. */
    @FunctionalInterface
    interface Factory {
        Partitions create(ServedEntity whole, int count);
    }

    // --- the fragments ---

    /** How many fragments there are, or will be. */
    int count();

    /** Whether there are all of them. */
    boolean isComplete();

    /** Adds a fragment, before anybody knows of the entity. */
    void put(ServedEntity part);

    /** A fragment of a complete entity, by its number from 0. */
    ServedEntity part(int fragment);

    /** A fragment, or null while the entity is being made. */
    @Nullable
    ServedEntity partOrNull(int fragment);

    /** Those that there are, in order. */
    List<ServedEntity> all();

    /** Whether the shards of all fragments work. */
    boolean areAllAvailable();

    /** Whether no fragment is out of service for itself. */
    boolean areAllIntact();

    // --- what they have together ---

    /** The sum of their counters (PART-57). */
    MessageCounts counts();

    /** The sum of their figures. */
    EntityFigures figures();

    /** Their last access, milliseconds since the epoch, or 0 if there was none. */
    long accessedAtMs();

    /** Whether somebody wants to receive from it, or something waits for its time (IDLE-7). */
    boolean isInUse();

    // --- commands ---

    /** Has the fragments do what is asked of the whole. */
    void submit(Command command, Executor executor, ReplyListener listener);

    /** Attaches a receiver of the whole. */
    void attach(
            ConnectionReceivers home, Command.AttachReceiver command, ReceiverListener listener, ReplyListener reply);

    /** Asks for a session of the whole. */
    void acceptSession(
            Command.AcceptSession command, Executor executor, ReceiverListener listener, ReplyListener reply);

    /** Ends a receiver of the whole. */
    void forget(long receiverId);

    // --- transactions and forwarding ---

    /** The fragment for messages that another entity hands on (PART-54), or why none will ever take them. */
    SendTarget destination(List<IncomingMessage> messages);

    /** How the keys of messages are judged that a transaction sends (PART-49). */
    KeyRules keyRulesInTransactions();

    /** The fragments that a command is about. */
    Set<Integer> fragmentsOf(Command command);

    /** The command as the fragment of its session knows the receiver that holds it. */
    Command translate(Command command);

    // --- changes ---

    /** See {@link dev.jitney.runtime.shard.entity.HostedEntity#catchUpFragments}. */
    void catchUp(EntityDescription shown, List<Rule> shownRules);

    /** Deletes all fragments; those that cannot be reached go when their shards work again. */
    void deleteAll();
}
