package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The fragments of a partitioned entity by index. Any thread may call it. */
final class FragmentTable {
    private final AtomicReferenceArray<ServedEntity> parts;

    FragmentTable(int count) {
        this.parts = new AtomicReferenceArray<>(count);
    }

    /** Adds a fragment, before the entity is visible. */
    void put(ServedEntity part) {
        parts.set(part.fragment(), part);
    }

    int count() {
        return parts.length();
    }

    /** Returns whether all fragments exist. */
    boolean isComplete() {
        for (int i = 0; i < count(); i++) {
            if (parts.get(i) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns a fragment, or null while the entity is being created. */
    @Nullable
    ServedEntity partOrNull(int fragment) {
        return parts.get(fragment);
    }

    ServedEntity part(int fragment) {
        return Objects.requireNonNull(parts.get(fragment));
    }

    /** Returns the existing fragments, in order. */
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

    /** Returns whether the shard of a fragment works and the fragment is not damaged. */
    boolean isAvailable(int fragment) {
        ServedEntity part = part(fragment);
        return part.shard().isServing() && !part.isDamaged();
    }

    /**
     * Submits a command to a fragment. If the fragment does not exist, the items of the command are reported as not
     * found (PART-64).
     */
    void enqueue(int fragment, Command command, Executor executor, ReplyListener listener) {
        if (fragment < count()) {
            part(fragment).enqueue(command, executor, listener);
        } else {
            Command about = command instanceof Command.TwoPhase request ? request.share() : command;
            ErrorCode code =
                    about instanceof Command.NamesLocks ? ErrorCode.MESSAGE_LOCK_LOST : ErrorCode.MESSAGE_NOT_FOUND;
            List<Long> numbers = about instanceof Command.NamesMessages named ? named.sequenceNumbers() : List.of();
            Rejection foreign = numbers.isEmpty() ? null : FragmentNumbers.refuse(numbers.get(0), count());
            executor.execute(() -> listener.onRejected(foreign == null ? Rejection.of(code) : foreign));
        }
    }
}
