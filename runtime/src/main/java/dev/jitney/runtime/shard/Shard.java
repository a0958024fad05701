package dev.jitney.runtime.shard;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.DamagedEntities;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.PostponedTasks;
import dev.jitney.runtime.shard.turn.ShardTask;
import dev.jitney.runtime.shard.turn.TurnSteps;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
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
 * One message broker with one messaging store: the thread that owns a set of queues and topics with their subscriptions.
 *
 * <p>A turn runs the tasks in the mailbox, does what is due, hands messages to receivers, commits all rows of that as one
 * batch, and only then lets replies and deliveries go. While it commits, the
 * next turn's tasks gather: that is the group commit. Without a load a turn is one task, so nothing waits, but for
 * {@linkplain ReplyListener#allowsDelay answers that nobody waits for}: their commit is delayed until something else is
 * committed, for two milliseconds at most.
 *
 * <p>{@link #turn()} may also be driven by the caller instead of a thread; tests do that.
 *
 * <p>If the store fails, the turn's effects fail with a retryable error, receivers are closed, memory is dropped and read
 * again from the store as soon as that works, which is tried as {@link RetryPause} says. An operator may stop the store: that
 * is the same, but that nothing is tried until it is started.
 */
public final class Shard {
    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

    private static final int TASKS_PER_TURN = 1_024;
    /** Bytes of a batch after which tasks, timers and deliveries of a turn each add no more. */
    static final long BATCH_BYTES_MAX = 4L << 20;

    private static final long HUNG_AFTER_MS = 10_000;
    private static final long NOT_BUSY = Long.MAX_VALUE;

    /** How long a commit is delayed at most whose answers nobody waits for. */
    private static final long DELAY_NANOS = 2_000_000;

    private static final long DELAYED_BYTES_MAX = 64L << 10;

    private final int index;
    private final MessagingStore store;
    private final Clock clock;
    private final BrokerOptions options;
    private final Mailbox mailbox;
    private final ShardMeter meter = new ShardMeter();
    private final RowBatch batch;
    private final StoreRowWriter writer;
    private final ShardTurn turn;
    private final PostponedTasks postponed;
    private final StoreSwitch operator = new StoreSwitch();
    private boolean diskFull;

    /** Whether a commit is delayed, because nobody waits for its answers. */
    private boolean commitDelayed;

    /** When the delay is over; see {@link Clock#pauseNanos}. */
    private long delayEndNanos;

    /** Whether the store was let go because the operator wants it so. */
    private boolean suspended;

    private final RetryPause pause = new RetryPause();
    private volatile boolean acceptsGrowth = true;

    /** Actions that wait for the store to work again, in the order in which they came. */
    private final Map<Object, Runnable> waiting = Collections.synchronizedMap(new LinkedHashMap<>());

    private volatile boolean stopping;

    /** Since when the turn under way lasts, milliseconds since the epoch. */
    private volatile long busySinceMs = NOT_BUSY;

    private @Nullable HungShards others;
    private volatile @Nullable String trouble;

    /** Whether a defect has ended the thread; only a restart of the process helps. */
    private volatile boolean ended;

    private @Nullable Thread thread;

    /** @param random where lock tokens and message ids come from */
    public Shard(int index, MessagingStore store, Clock clock, BrokerOptions options, Random random) {
        this.index = index;
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.mailbox = new Mailbox(options.mailboxBytesMax(), options.mailboxCommandsMax());
        TurnSteps steps = new TurnSteps();
        this.postponed = new PostponedTasks(mailbox, steps);
        this.batch = new RowBatch();
        this.writer = new StoreRowWriter(batch);
        this.turn = new ShardTurn(
                index, mailbox, steps, writer, new StoreRowReader(store, batch, new ReadingTurn()), options, random);
    }

    private LoggingEventBuilder log(Level level) {
        return LOG.atLevel(level).addKeyValue(LogKeys.SHARD, index);
    }

    /** The facts that decisions of its turns use; for its thread, and before it runs. */
    public ShardContext context() {
        return turn.context();
    }

    /** Creates, changes and removes its entities; for its thread, and before it runs. */
    public EntityLifecycle lifecycle() {
        return turn.lifecycle();
    }

    /** Does what clients ask its entities for; tasks in its mailbox call it, on its thread. */
    public ShardCommands commands() {
        return turn.commands();
    }

    /** The transactions it keeps; tasks in its mailbox call it, on its thread. */
    public Transactions transactions() {
        return turn.transactions();
    }

    /** Answers and deliveries that wait for its commit; for its thread. */
    Effects effects() {
        return turn.effects();
    }

    /**
     * Makes known where entities of all shards are, before the shard runs.
     *
     * @param shards the shard that keeps an entity, null for numbers of no shard
     */
    public void connect(LongFunction<@Nullable Shard> shards) {
        turn.forwarder().connect(entityId -> {
            Shard there = shards.apply(entityId);
            return there == null ? null : there.turn.forwarder();
        });
    }

    /** Has it look after the others, before it runs. */
    public void lookAfter(HungShards shards) {
        others = shards;
    }

    /** The tasks that wait for it. Any thread may put. */
    public Mailbox mailbox() {
        return mailbox;
    }

    /** Null while all is well. Any thread may ask. */
    public @Nullable String trouble() {
        String failed = trouble;
        if (failed != null) {
            return failed;
        }
        return acceptsGrowth ? null : "The disk of messaging store " + index + " is full; sends are refused.";
    }

    /** Which entities are out of service though the store works, and why; null if none is. Any thread may ask. */
    public @Nullable String damage() {
        return turn.damaged().summary();
    }

    /** How the shard and its store are doing. Any thread may ask. */
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

    /** Whether the store works. Any thread may ask. */
    public boolean isServing() {
        return trouble == null && !isHung();
    }

    /** Whether its turn has lasted so long that the store is not to be counted on (PART-41). Any thread may ask. */
    boolean isHung() {
        long since = busySinceMs;
        return since != NOT_BUSY && clock.nowMs() - since > HUNG_AFTER_MS;
    }

    /**
     * Stops the store as if its disk had gone, or starts it. Any thread may call it.
     *
     * @return completes when the store is let go, or has been tried; {@link #isServing} tells how that went
     */
    public CompletionStage<Void> operate(boolean stop) {
        CompletionStage<Void> followed = operator.turn(stop);
        mailbox.wake();
        return followed;
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

    /** Whether the store is there, before the shard runs. If not, what it has shown of its entities may lag behind. */
    public boolean isThere() {
        try {
            store.check();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** Starts its thread. */
    public void start() {
        Thread t = new Thread(this::run, "jitney-shard-" + index);
        thread = t;
        mailbox.ownedBy(t);
        t.start();
    }

    /** Commits what waits and ends the thread; tasks that come later are refused. */
    public void stop() {
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
        if (trouble == null) {
            writeFinalState();
        }
        trouble = "The server is shutting down.";
        diskFull = false;
        operator.end();
        mailbox.close(refusal(false));
        refusePostponed();
        batch.close();
    }

    /** Makes durable what a start needs to know and was not worth a commit before. */
    private void writeFinalState() {
        try {
            turn.start(clock.nowMs());
            turn.stop();
            commit();
        } catch (RuntimeException e) { // the others are to be stopped nevertheless
            log(Level.WARN).setCause(e).log("Messaging store {} took nothing more when its shard was stopped.", index);
        }
    }

    private void run() {
        try {
            serve();
        } catch (Throwable e) {
            // Out of memory or worse: nothing more can be promised here, and health has to say so.
            log(Level.ERROR)
                    .setCause(e)
                    .log("Shard {} has ended; restart the server to have its queues served.", index);
            diskFull = false;
            ended = true;
            trouble = "Shard " + index + " has ended: " + e + ". Restart the server.";
            operator.end();
            mailbox.close(refusal(false));
            refusePostponed();
            throw e;
        }
    }

    private void serve() {
        while (!stopping || !mailbox.isEmpty() || !postponed.isEmpty()) {
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
     * A turn, and a look after the others.
     *
     * @return whether there was anything to do
     */
    public boolean step() {
        busySinceMs = clock.nowMs();
        boolean worked = turn();
        busySinceMs = NOT_BUSY;
        HungShards peers = others;
        if (peers != null) {
            peers.lookAfterOthers(this, clock.nowMs());
        }
        return worked;
    }

    /** When there is something to do without a task, {@link Long#MAX_VALUE} if never. For its thread. */
    public long nextWorkMs() {
        if (trouble == null) {
            return turn.nextTimerMs();
        }
        return suspended ? Long.MAX_VALUE : pause.endMs();
    }

    /**
     * Does everything that can be done now.
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
        try {
            turn.start(clock.nowMs());
            store.check();
            checkRoom();
            boolean ran = runTasks();
            boolean worked = turn.work();
            if (!ran && !worked) {
                worked = turn.findHeads();
            }
            if (!worked && mayDelayCommit()) {
                return ran;
            }
            worked |= ran;
            commit();
            meter.memory(turn.budget().contentBytes(), turn.budget().entries());
            turn.trimCaches();
            return worked;
        } catch (StoreException e) {
            fail(e);
        } catch (StoreFault e) {
            turn.contain(e);
            fail(e.fault());
        } catch (RuntimeException e) {
            log(Level.ERROR)
                    .setCause(e)
                    .log("Shard {} failed because of a defect; its memory is read again from the store.", index);
            fail(new StoreException(StoreException.Reason.IO, "The shard failed: " + e, e));
        }
        return true;
    }

    /** Asked in every turn, idle ones too: that is how the store notices that there is room again. */
    private void checkRoom() {
        boolean accepts = store.acceptsGrowth();
        if (accepts != acceptsGrowth) {
            acceptsGrowth = accepts;
            turn.acceptsGrowth(accepts);
            if (accepts) {
                log(Level.INFO).log("Messaging store {} has room again; sends are accepted.", index);
            } else {
                log(Level.WARN)
                        .log("The disk of messaging store {} is full; sends are refused until there is room.", index);
            }
        }
    }

    private boolean runTasks() {
        boolean ran = postponed.resume(this::isBatchFull, turn::finishTask);
        for (int i = 0; i < TASKS_PER_TURN; i++) {
            ShardTask task = isBatchFull() ? null : mailbox.poll();
            if (task == null) {
                return ran || i > 0;
            }
            postponed.run(task);
            turn.finishTask();
        }
        return true;
    }

    private boolean isBatchFull() {
        return batch.sizeBytes() > BATCH_BYTES_MAX;
    }

    private void refusePostponed() {
        postponed.refuseAll(task -> refusal(task.needsCapacity()));
    }

    // --- commit and failure ---

    /** Whether the commit may be delayed: nobody waits for its answers, and it has not been delayed for long. */
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

    /** What reads ask of the turn; none of them commits unless it fails. */
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

    /** Makes everything applied so far durable and lets go what waited for it. */
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
        turn.settle(batchNumber);
        if (written) {
            store.afterCommit();
        }
    }

    private void fail(StoreException fault) {
        diskFull = fault.reason() == StoreException.Reason.DISK_FULL;
        String what = diskFull
                ? "The disk of messaging store " + index + " is full."
                : "Messaging store " + index + " failed: " + DamagedEntities.sentence(fault);
        trouble = what;
        meter.failed();
        log(Level.ERROR).setCause(fault).log("{} Requests are refused until it works again.", what);
        forget();
        pause.failed(clock.nowMs());
    }

    /** What is in memory counts no more. */
    private void forget() {
        commitDelayed = false;
        turn.fail(refusal(true), refusal(false));
        refusePostponed();
        batch.clear();
        writer.takeRowCount();
    }

    private boolean stayStopped() {
        boolean first = !suspended;
        if (first) {
            suspended = true;
            boolean served = trouble == null;
            diskFull = false;
            trouble = "Messaging store " + index + " was stopped by an administrator.";
            log(Level.WARN).log("Messaging store {} is stopped by an administrator.", index);
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

    /** What requests hear while the store does not work: sends that the disk is full, if it is, others to try again. */
    private Rejection refusal(boolean needsCapacity) {
        return new Rejection(
                needsCapacity && diskFull ? ErrorCode.QUOTA_EXCEEDED : ErrorCode.SERVER_BUSY,
                trouble + " Try again later.");
    }

    /** Tries to get the store back; meanwhile everything is refused with a retryable error. */
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
     * Has something done as soon as the store works, which may be now. Any thread may call it.
     *
     * @param waiter who waits, once
     */
    public void whenServing(Object waiter, Runnable action) {
        waiting.put(waiter, action);
        if (isServing()) {
            runWaiting();
        }
    }

    /** Has something done as soon as the store works after the next failure or stop. Any thread may call it. */
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

    /** Somebody does not wait any more. Any thread may call it. */
    public void stopWaiting(Object waiter) {
        waiting.remove(waiter);
    }

    /** Its number, from 0. */
    public int index() {
        return index;
    }

    /** Whether the store has room for more messages. Any thread may ask. */
    public boolean acceptsGrowth() {
        return acceptsGrowth;
    }

    private void refuseAll() {
        for (ShardTask task = mailbox.poll(); task != null; task = mailbox.poll()) {
            task.refuse(refusal(task.needsCapacity()));
        }
    }
}
