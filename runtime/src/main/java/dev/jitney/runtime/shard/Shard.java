package dev.jitney.runtime.shard;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.rows.CurrentLevel;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.DamagedEntities;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.ShardTask;
import dev.jitney.runtime.shard.turn.TurnSteps;
import dev.jitney.runtime.shard.turn.TurnTasks;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.testing.MessageHistory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A broker with one messaging store: the thread that owns a set of queues, and of topics with their subscriptions.
 *
 * <p>A turn runs the tasks in the mailbox, runs due timers, delivers messages to receivers, and commits all resulting
 * rows as one batch. Only then does it release replies and deliveries. The tasks of the next turn gather during the
 * commit: that is the group commit. Without load a turn is one task, so nothing waits. The exceptions are {@linkplain
 * ReplyListener#allowsDelay replies that may be delayed}: their commit waits for another commit, for two milliseconds
 * at most.
 *
 * <p>A caller may also drive {@link #turn()} instead of a thread; tests do that.
 *
 * <p>If the store fails, the effects of the turn fail with a retryable error, receivers are closed, and the state in
 * memory is dropped. The shard reloads its state as soon as the store works again, and retries as {@link RetryPause}
 * describes. An operator may also stop the store. The effect is the same, but nothing is retried until the operator
 * starts it.
 */
public final class Shard {
    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

    /** The size of a batch after which tasks, timers and deliveries of a turn each add no more. */
    static final long BATCH_BYTES_MAX = 4L << 20;

    private static final long HUNG_AFTER_MS = 10_000;
    private static final long NOT_BUSY = Long.MAX_VALUE;

    /** The longest delay of a commit whose replies may all be delayed. */
    private static final long DELAY_NANOS = 2_000_000;

    private static final long DELAYED_BYTES_MAX = 64L << 10;

    private static final String SHUTTING_DOWN = "The server is shutting down.";

    private static final String ANOTHER_LEADER = "Another node leads the cluster.";

    private final int index;
    private final MessagingStore store;
    private final Clock clock;
    private final BrokerOptions options;
    private final Mailbox mailbox;
    private final ShardMeter meter = new ShardMeter();
    private final TurnWatch watch;

    private final RowBatch batch;
    private final StoreRowWriter writer;
    private final ShardTurn turn;
    private final TurnTasks tasks;
    private final StoreSwitch operator = new StoreSwitch();
    private boolean diskFull;

    /** True while a commit is delayed, because all its replies may be delayed. */
    private boolean commitDelayed;

    /** The end of the delay, compared with {@link Clock#pauseNanos}. */
    private long delayEndNanos;

    /** True while the store is closed because an operator stopped it. */
    private boolean suspended;

    private final RetryPause pause = new RetryPause();

    /** The moment at which this shard has to stand between two commits, together with others. */
    private volatile @Nullable SharedMoment moment;

    private volatile boolean acceptsGrowth = true;

    /** Actions that wait until the store works again, in order of arrival. */
    private final Map<Object, Runnable> waiting = Collections.synchronizedMap(new LinkedHashMap<>());

    private volatile boolean stopping;

    /** True once another node leads: nothing may be committed any more. */
    private volatile boolean abandoned;

    /** Start of the current turn, in milliseconds of {@link Clock#pauseNanos}: a test may move the clock during a turn. */
    private volatile long busySinceMs = NOT_BUSY;

    private @Nullable HungShards others;
    private volatile @Nullable String trouble;

    /** True once an internal error has ended the thread; only a restart of the process helps. */
    private volatile boolean ended;

    private @Nullable Thread thread;

    /**
     * @param transactionMemory the memory of the open transactions of all shards
     * @param level  the level in whose formats rows are written
     * @param random source of lock tokens and message ids
     * @param history the history of messages of a broker under test, or null
     */
    public Shard(
            int index,
            MessagingStore store,
            Clock clock,
            BrokerOptions options,
            TransactionMemory transactionMemory,
            CurrentLevel level,
            Random random,
            @Nullable MessageHistory history) {
        this.index = index;
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.mailbox = new Mailbox(options.mailboxBytesMax(), options.mailboxCommandsMax());
        TurnSteps steps = new TurnSteps();
        this.tasks = new TurnTasks(mailbox, steps);
        this.watch = new TurnWatch(index, options.slowTurnNanos());
        this.batch = new RowBatch();
        this.writer = new StoreRowWriter(batch, level, options.seal());
        this.turn = new ShardTurn(
                index,
                mailbox,
                steps,
                writer,
                new StoreRowReader(store, writer, new ReadingTurn()),
                options,
                transactionMemory,
                random,
                history);
    }

    private LoggingEventBuilder log(Level level) {
        return LOG.atLevel(level).addKeyValue(LogKeys.SHARD, index);
    }

    /** Returns the facts that the decisions of a turn use. For its thread, and before it runs. */
    public ShardContext context() {
        return turn.context();
    }

    /** Returns the part that creates, changes and deletes entities. For its thread, and before it runs. */
    public EntityLifecycle lifecycle() {
        return turn.lifecycle();
    }

    /** Returns the part that executes the commands of clients. Tasks in the mailbox call it on the shard's thread. */
    public ShardCommands commands() {
        return turn.commands();
    }

    /** Returns the open transactions. Tasks in the mailbox call it on the shard's thread. */
    public Transactions transactions() {
        return turn.transactions();
    }

    /** Returns the part that replaces messages. Tasks in the mailbox call it on the shard's thread. */
    public Replacements replacements() {
        return turn.replacements();
    }

    /** Returns the part for tests, or null if the broker is not under test. Any thread may send it tasks. */
    public @Nullable Interventions interventions() {
        return turn.interventions();
    }

    /** Returns the replies and deliveries that wait for the commit. For its thread. */
    Effects effects() {
        return turn.effects();
    }

    /**
     * Connects this shard to the shards of all entities, before it runs.
     *
     * @param shards returns the shard that hosts an entity, or null for an unknown number
     */
    public void connect(LongFunction<@Nullable Shard> shards) {
        turn.forwarder().connect(entityId -> {
            Shard there = shards.apply(entityId);
            return there == null ? null : there.turn.forwarder();
        });
    }

    /** Makes this shard check the other ones, before it runs. */
    public void lookAfter(HungShards shards) {
        others = shards;
    }

    /** Returns the mailbox for tasks. Any thread may call it. */
    public Mailbox mailbox() {
        return mailbox;
    }

    /** Returns the reason why the store does not work or refuses sends, or null. Any thread may call it. */
    public @Nullable String trouble() {
        String failed = trouble;
        if (failed != null) {
            return failed;
        }
        return acceptsGrowth ? null : fullness() + " Jitney refuses sends.";
    }

    private String fullness() {
        return "The " + store.medium() + " of messaging store " + index + " is full.";
    }

    /**
     * Returns the entities that are out of service although the store works, with the reasons, or null. Any thread may
     * call it.
     */
    public @Nullable String damage() {
        return turn.damaged().summary();
    }

    /** Returns the figures of the shard and its store. Any thread may call it. */
    public ShardFigures figures() {
        String wrong = trouble();
        return meter.figures(
                index,
                mailbox,
                wrong == null ? damage() : wrong,
                operator.isStopped(),
                isServing(),
                ended,
                acceptsGrowth,
                isServing() ? store.disk() : null,
                turn.damaged().count());
    }

    /** Returns whether the store works. Any thread may call it. */
    public boolean isServing() {
        return trouble == null && !isHung();
    }

    /**
     * Returns whether messages that the shard has locked in advance may leave without another turn: the store works, and no
     * other node leads (CL-9). Any thread may call it.
     */
    public boolean mayDeliver() {
        return trouble == null && !abandoned && store.isConfirmed();
    }

    /**
     * Returns whether the current turn has lasted so long that the store is considered hung (PART-41). Any thread may
     * call it.
     */
    boolean isHung() {
        long since = busySinceMs;
        return since != NOT_BUSY && pauseMs() - since > HUNG_AFTER_MS;
    }

    /**
     * Stops the store as if its disk had failed, or starts it. Any thread may call it.
     *
     * @return completes when the store is closed, or a start was attempted; {@link #isServing} then has the result
     */
    public CompletionStage<Void> operate(boolean stop) {
        CompletionStage<Void> followed = operator.turn(stop);
        mailbox.wake();
        return followed;
    }

    /** Makes the shard wait in a moment at the start of its next turn. A shard whose store does not work never arrives. */
    void arriveAt(SharedMoment next) {
        moment = next;
        mailbox.wake();
    }

    /** Ends {@link #arriveAt}. */
    void leave(SharedMoment last) {
        if (moment == last) {
            moment = null;
        }
    }

    // --- life ---

    /** Reads the entities of the store, before the shard runs. */
    public List<EntityRow> load() throws StoreException {
        try {
            return turn.load(clock.nowMs());
        } catch (StoreFault e) {
            throw e.fault();
        }
    }

    /**
     * Returns whether the store is available, before the shard runs. If not, the entities known from it may be
     * outdated.
     */
    public boolean isThere() {
        try {
            store.check();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** Starts the shard's thread. */
    public void start() {
        Thread t = new Thread(this::run, "jitney-shard-" + index);
        thread = t;
        mailbox.ownedBy(t);
        t.start();
    }

    /** Commits pending changes and ends the thread. Later tasks are refused. */
    public void stop() {
        end();
        if (trouble == null) {
            writeFinalState();
        }
        refuseForGood(SHUTTING_DOWN);
    }

    /**
     * Ends the thread without a commit, because another node leads (CL-12). Requests that wait fail with a retryable error,
     * and so do later ones. The store must fail a commit that is in progress.
     */
    public void abandon() {
        abandoned = true;
        end();
        if (trouble == null) {
            trouble = ANOTHER_LEADER;
            forget();
        }
        refuseForGood(ANOTHER_LEADER);
    }

    private void end() {
        stopping = true;
        mailbox.wake();
        Thread t = thread;
        if (t != null) {
            boolean interrupted = false;
            while (t.isAlive()) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void refuseForGood(String reason) {
        trouble = reason;
        diskFull = false;
        operator.end();
        mailbox.close(refusal(false));
        refusePostponed();
        batch.close();
    }

    /** Writes the state that the next start needs and that was not worth a commit before. */
    private void writeFinalState() {
        try {
            turn.start(clock.nowMs());
            turn.stop();
            commit();
        } catch (RuntimeException e) { // continue, so that the other shards stop too
            log(Level.WARN)
                    .setCause(e)
                    .log("Could not write the final state of messaging store {}. Jitney shuts down anyway.", index);
        }
    }

    private void run() {
        try {
            serve();
        } catch (Throwable e) {
            // Out of memory or worse: this shard cannot continue, and the health endpoint must report it.
            log(Level.ERROR).setCause(e).log("Shard {} stopped because of a fatal error. Restart the server.", index);
            diskFull = false;
            ended = true;
            trouble = "Shard " + index + " stopped because of a fatal error: " + e + ". Restart the server.";
            operator.end();
            mailbox.close(refusal(false));
            refusePostponed();
            turn.loseTransactions();
            throw e;
        }
    }

    private void serve() {
        while (!stopping || !abandoned && !tasks.areDone()) {
            if (stopping) {
                tasks.endBrowsing(new Rejection(ErrorCode.SERVER_BUSY, SHUTTING_DOWN + " Try again later."));
            }
            boolean worked = step();
            HungShards peers = others;
            if (!worked && !stopping) {
                long nextMs = nextWorkMs();
                long waitMs = nextMs == Long.MAX_VALUE ? nextMs : nextMs - clock.nowMs();
                if (waitMs > 0) {
                    long lookMs = peers == null ? Long.MAX_VALUE : HungShards.PAUSE_MS;
                    long nanos = Math.min(lookMs, Math.min(waitMs, clock.lookAgainMs())) * 1_000_000L;
                    mailbox.await(commitDelayed ? Math.min(nanos, delayEndNanos - clock.pauseNanos()) : nanos);
                }
            }
        }
    }

    /**
     * Runs a turn, and checks the other shards.
     *
     * @return whether there was anything to do
     */
    public boolean step() {
        busySinceMs = pauseMs();
        boolean worked = turn();
        busySinceMs = NOT_BUSY;
        HungShards peers = others;
        if (peers != null) {
            peers.lookAfterOthers(this, pauseMs());
        }
        return worked;
    }

    private long pauseMs() {
        return clock.pauseNanos() / 1_000_000;
    }

    /** Returns the time of the next work that needs no task, or {@link Long#MAX_VALUE}. For its thread. */
    public long nextWorkMs() {
        if (trouble == null) {
            return turn.nextTimerMs();
        }
        return suspended ? Long.MAX_VALUE : pause.endMs();
    }

    /**
     * Runs one turn: does everything that can be done now.
     *
     * @return whether there was anything to do
     */
    public boolean turn() {
        if (operator.isStopped()) {
            return stayStopped();
        }
        if (trouble != null) {
            if (!suspended && !pause.isOver(clock.nowMs())) {
                refuseAll();
                return false;
            }
            if (!recover()) {
                return true;
            }
        }
        operator.followed(false);
        SharedMoment shared = moment;
        if (shared != null) {
            leave(shared);
            shared.arrive();
        }
        watch.begin();
        try {
            turn.start(clock.nowMs());
            store.check();
            checkRoom();
            boolean ran = tasks.run(this::isBatchFull, watch::task, turn::finishTask);
            watch.end(TurnWatch.Step.TASKS);
            boolean worked = turn.work();
            if (!ran && !worked) {
                worked = turn.findHeads();
            }
            watch.end(TurnWatch.Step.WORK);
            if (!worked && mayDelayCommit()) {
                return ran;
            }
            worked |= ran;
            commit();
            meter.memory(turn.budget().contentBytes(), turn.budget().entries());
            turn.trimCaches();
            watch.end();
            return worked;
        } catch (StoreException e) {
            fail(e);
        } catch (StoreFault e) {
            turn.contain(e);
            fail(e.fault());
        } catch (RuntimeException e) {
            log(Level.ERROR)
                    .setCause(e)
                    .log("Shard {} hit an internal error and is reloading its state from the store.", index);
            fail(new StoreException(StoreException.Reason.IO, "The shard failed: " + e, e));
        }
        return true;
    }

    /**
     * Checks whether the disk has room. Runs in every turn, even an idle one, so that the shard detects new free space.
     */
    private void checkRoom() {
        boolean accepts = store.acceptsGrowth();
        if (accepts != acceptsGrowth) {
            acceptsGrowth = accepts;
            turn.acceptsGrowth(accepts);
            if (accepts) {
                log(Level.INFO)
                        .log(
                                "The {} of messaging store {} has free space again. Jitney accepts sends.",
                                store.medium(),
                                index);
            } else {
                log(Level.WARN).log("{} Jitney refuses sends until it has space.", fullness());
            }
        }
    }

    private boolean isBatchFull() {
        return batch.sizeBytes() > BATCH_BYTES_MAX;
    }

    private void refusePostponed() {
        tasks.refusePostponed(task -> refusal(task.needsCapacity()));
    }

    // --- commit and failure ---

    /** Returns whether the commit may be delayed: all its replies allow it, and the time limit is not reached. */
    private boolean mayDelayCommit() {
        if (turn.effects().count() == 0 || turn.effects().isUrgent() || batch.sizeBytes() > DELAYED_BYTES_MAX) {
            return false;
        }
        long nanos = clock.pauseNanos();
        if (!commitDelayed) {
            commitDelayed = true;
            delayEndNanos = nanos + DELAY_NANOS;
        }
        return nanos - delayEndNanos < 0;
    }

    /** Actions of the turn that reads need. A read commits only before it fails. */
    private final class ReadingTurn implements StoreRowReader.Turn {
        @Override
        public void writeSessions() {
            turn.writeSessions();
        }

        @Override
        public void commitBeforeFault() {
            commit();
        }
    }

    /** Makes everything applied so far durable and releases the effects that wait for it. */
    private void commit() {
        commitDelayed = false;
        boolean written = turn.writeTotals() || !batch.isEmpty();
        long batchNumber = turn.effects().batchNumber();
        if (written) {
            int rows = writer.takeRowCount();
            long bytes = batch.sizeBytes();
            long startNanos = System.nanoTime();
            try {
                store.commit(batch);
                pause.committed();
                watch.commits(rows, bytes);
                meter.committed(
                        System.nanoTime() - startNanos,
                        rows,
                        bytes,
                        turn.effects().count());
            } catch (StoreException e) {
                throw new StoreFault(e);
            } finally {
                batch.clear();
            }
        }
        if (turn.effects().count() > 0) {
            confirm(written);
        }
        watch.end(TurnWatch.Step.COMMIT);
        turn.settle(batchNumber);
        watch.end(TurnWatch.Step.RELEASE);
        if (written) {
            store.afterCommit();
            watch.end(TurnWatch.Step.INDEX);
        }
    }

    /**
     * Makes sure that this shard may still release effects that no commit covers, such as deliveries and answers about the state (CL-9).
     * A commit may have lasted longer than the lease.
     *
     * @param committed whether the turn has committed rows
     */
    private void confirm(boolean committed) {
        try {
            store.confirm();
        } catch (StoreException e) {
            if (committed) {
                turn.effects().releaseStored();
            }
            throw new StoreFault(e);
        }
    }

    private void fail(StoreException fault) {
        diskFull = fault.reason() == StoreException.Reason.DISK_FULL;
        String what =
                diskFull ? fullness() : "Messaging store " + index + " failed: " + DamagedEntities.sentence(fault);
        trouble = what;
        meter.failed();
        log(Level.ERROR).setCause(fault).log("{} Jitney refuses its requests until the store works again.", what);
        forget();
        pause.failed(clock.nowMs());
    }

    /** Drops the state in memory. */
    private void forget() {
        commitDelayed = false;
        turn.fail(refusal(true), refusal(false));
        refusePostponed();
        writer.clear();
    }

    private boolean stayStopped() {
        boolean first = !suspended;
        if (first) {
            suspended = true;
            boolean served = trouble == null;
            diskFull = false;
            trouble = "Messaging store " + index + " was stopped by an administrator.";
            log(Level.WARN).log("Messaging store {} was stopped by an administrator.", index);
            if (served) {
                forget();
            }
            turn.retryDamaged();
            store.suspend();
        }
        operator.followed(true);
        refuseAll();
        return first;
    }

    /**
     * Returns the refusal while the store does not work: quota exceeded for sends if the disk is full, server busy
     * otherwise.
     */
    private Rejection refusal(boolean needsCapacity) {
        return new Rejection(
                needsCapacity && diskFull ? ErrorCode.QUOTA_EXCEEDED : ErrorCode.SERVER_BUSY,
                trouble + " Try again later.");
    }

    /** Tries to reopen the store. Until it works, everything is refused with a retryable error. */
    private boolean recover() {
        suspended = false;
        try {
            store.reopen();
            turn.reload();
            trouble = null;
            log(Level.INFO).log("Messaging store {} works again.", index);
            runWaiting();
            return true;
        } catch (StoreException | RuntimeException e) {
            log(Level.DEBUG).setCause(e).log("Messaging store {} does not work yet.", index);
            trouble = "Messaging store " + index + " does not work yet: " + DamagedEntities.sentence(e);
            pause.notOpened(clock.nowMs());
            operator.followed(false);
            refuseAll();
            return false;
        }
    }

    /**
     * Runs an action as soon as the store works, which may be now. Any thread may call it.
     *
     * @param waiter identifies the waiting object; a second action replaces its first
     */
    public void whenServing(Object waiter, Runnable action) {
        waiting.put(waiter, action);
        if (isServing()) {
            runWaiting();
        }
    }

    /** Runs an action as soon as the store works after the next failure or stop. Any thread may call it. */
    public void whenServingAnew(Object waiter, Runnable action) {
        waiting.put(waiter, action);
    }

    private void runWaiting() {
        List<Object> waiters;
        synchronized (waiting) {
            waiters = List.copyOf(waiting.keySet());
        }
        for (Object waiter : waiters) {
            Runnable action = waiting.remove(waiter);
            if (action != null) {
                action.run();
            }
        }
    }

    /** Removes the action of a waiter. Any thread may call it. */
    public void stopWaiting(Object waiter) {
        waiting.remove(waiter);
    }

    /** Returns the number of the shard, from 0. */
    public int index() {
        return index;
    }

    /** Returns whether the store has room for more messages. Any thread may call it. */
    public boolean acceptsGrowth() {
        return acceptsGrowth;
    }

    private void refuseAll() {
        for (ShardTask task = mailbox.poll(); task != null; task = mailbox.poll()) {
            task.refuse(refusal(task.needsCapacity()));
        }
    }
}
