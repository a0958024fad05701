package dev.jitney.runtime.partitioned;

import dev.jitney.runtime.shard.entity.UnclaimedLocks;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages that fragments have locked for a connection whose receivers have no credit for them yet (PART-13), in
 * order of arrival. For one thread at a time.
 *
 * <p>A fragment takes a message back without counting a delivery when its lock ends, or earlier when another receiver
 * waits for it (PART-60). {@link UnclaimedLocks} decides between the fragment and the buffer.
 */
final class PrefetchBuffer {
    /** The limit in encoded bytes for messages that are kept while no receiver has credit. */
    static final long BYTES_MAX = 1 << 20;

    private final ArrayDeque<FetchedMessage> kept = new ArrayDeque<>();

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void add(FetchedMessage fetched) {
        kept.add(fetched); // first, because the fragment may recall it immediately
        fetched.part().keep(fetched.token());
    }

    /** Claims and returns the next deliverable message; null if there is none. Expired messages are released. */
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

    /** Drops the messages of a fragment whose locks were lost when its store restarted. */
    void drop(PartitionReceiver partition) {
        kept.removeIf(fetched -> {
            boolean its = fetched.partition() == partition;
            if (its) {
                fetched.part().unclaimed().forget(fetched.token());
            }
            return its;
        });
    }

    /** Releases all but one message per fragment, messages above the size limit, and expired messages. */
    void giveBackSurplus(long nowMs) {
        Set<PartitionReceiver> having = new HashSet<>();
        long[] bytes = {0};
        kept.removeIf(fetched -> {
            if (fetched.message().lockedUntilMs() <= nowMs
                    || !fetched.part().unclaimed().isKept(fetched.token())) {
                return true; // its fragment takes it back, or has done so
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

    /** Releases messages one by one, so that an expired lock does not affect the others. */
    private static void giveBack(FetchedMessage fetched) {
        if (fetched.part().unclaimed().claim(fetched.token())) {
            fetched.giveBack();
        }
    }
}
