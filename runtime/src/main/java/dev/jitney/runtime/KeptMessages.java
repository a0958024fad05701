package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages that fragments have locked for somebody who has not asked for them yet (PART-13), in the order they came. For one
 * thread at a time.
 *
 * <p>A lock that ends meanwhile is taken back by its fragment, without counting (PART-60): {@link ServedEntity#giveOut} tells
 * who was first.
 */
final class KeptMessages {
    /** Encoded bytes of messages kept while nobody wants any. */
    static final long BYTES_MAX = 1 << 20;

    private final ArrayDeque<Fetched> kept = new ArrayDeque<>();

    /** A message that one fragment has locked. */
    record Fetched(ServedEntity part, MessageView message) {
        UUID token() {
            return Objects.requireNonNull(message.lockToken());
        }
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void add(ServedEntity part, MessageView message) {
        Fetched fetched = new Fetched(part, message);
        part.keep(fetched.token());
        kept.add(fetched);
    }

    /** The next one whose lock lasts, for good; null if there is none. */
    @Nullable
    Fetched take(long nowMs) {
        for (Fetched next = kept.poll(); next != null; next = kept.poll()) {
            if (next.message.lockedUntilMs() > nowMs && next.part.giveOut(next.token())) {
                return next;
            }
        }
        return null;
    }

    /** Forgets those of a fragment: their locks are gone with the memory of its store. */
    void drop(ServedEntity part) {
        kept.removeIf(fetched -> {
            boolean its = fetched.part == part;
            if (its) {
                part.giveOut(fetched.token());
            }
            return its;
        });
    }

    /** Gives back all but one per fragment, and what is too much in all. */
    void giveBackSurplus(long nowMs) {
        Set<ServedEntity> having = new HashSet<>();
        Map<ServedEntity, List<UUID>> surplus = new LinkedHashMap<>();
        long[] bytes = {0};
        kept.removeIf(fetched -> {
            if (fetched.message.lockedUntilMs() <= nowMs) {
                return true; // its fragment takes it back by itself
            }
            long size = fetched.message.content().sizeBytes();
            if (bytes[0] + size <= BYTES_MAX && having.add(fetched.part)) {
                bytes[0] += size;
                return false;
            }
            collect(fetched, surplus);
            return true;
        });
        surplus.forEach(KeptMessages::release);
    }

    void giveBackAll() {
        Map<ServedEntity, List<UUID>> all = new LinkedHashMap<>();
        kept.forEach(fetched -> collect(fetched, all));
        kept.clear();
        all.forEach(KeptMessages::release);
    }

    private static void collect(Fetched fetched, Map<ServedEntity, List<UUID>> into) {
        if (fetched.part.isKept(fetched.token())) {
            into.computeIfAbsent(fetched.part, none -> new ArrayList<>()).add(fetched.token());
        }
    }

    /** One by one, because a lock that has run out must not keep the others. */
    private static void release(ServedEntity part, List<UUID> tokens) {
        for (UUID token : tokens) {
            part.enqueue(new Command.ReleaseMessages(List.of(token)), Runnable::run, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    part.finish(token, null);
                }

                @Override
                public void onRejected(Rejection rejection) {
                    part.finish(token, rejection);
                }
            });
        }
    }
}
