package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches messages from a partitioned entity for all receivers that one connection has on it. It has one receiver
 * at each fragment (PART-12), and keeps the messages without a receiver for the next delivery (PART-13). Its
 * {@link ConnectionReceivers} decides how long it outlives its receivers. It is one state machine with one lock;
 * {@link FragmentedReceiver}, {@link PartitionReceiver}, {@link PartitionDemand} and {@link PrefetchBuffer} are its
 * parts, which have no locks of their own.
 *
 * <table>
 * <caption>Its states</caption>
 * <tr><th>state</th><th>is left when</th></tr>
 * <tr><td>new</td><td>the first receiver joins</td></tr>
 * <tr><td>attaching</td><td>all fragments have answered: then attached if at least one available fragment agrees,
 * otherwise ended</td></tr>
 * <tr><td>attached</td><td>the home ends it, or the entity ends its receivers</td></tr>
 * <tr><td>ended</td><td>never: kept messages were returned to their fragments, and later ones are returned
 * too</td></tr>
 * </table>
 *
 * <table>
 * <caption>Its events</caption>
 * <tr><th>event</th><th>thread</th></tr>
 * <tr><td>{@link #join}, {@link #credit}, {@link #leave}</td><td>any thread: the owner of a receiver</td></tr>
 * <tr><td>{@link #end}, {@link #endIfIdle}</td><td>any thread: the connection</td></tr>
 * <tr><td>{@link #isWaiting}</td><td>the thread of any shard, which needs an immediate answer whether the entity is
 * idle</td></tr>
 * <tr><td>{@link #comeBack}</td><td>the thread of the fragment's shard, or the thread that has lost it</td></tr>
 * <tr><td>{@link #answered}, {@link #delivered}, {@link #drained}, {@link #lost}, {@link #closed}, {@link #handedOut}, {@link
 * #notHandedOut}</td><td>the executor of the connection: a fragment</td></tr>
 * </table>
 *
 * <p>Any thread may call it. Listeners are called on the executor of the connection, in order.
 */
final class PartitionFanIn implements ConnectionReceivers.Prefetch {
    /*
     * The rule is one thread and no locks. This class needs a lock: the events in the upper rows come on other
     * threads than the connection's. And join, endIfIdle and isWaiting need an immediate answer, so they cannot be
     * tasks of its executor.
     *
     * Correctness: each event takes the lock before it reads or writes anything, and all fields of the parts are
     * accessed under it. The one exception is the queue of a receiver's listener calls, which is concurrent and which
     * only the executor empties. Events are therefore atomic and run one after the other.
     *
     * Absence of deadlocks: no caller of an event holds another lock of the runtime. Owners, connections and
     * shards hold none; ConnectionReceivers calls after releasing its own lock, and so does Shard.whenServing. Under
     * the lock, other locks may be taken briefly (by mailboxes that are closed, by Shard.stopWaiting), but never in
     * the opposite order. Listeners, ConnectionReceivers and Shard.whenServing are called after the lock was
     * released. Only onDelivering is called under it. It accounts memory and may set the credit of the same receiver,
     * which is safe because the lock is reentrant. The executor must therefore run tasks later; an executor that runs
     * them immediately, as in tests, works with one thread only.
     */

    private final ConnectionReceivers home;
    private final ServedEntity whole;

    /** Receives the numbers of receivers that have ended. */
    private final LongConsumer ended;

    private final SubQueue subQueue;
    private final List<PartitionReceiver> partitions = new ArrayList<>();
    private final List<FragmentedReceiver> receivers = new ArrayList<>(1);
    private final PrefetchBuffer kept = new PrefetchBuffer();
    private final PartitionDemand demand = new PartitionDemand(receivers, partitions);

    /** The listeners that wait until all fragments have answered. */
    private final List<ReplyListener> joining = new ArrayList<>(1);

    private State state = State.NEW;
    private int answers;
    private int agreed;
    private @Nullable Rejection refusal;

    /** The index of the receiver that gets the next message, if it has credit. */
    private int turn;

    private enum State {
        NEW,
        ATTACHING,
        ATTACHED,
        ENDED
    }

    PartitionFanIn(
            ConnectionReceivers home,
            ServedEntity whole,
            List<ServedEntity> fragments,
            SubQueue subQueue,
            LongConsumer ended) {
        this.home = home;
        this.whole = whole;
        this.ended = ended;
        this.subQueue = subQueue;
        fragments.forEach(part -> partitions.add(new PartitionReceiver(this, part)));
    }

    @Override
    public ServedEntity whole() {
        return whole;
    }

    @Override
    public SubQueue subQueue() {
        return subQueue;
    }

    Executor executor() {
        return home.executor();
    }

    // --- receivers attach and detach ---

    /**
     * Adds a receiver. Its listener is called when all fragments have answered. One available fragment is enough; the
     * others are attached when they work again.
     *
     * @return false if this fan-in has ended, and the caller must use another one
     */
    synchronized boolean join(FragmentedReceiver receiver, ReplyListener reply) {
        if (state == State.ENDED) {
            return false;
        }
        receivers.add(receiver);
        if (state == State.ATTACHED) {
            executor().execute(() -> reply.onReply(Reply.Done.INSTANCE));
            return true;
        }
        joining.add(reply);
        if (state == State.NEW) {
            state = State.ATTACHING;
            for (PartitionReceiver partition : partitions) {
                partition.attach(this::answered);
            }
        }
        return true;
    }

    /** Processes a fragment's answer to attaching. */
    private void answered(@Nullable Rejection rejection) {
        boolean succeeded;
        List<ReplyListener> told;
        synchronized (this) {
            answers++;
            agreed += rejection == null ? 1 : 0;
            // A reason that applies to all fragments is better than one that keeps a single fragment from answering.
            if (rejection != null && (refusal == null || !rejection.code().retryable())) {
                refusal = rejection;
            }
            if (answers < partitions.size()) {
                return;
            }
            succeeded = agreed > 0 && (refusal == null || refusal.code().retryable());
            told = List.copyOf(joining);
            joining.clear();
            if (succeeded && state == State.ATTACHING) {
                state = State.ATTACHED;
            }
        }
        if (succeeded) {
            told.forEach(reply -> reply.onReply(Reply.Done.INSTANCE));
            askAndTell();
        } else {
            end();
            home.ended(this);
            Rejection why = Objects.requireNonNull(refusal);
            told.forEach(reply -> reply.onRejected(why));
        }
    }

    /** Returns whether a receiver waits for messages now. */
    synchronized boolean isWaiting(FragmentedReceiver receiver) {
        return serves(receiver) && receiver.wanted() > 0;
    }

    private boolean serves(FragmentedReceiver receiver) {
        return state != State.ENDED && receivers.contains(receiver);
    }

    /** Changes the credit of a receiver. */
    synchronized void credit(FragmentedReceiver receiver, Command.SetCredit credit) {
        receiver.setCredit(credit);
        wantsChanged();
    }

    /** Removes a receiver. Kept messages stay for the next receiver if the home still keeps this prefetch. */
    void leave(FragmentedReceiver receiver) {
        boolean idle;
        synchronized (this) {
            idle = receivers.remove(receiver) && receivers.isEmpty() && state != State.ENDED;
        }
        if (idle) {
            home.left(this);
        }
        synchronized (this) {
            wantsChanged();
        }
    }

    /** Ends the prefetch if it has no receiver, and returns whether it has ended. */
    @Override
    public synchronized boolean endIfIdle() {
        if (receivers.isEmpty()) {
            end();
        }
        return state == State.ENDED;
    }

    /** Ends the prefetch. Its receivers' listeners are not called any more. */
    @Override
    public synchronized void end() {
        state = State.ENDED;
        partitions.forEach(PartitionReceiver::detach);
        receivers.clear();
        kept.giveBackAll();
        partitions.forEach(PartitionReceiver::giveBackHeld);
    }

    /** Ends all receivers, because the entity has ended the receiver at a fragment and will end the others too. */
    private void closed(Rejection reason) {
        List<FragmentedReceiver> over;
        synchronized (this) {
            if (state == State.ATTACHING) {
                refusal = reason; // reported to the owner, regardless of the other fragments' answers
            }
            if (state != State.ATTACHED) {
                return;
            }
            over = List.copyOf(receivers);
            over.forEach(receiver -> receiver.endWith(reason));
            end();
        }
        home.ended(this);
        for (FragmentedReceiver receiver : over) {
            ended.accept(receiver.receiverId());
            receiver.tell();
            closeIfDone(receiver);
        }
    }

    /**
     * Notifies an owner that its receiver has ended, after the messages that are being completed for it: no other
     * receiver would get those.
     */
    private void closeIfDone(FragmentedReceiver receiver) {
        Rejection reason;
        synchronized (this) {
            reason = receiver.takeEnd();
        }
        if (reason != null) {
            receiver.tellClosed(reason);
        }
    }

    // --- fragments become available and unavailable ---

    /**
     * Processes the end of the receiver at a fragment, or a failure to attach it.
     *
     * @param reason if it is retryable, the fragment has lost its locks too; otherwise the locks stay valid, and are
     *               returned with all others
     */
    void lost(PartitionReceiver partition, Rejection reason) {
        synchronized (this) {
            partition.forgetReceiver();
            if (reason.code().retryable()) {
                kept.drop(partition);
                partition.forgetHeld();
            }
        }
        partition.waitForShard(reason);
    }

    /** Attaches again at a fragment whose store works again. */
    synchronized void comeBack(PartitionReceiver partition) {
        if (state == State.ENDED || partition.isAttached()) {
            return;
        }
        partition.attach(rejection -> {
            if (rejection == null) {
                askAndTell();
            } else if (!rejection.code().retryable()) {
                closed(rejection); // the entity changed while the store was not available
            } // otherwise the next restart of the store attaches it
        });
    }

    /** Processes the end of the receiver at one fragment by its entity. */
    void closed(PartitionReceiver partition, Rejection reason) {
        lost(partition, reason);
        if (reason.code().retryable()) {
            askAndTell();
        } else {
            closed(reason);
        }
    }

    private void askAndTell() {
        synchronized (this) {
            ask();
        }
        tell();
    }

    /** Makes all pending listener calls; on the owners' executor. */
    private void tell() {
        List<FragmentedReceiver> all;
        synchronized (this) {
            all = List.copyOf(receivers);
        }
        all.forEach(FragmentedReceiver::tell);
    }

    // --- messages ---

    /** Processes a message that a fragment has locked. */
    void delivered(PartitionReceiver partition, MessageView message) {
        synchronized (this) {
            partition.count();
            fetched(partition, new FetchedMessage(partition, message));
        }
        tell();
    }

    private void fetched(PartitionReceiver partition, FetchedMessage fetched) {
        if (state == State.ENDED) {
            fetched.giveBack();
            return;
        } else if (partition.isHandingOut()) {
            partition.hold(fetched);
        } else {
            handOn(fetched, true);
        }
        if (demand.isDraining() || demand.wanted() <= 0 || partition.outstanding() < demand.refillBelow()) {
            ask();
        }
    }

    /** Processes the end of a drain at a fragment. */
    void drained(PartitionReceiver partition, long deliveryLimit) {
        synchronized (this) {
            partition.countDrained(deliveryLimit);
            ask();
        }
        tell();
    }

    /** Processes the renewed lock or the completion of a message that is handed out. */
    void handedOut(FragmentedReceiver receiver, FetchedMessage fetched, Reply reply) {
        synchronized (this) {
            fetched.part().unclaimed().forget(fetched.token());
            if (reply instanceof Reply.LocksRenewed renewed) {
                FetchedMessage fresh = fetched.renewed(renewed.lockedUntilMs()[0]);
                fetched.partition().endHandOut();
                boolean wanted = serves(receiver) && !fresh.isExpired(nowMs());
                receiver.endHandOut(wanted ? fresh.message() : null);
                goOnBehind(fetched.partition(), wanted ? null : fresh, true);
            } else {
                receiver.endHandOut(fetched.message().unlocked());
            }
        }
        afterHandOut(receiver);
    }

    /** Processes the refusal of a renewal or completion before a delivery. The message will be delivered again. */
    void notHandedOut(FragmentedReceiver receiver, FetchedMessage fetched, boolean renewal, Rejection rejection) {
        synchronized (this) {
            receiver.endHandOut(null);
            fetched.part().finish(fetched.token(), rejection);
            if (renewal) {
                fetched.partition().endHandOut();
            }
            goOnBehind(fetched.partition(), null, !rejection.code().retryable());
        }
        afterHandOut(receiver);
    }

    private void afterHandOut(FragmentedReceiver receiver) {
        receiver.tell(); // even if it has detached: it gets the message that was completed for it
        closeIfDone(receiver);
        askAndTell();
    }

    /**
     * Continues with the messages behind a hand-out. The receiver may have credit again; kept messages go first.
     *
     * @param unwanted  the message if its receiver cannot get it any more, otherwise null
     * @param confirmed whether the fragment works; if not, its locks may be void (CL-9)
     */
    private void goOnBehind(PartitionReceiver partition, @Nullable FetchedMessage unwanted, boolean confirmed) {
        if (unwanted != null && (state == State.ENDED || unwanted.isExpired(nowMs()))) {
            unwanted.giveBack();
        } else if (unwanted != null) {
            kept.add(unwanted); // for another receiver of the connection
        }
        giveOut();
        partition.takeHeld().forEach(fetched -> handOn(fetched, confirmed));
    }

    private void wantsChanged() {
        if (state == State.ENDED) {
            return;
        }
        giveOut();
        ask();
        if (receivers.stream().anyMatch(FragmentedReceiver::hasNews)) {
            executor().execute(this::tell);
        }
    }

    /**
     * Passes a new message to a receiver with credit, or keeps it.
     *
     * @param confirmed whether the fragment has confirmed its locks just now
     */
    private void handOn(FetchedMessage fetched, boolean confirmed) {
        FragmentedReceiver next = nextThatWants();
        long nowMs = nowMs();
        if (next == null) {
            kept.add(fetched);
            kept.giveBackSurplus(nowMs);
        } else if (fetched.isExpired(nowMs)) {
            fetched.giveBack();
        } else {
            next.take(fetched, confirmed && fetched.isFreshAsNew(nowMs));
        }
    }

    /** Delivers kept messages to receivers with credit, round-robin. */
    private void giveOut() {
        long nowMs = nowMs();
        FragmentedReceiver next = kept.isEmpty() ? null : nextThatWants();
        while (next != null) {
            FetchedMessage fetched = kept.take(nowMs);
            if (fetched == null) {
                return;
            }
            boolean confirmed = fetched.part().shard().mayDeliver();
            next.take(fetched, confirmed && fetched.isFreshAsKept(nowMs));
            next = kept.isEmpty() ? null : nextThatWants();
        }
        if (!kept.isEmpty()) {
            kept.giveBackSurplus(nowMs);
        }
    }

    private long nowMs() {
        return whole.namespace().nowMs();
    }

    private @Nullable FragmentedReceiver nextThatWants() {
        for (int i = 0; i < receivers.size(); i++) {
            turn = turn + 1 < receivers.size() ? turn + 1 : 0;
            FragmentedReceiver next = receivers.get(turn);
            if (next.wanted() > 0) {
                return next;
            }
        }
        return null;
    }

    /** Requests the missing messages from the fragments. */
    private void ask() {
        if (state == State.ATTACHED) {
            demand.ask();
        }
    }
}
