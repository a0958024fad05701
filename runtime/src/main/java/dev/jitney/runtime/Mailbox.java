package dev.jitney.runtime;

import dev.jitney.model.Rejection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where edges leave commands for a shard. Any thread puts, the shard's thread takes. What needs room is refused when too
 * much waits; what makes room (settlements, renewals, receivers going away) is always taken, and bounded by the locks
 * and receivers that exist.
 */
final class Mailbox {

    /** Something for the shard to do on its thread. */
    interface Letter {

        /** Whether it adds messages, so that a full disk concerns it. */
        default boolean grows() {
            return false;
        }

        /** Bytes of messages in it. */
        default long messageBytes() {
            return 0;
        }

        /** Whether it may be {@linkplain #refuse refused} at any time, because it goes elsewhere then. */
        default boolean isMovable() {
            return false;
        }

        /**
         * What it has to be done in order with, if its work may have to wait for another turn of the shard ({@link
         * PostponedLetters}); null if it is done when its turn comes.
         */
        default @Nullable Object lane(ShardWork shard) {
            return null;
        }

        void open(ShardWork shard);

        /**
         * Opens it, or goes on with it, as far as the steps of the turn go.
         *
         * @return whether it is done; if not, it is to be called again in another turn
         */
        default boolean goOn(ShardWork shard) {
            open(shard);
            return true;
        }

        /** The shard is closed or failed and will not open it. */
        void refuse(Rejection reason);
    }

    private final ConcurrentLinkedQueue<Letter> letters = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean sleeping = new AtomicBoolean();
    private final long bytesMax;
    private final int countMax;
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable Thread owner;
    private volatile @Nullable Rejection closed;

    Mailbox(long bytesMax, int countMax) {
        this.bytesMax = bytesMax;
        this.countMax = countMax;
    }

    /** The thread that {@link #await} parks. */
    void ownedBy(Thread thread) {
        owner = thread;
    }

    /** Puts a letter that may be refused; false if too much waits already. */
    boolean offer(Letter letter) {
        if (bytes.get() > bytesMax || count.get() > countMax) {
            refused.increment();
            return false;
        }
        put(letter);
        return true;
    }

    /** Puts a letter that is always taken. */
    void put(Letter letter) {
        bytes.addAndGet(letter.messageBytes());
        count.incrementAndGet();
        letters.add(letter);
        Rejection reason = closed;
        if (reason != null) {
            refuseAll(reason); // it may have missed close's own look by a moment
        } else if (sleeping.get()) {
            LockSupport.unpark(owner);
        }
    }

    /** Refuses what is here and what comes later: nobody opens letters any more. */
    void close(Rejection reason) {
        closed = reason;
        refuseAll(reason);
    }

    private void refuseAll(Rejection reason) {
        for (Letter letter = poll(); letter != null; letter = poll()) {
            letter.refuse(reason);
        }
    }

    @Nullable
    Letter poll() {
        Letter letter = letters.poll();
        if (letter != null) {
            bytes.addAndGet(-letter.messageBytes());
            count.decrementAndGet();
        }
        return letter;
    }

    /** A letter that was taken out counts as one that waits, because its work is not done. */
    void keep(Letter letter) {
        bytes.addAndGet(letter.messageBytes());
        count.incrementAndGet();
    }

    /** A letter that was {@linkplain #keep kept} counts no more. */
    void release(Letter letter) {
        bytes.addAndGet(-letter.messageBytes());
        count.decrementAndGet();
    }

    /** Has letters go elsewhere that can, because nobody has opened one for long. Any thread may call it. */
    void moveOut(Rejection reason, int countMax) {
        int moved = 0;
        for (Letter letter : letters) {
            if (moved < countMax && letter.isMovable() && letters.remove(letter)) {
                bytes.addAndGet(-letter.messageBytes());
                count.decrementAndGet();
                moved++;
                letter.refuse(reason);
            }
        }
    }

    /** Letters that wait. */
    int count() {
        return count.get();
    }

    /** Bytes of messages in the letters that wait. */
    long bytes() {
        return bytes.get();
    }

    /** Letters that were refused because too much waited. */
    long refused() {
        return refused.sum();
    }

    boolean isEmpty() {
        return letters.isEmpty();
    }

    /** Waits until a letter arrives, the time is over or {@link #wake} is called; may return early. */
    void await(long nanos) {
        sleeping.set(true);
        try {
            if (letters.isEmpty()) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            sleeping.set(false);
        }
    }

    void wake() {
        LockSupport.unpark(owner);
    }
}
