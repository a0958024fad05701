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
 * The queue of tasks of a shard. Any thread puts tasks, the shard's thread takes them. Tasks that add messages are
 * refused when too much waits. Tasks that free resources (settlements, lock renewals, detached receivers) are always
 * accepted; existing locks and receivers bound their number.
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
     * @param bytesMax bytes of waiting messages above which sends are refused
     * @param countMax number of waiting tasks above which sends are refused
     */
    public Mailbox(long bytesMax, int countMax) {
        this.bytesMax = bytesMax;
        this.countMax = countMax;
    }

    /** Sets the thread that {@link #await} parks. */
    public void ownedBy(Thread thread) {
        owner = thread;
    }

    /** Puts a task that may be refused. Returns false if too much waits already. */
    public boolean offer(ShardTask task) {
        if (bytes.get() > bytesMax || count.get() > countMax) {
            refused.increment();
            return false;
        }
        put(task);
        return true;
    }

    /** Puts a task that is always accepted. */
    public void put(ShardTask task) {
        bytes.addAndGet(task.messageBytes());
        count.incrementAndGet();
        tasks.add(task);
        Rejection reason = closed;
        if (reason != null) {
            refuseAll(reason); // close may have run before this task was added
        } else if (sleeping.get()) {
            LockSupport.unpark(owner);
        }
    }

    /** Refuses all waiting and later tasks, because the shard no longer runs tasks. */
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

    /** Counts a task that was taken out as waiting, because its work is not finished. */
    void keep(ShardTask task) {
        bytes.addAndGet(task.messageBytes());
        count.incrementAndGet();
    }

    /** Stops counting a task that was {@linkplain #keep kept}. */
    void release(ShardTask task) {
        bytes.addAndGet(-task.messageBytes());
        count.decrementAndGet();
    }

    /** Refuses the tasks that can be redirected, because the shard has not run any for long. Any thread may call it. */
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

    /** Returns the number of waiting tasks. */
    public int count() {
        return count.get();
    }

    /** Returns the bytes of messages in the waiting tasks. */
    public long bytes() {
        return bytes.get();
    }

    /** Returns the number of tasks refused because too much waited. */
    public long refused() {
        return refused.sum();
    }

    /** Returns whether no task waits. */
    public boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Waits until a task arrives, the time is over or {@link #wake} is called. May return early. */
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
