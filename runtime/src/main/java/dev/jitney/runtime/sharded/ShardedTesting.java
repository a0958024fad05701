package dev.jitney.runtime.sharded;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.namespace.ServedNamespace;
import dev.jitney.runtime.shard.Interventions;
import dev.jitney.runtime.shard.Interventions.Work;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.runtime.testing.BrokerTesting;
import dev.jitney.runtime.testing.MessageHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The control of the shards of a broker under test. Stores that do not work are left out. Any thread may call it. */
final class ShardedTesting implements BrokerTesting {
    private static final int QUIET_LOOKS_MAX = 200;
    private static final long SETTLED_SECONDS = 30;

    private final List<Shard> shards;
    private final AdjustableClock clock;
    private final MessageHistory history;

    /** @param shards all shards; filled after construction */
    ShardedTesting(List<Shard> shards, AdjustableClock clock, MessageHistory history) {
        this.shards = shards;
        this.clock = clock;
        this.history = history;
    }

    @Override
    public AdjustableClock clock() {
        return clock;
    }

    @Override
    public MessageHistory history() {
        return history;
    }

    @Override
    public CompletionStage<Void> changeTime(Duration advance, double speed) {
        clock.change(advance.toMillis(), speed);
        shards.forEach(shard -> shard.mailbox().wake());
        return settled(clock.steady().nowMs());
    }

    @Override
    public CompletionStage<Integer> reset(Namespace namespace) {
        String name = namespace.name();
        return all(working(), shard -> shard.reset(name))
                .thenApply(counts -> counts.stream().mapToInt(Integer::intValue).sum());
    }

    @Override
    public CompletionStage<Void> loseLocks(Entity entity) {
        Set<Long> ids = ids(entity);
        return all(working(), shard -> shard.loseLocks(ids))
                .thenCompose(done -> settled(clock.steady().nowMs()));
    }

    @Override
    public CompletionStage<Void> duplicateNextDelivery(Entity entity) {
        Set<Long> ids = ids(entity);
        AtomicBoolean left = new AtomicBoolean(true);
        return all(working(), shard -> shard.duplicateNextDelivery(ids, left)).thenApply(done -> null);
    }

    @Override
    public void throttle(Namespace namespace, Duration time) {
        ((ServedNamespace) namespace).throttleFor(time.toMillis());
    }

    @Override
    public CompletionStage<List<String>> pending(Namespace namespace) {
        return look(namespace.name())
                .thenCompose(first -> look(namespace.name()).thenApply(second -> {
                    List<String> reasons = new ArrayList<>();
                    second.forEach(work -> reasons.addAll(work.reasons()));
                    if (reasons.isEmpty() && !isSettled(first, second)) {
                        reasons.add("The broker is working.");
                    }
                    return reasons;
                }));
    }

    /**
     * Completes when everything has happened that was due at a time, and what followed from it. Then two looks in a row have found no
     * work, and no work was done between them, because a message that one shard has passed on may be work of another one. If clients
     * keep the broker busy, {@value #QUIET_LOOKS_MAX} looks are enough if no timer of that time is left.
     */
    private CompletionStage<Void> settled(long untilMs) {
        return settled(untilMs, List.of(), 0, System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLED_SECONDS));
    }

    private CompletionStage<Void> settled(long untilMs, List<Work> before, int looks, long endNanos) {
        return look(null).thenCompose(now -> {
            boolean due = now.stream().anyMatch(work -> work.nextMs() <= untilMs);
            if (!due && (isSettled(before, now) || looks >= QUIET_LOOKS_MAX)) {
                return CompletableFuture.completedFuture(null);
            }
            if (System.nanoTime() - endNanos > 0) {
                return BrokerException.failed(new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "Expected everything that is due to happen within " + SETTLED_SECONDS
                                + " s, but the broker still works on it. Wait, and read the clock again."));
            }
            return settled(untilMs, now, looks + 1, endNanos);
        });
    }

    private static boolean isSettled(List<Work> before, List<Work> now) {
        if (before.size() != now.size()) {
            return false;
        }
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i).due() || now.get(i).applied() != before.get(i).applied()) {
                return false;
            }
        }
        return true;
    }

    private CompletionStage<List<Work>> look(@Nullable String namespace) {
        return all(working(), shard -> shard.work(namespace));
    }

    private List<Shard> working() {
        return shards.stream().filter(Shard::isServing).toList();
    }

    private static <T> CompletionStage<List<T>> all(List<Shard> shards, Interventions.Task<T> task) {
        List<CompletableFuture<T>> answers = shards.stream()
                .map(shard -> Objects.requireNonNull(shard.interventions()).send(task))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    /** Returns the numbers of the entity and of its fragments. */
    private static Set<Long> ids(Entity entity) {
        Set<Long> ids = new LinkedHashSet<>();
        ServedEntity served = (ServedEntity) entity;
        ids.add(served.id());
        Partitions fragments = served.fragments();
        if (fragments != null) {
            fragments.all().forEach(part -> ids.add(part.id()));
        }
        return ids;
    }
}
