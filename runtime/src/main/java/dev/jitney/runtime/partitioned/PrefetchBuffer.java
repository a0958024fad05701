package dev.jitney.runtime.partitioned;

import dev.jitney.runtime.shard.entity.UnclaimedLocks;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages that fragments have locked for somebody who has not asked for them yet (PART-13), in the order they came. For one
 * thread at a time.
 *
 * <p>A fragment takes a message back without counting when its lock ends, or before that when another receiver waits for it
 * (PART-60): {@link UnclaimedLocks} tells who was first.
 */
final class PrefetchBuffer {
    /** Encoded bytes of messages kept while nobody wants any. */
    static final long BYTES_MAX = 1 << 20;

    private final ArrayDeque<FetchedMessage> kept = new ArrayDeque<>();

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void add(FetchedMessage fetched) {
        kept.add(fetched); // first: the fragment may recall it at once
        fetched.part().keep(fetched.token());
    }

    /** The next one that may be handed out, which is claimed by that; null if there is none. What has expired goes back. */
    @Nullable
    FetchedMessage take(long nowMs) {
        for (FetchedMessage next = kept.poll(); next != null; next = kept.poll()) {
            if (next.message().lockedUntilMs() > nowMs
                    && next.part().unclaimed().claim(next.token())) {
                if (!next.isExpired(nowMs)) {
                    return next;
                }
                next.giveBack();
            }
        }
        return null;
    }

    /** Forgets those of a fragment: their locks are gone with the memory of its store. */
    void drop(PartitionReceiver partition) {
        kept.removeIf(fetched -> {
            boolean its = fetched.partition() == partition;
            if (its) {
                fetched.part().unclaimed().forget(fetched.token());
            }
            return its;
        });
    }

    /** Gives back all but one per fragment, what is too much in all, and what has expired. */
    void giveBackSurplus(long nowMs) {
        Set<PartitionReceiver> having = new HashSet<>();
        long[] bytes = {0};
        kept.removeIf(fetched -> {
            if (fetched.message().lockedUntilMs() <= nowMs
                    || !fetched.part().unclaimed().isKept(fetched.token())) {
                return true; // its fragment takes it back by itself, or has done so
            }
            long size = fetched.message().content().sizeBytes();
            if (bytes[0] + size <= BYTES_MAX && !fetched.isExpired(nowMs) && having.add(fetched.partition())) {
                bytes[0] += size;
                return false;
            }
            giveBack(fetched);
            return true;
        });
    }

    void giveBackAll() {
        kept.forEach(PrefetchBuffer::giveBack);
        kept.clear();
    }

    /** One by one, because a lock that has run out must not keep the others. */
    private static void giveBack(FetchedMessage fetched) {
        if (fetched.part().unclaimed().claim(fetched.token())) {
            fetched.giveBack();
        }
    }
}
