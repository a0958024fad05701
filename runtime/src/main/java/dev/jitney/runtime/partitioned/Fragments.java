package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.PartitionedChanges;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.HostedEntity.SendTarget;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The fragments of a partitioned entity, each in a shard of its own while there are enough (semantics chapter 17),
 * and operations on them. A message goes to one of them ({@link FragmentSends}), a receive reads all of them
 * ({@link FragmentReceivers}), and every other command concerns items of one of them ({@link FragmentCommands}). Any
 * thread may call it.
 */
public final class Fragments implements Partitions {
    private final ServedEntity whole;
    private final FragmentTable table;
    private final FragmentSends sends;
    private final FragmentReceivers receivers;
    private final FragmentCommands commands;

    /** @param count the final number of fragments; {@link #put} adds them */
    public Fragments(ServedEntity whole, int count) {
        this.whole = whole;
        this.table = new FragmentTable(count);
        this.sends = new FragmentSends(whole, table);
        this.receivers = new FragmentReceivers(whole, table);
        this.commands = new FragmentCommands(whole, table, sends, receivers);
    }

    // --- the fragments ---

    @Override
    public int count() {
        return table.count();
    }

    @Override
    public boolean isComplete() {
        return table.isComplete();
    }

    @Override
    public void put(ServedEntity part) {
        table.put(part);
    }

    @Override
    public ServedEntity part(int fragment) {
        return table.part(fragment);
    }

    @Override
    public @Nullable ServedEntity partOrNull(int fragment) {
        return table.partOrNull(fragment);
    }

    @Override
    public List<ServedEntity> all() {
        return table.all();
    }

    @Override
    public boolean areAllIntact() {
        return all().stream().noneMatch(ServedEntity::isDamaged);
    }

    @Override
    public boolean areAllAvailable() {
        return all().stream().allMatch(part -> part.shard().isServing());
    }

    // --- aggregates ---

    @Override
    public boolean isInUse() {
        return isAwaited() || counts().scheduled() > 0;
    }

    @Override
    public boolean isAwaited() {
        return receivers.areWaiting();
    }

    @Override
    public MessageCounts counts() {
        MessageCounts sum = ScatterGather.NO_COUNTS;
        for (ServedEntity part : all()) {
            sum = sum.plus(part.counts());
        }
        return sum;
    }

    /**
     * Returns the figures. A detached receiver counts until its detach is processed by the fragments that work; only
     * then they are idle (IDLE-2).
     */
    @Override
    public EntityFigures figures() {
        EntityFigures sum = EntityFigures.NONE;
        int going = 0;
        for (ServedEntity part : all()) {
            EntityFigures figures = part.figures();
            sum = sum.plus(figures);
            if (part.shard().isServing()) {
                going = Math.max(going, figures.receivers());
            }
        }
        return sum.withReceivers(Math.max(going, receivers.count()));
    }

    @Override
    public long accessedAtMs() {
        return all().stream().mapToLong(Entity::accessedAtMs).max().orElse(0);
    }

    // --- commands ---

    @Override
    public void submit(Command command, Executor executor, ReplyListener listener) {
        commands.submit(command, executor, listener);
    }

    @Override
    public void attach(
            ConnectionReceivers home, Command.AttachReceiver command, ReceiverListener listener, ReplyListener reply) {
        receivers.attach(home, command, listener, reply);
    }

    @Override
    public void acceptSession(
            Command.AcceptSession command, Executor executor, ReceiverListener listener, ReplyListener reply) {
        receivers.acceptSession(command, executor, listener, reply);
    }

    @Override
    public void forget(long receiverId) {
        receivers.forget(receiverId);
    }

    // --- transactions and forwarding ---

    @Override
    public SendTarget destination(List<IncomingMessage> messages) {
        return sends.destination(messages);
    }

    @Override
    public KeyRules keyRulesInTransactions() {
        return sends.keyRulesInTransactions();
    }

    @Override
    public Set<Integer> fragmentsOf(Command command) {
        return commands.places(command).keySet();
    }

    @Override
    public Command translate(Command command) {
        return receivers.translate(command);
    }

    // --- changes ---

    @Override
    public void catchUp(EntityDescription shown, List<Rule> shownRules) {
        PartitionedChanges.catchUp(whole, shown, shownRules);
    }

    @Override
    public void deleteAll() {
        PartitionedChanges.deleteParts(whole);
    }
}
