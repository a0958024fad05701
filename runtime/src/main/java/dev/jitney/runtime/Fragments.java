package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The fragments of a partitioned entity, each in a shard of its own as far as there are enough (semantics chapter 17), and the
 * ways to them: a message goes to one of them ({@link FragmentSends}), a receive asks all of them ({@link FragmentReceivers}),
 * everything else is about what one of them has ({@link FragmentCommands}). Any thread may call it.
 */
final class Fragments {
    static final MessageCounts NO_COUNTS = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);

    private final AtomicReferenceArray<ServedEntity> parts;
    private final FragmentSends sends;
    private final FragmentReceivers receivers;
    private final FragmentCommands commands;

    Fragments(ServedEntity whole, int count) {
        this.parts = new AtomicReferenceArray<>(count);
        this.sends = new FragmentSends(whole, this);
        this.receivers = new FragmentReceivers(whole, this);
        this.commands = new FragmentCommands(whole, this);
    }

    /** The ways in. */
    FragmentSends sends() {
        return sends;
    }

    FragmentReceivers receivers() {
        return receivers;
    }

    /** What is asked of the whole. */
    FragmentCommands commands() {
        return commands;
    }

    /** Adds a fragment, before anybody knows of the entity. */
    void put(ServedEntity part) {
        parts.set(part.fragment(), part);
    }

    int count() {
        return parts.length();
    }

    /** Whether there are all of them. */
    boolean isComplete() {
        for (int i = 0; i < count(); i++) {
            if (parts.get(i) == null) {
                return false;
            }
        }
        return true;
    }

    /** A fragment, or null while the entity is being made. */
    @Nullable
    ServedEntity partOrNull(int fragment) {
        return parts.get(fragment);
    }

    ServedEntity part(int fragment) {
        return Objects.requireNonNull(parts.get(fragment));
    }

    /** Those that there are, in order. */
    List<ServedEntity> all() {
        List<ServedEntity> all = new ArrayList<>(count());
        for (int i = 0; i < count(); i++) {
            ServedEntity part = parts.get(i);
            if (part != null) {
                all.add(part);
            }
        }
        return all;
    }

    /** Whether the shard of a fragment works, and has not found it damaged. */
    boolean isAvailable(int fragment) {
        ServedEntity part = part(fragment);
        return part.shard().isServing() && !part.isDamaged();
    }

    /** Whether no fragment is out of service for itself. */
    boolean areAllIntact() {
        return all().stream().noneMatch(ServedEntity::isDamaged);
    }

    /** Whether the shards of all fragments work. */
    boolean areAllAvailable() {
        return all().stream().allMatch(part -> part.shard().isServing());
    }

    /** Whether somebody wants to receive from it, or something waits for its time (IDLE-7). */
    boolean isInUse() {
        return receivers.areWaiting() || counts().scheduled() > 0;
    }

    /** PART-57. */
    MessageCounts counts() {
        MessageCounts sum = NO_COUNTS;
        for (ServedEntity part : all()) {
            sum = sum.plus(part.counts());
        }
        return sum;
    }

    /** A receiver that goes counts until the fragments that work know it, from when on they are idle (IDLE-2). */
    EntityFigures figures() {
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

    long accessedAtMs() {
        return all().stream().mapToLong(Entity::accessedAtMs).max().orElse(0);
    }

    /** Has a fragment do something; one that it does not have means that what it is about is not there (PART-64). */
    void enqueue(int fragment, Command command, Executor executor, ReplyListener listener) {
        if (fragment < count()) {
            part(fragment).enqueue(command, executor, listener);
        } else {
            Command about = command instanceof Command.Joint joint ? joint.share() : command;
            ErrorCode code = about instanceof Command.Settlement
                            || about instanceof Command.RenewLocks
                            || about instanceof Command.GetLockedMessage
                    ? ErrorCode.MESSAGE_LOCK_LOST
                    : ErrorCode.MESSAGE_NOT_FOUND;
            List<Long> numbers = numbers(about);
            Rejection foreign = numbers.isEmpty() ? null : FragmentNumbers.refuse(numbers.get(0), count());
            executor.execute(() -> listener.onRejected(foreign == null ? Rejection.of(code) : foreign));
        }
    }

    private static List<Long> numbers(Command command) {
        if (command instanceof Command.CancelScheduledMessages cancel) {
            return cancel.sequenceNumbers();
        }
        return command instanceof Command.ReceiveDeferredMessages receive ? receive.sequenceNumbers() : List.of();
    }
}
