package dev.jitney.runtime.shard.turn;

import dev.jitney.model.Rejection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue of tasks of a shard. Any thread puts, the shard's thread takes. What needs room is refused when too
 * much waits; what makes room (settlements, renewals, receivers going away) is always taken, and bounded by the locks
 * and receivers that exist.
 */
public final class Mailbox {

    private final ConcurrentLinkedQueue<ShardTask> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean sleeping = new AtomicBoolean();
    private final long bytesMax;
    private final int countMax;
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable Thread owner;
    private volatile @Nullable Rejection closed;

    /**
     * @param bytesMax bytes of messages that may wait before sends are refused
     * @param countMax tasks that may wait before sends are refused
     */
    public Mailbox(long bytesMax, int countMax) {
        this.bytesMax = bytesMax;
        this.countMax = countMax;
    }

    /** The thread that {@link #await} parks. */
    public void ownedBy(Thread thread) {
        owner = thread;
    }

    /** Puts a task that may be refused; false if too much waits already. */
    public boolean offer(ShardTask task) {
        if (bytes.get() > bytesMax || count.get() > countMax) {
            refused.increment();
            return false;
        }
        put(task);
        return true;
    }

    /** Puts a task that is always taken. */
    public void put(ShardTask task) {
        bytes.addAndGet(task.messageBytes());
        count.incrementAndGet();
        tasks.add(task);
        Rejection reason = closed;
        if (reason != null) {
            refuseAll(reason); // it may have missed close's own look by a moment
        } else if (sleeping.get()) {
            LockSupport.unpark(owner);
        }
    }

    /** Refuses what is here and what comes later: nobody runs tasks any more. */
    public void close(Rejection reason) {
        closed = reason;
        refuseAll(reason);
    }

    private void refuseAll(Rejection reason) {
        for (ShardTask task = poll(); task != null; task = poll()) {
            task.refuse(reason);
        }
    }

    public @Nullable ShardTask poll() {
        ShardTask task = tasks.poll();
        if (task != null) {
            bytes.addAndGet(-task.messageBytes());
            count.decrementAndGet();
        }
        return task;
    }

    /** A task that was taken out counts as one that waits, because its work is not done. */
    void keep(ShardTask task) {
        bytes.addAndGet(task.messageBytes());
        count.incrementAndGet();
    }

    /** A task that was {@linkplain #keep kept} counts no more. */
    void release(ShardTask task) {
        bytes.addAndGet(-task.messageBytes());
        count.decrementAndGet();
    }

    /** Has tasks go elsewhere that can, because nobody has run one for long. Any thread may call it. */
    public void moveOut(Rejection reason, int countMax) {
        int moved = 0;
        for (ShardTask task : tasks) {
            if (moved < countMax && task.isMovable() && tasks.remove(task)) {
                bytes.addAndGet(-task.messageBytes());
                count.decrementAndGet();
                moved++;
                task.refuse(reason);
            }
        }
    }

    /** Tasks that wait. */
    public int count() {
        return count.get();
    }

    /** Bytes of messages in the tasks that wait. */
    public long bytes() {
        return bytes.get();
    }

    /** Tasks that were refused because too much waited. */
    public long refused() {
        return refused.sum();
    }

    /** Whether no task waits. */
    public boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Waits until a task arrives, the time is over or {@link #wake} is called; may return early. */
    public void await(long nanos) {
        sleeping.set(true);
        try {
            if (tasks.isEmpty()) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            sleeping.set(false);
        }
    }

    /** Ends {@link #await}. Any thread may call it. */
    public void wake() {
        LockSupport.unpark(owner);
    }
}
