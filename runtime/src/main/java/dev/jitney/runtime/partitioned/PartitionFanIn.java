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
 * Fetches from a partitioned entity for all receivers that one connection has there: one receiver at each fragment (PART-12), and
 * the messages that nobody has asked for yet, which are given out next (PART-13). It outlives its receivers as its {@link
 * ConnectionReceivers} likes. It is one state machine with one lock; {@link FragmentedReceiver}, {@link PartitionReceiver}, {@link
 * PartitionDemand} and {@link PrefetchBuffer} are its parts, which have no locks of their own.
 *
 * <table>
 * <caption>Its states</caption>
 * <tr><th>state</th><th>is left when</th></tr>
 * <tr><td>new</td><td>the first receiver joins</td></tr>
 * <tr><td>attaching</td><td>all fragments have answered: attached if one of those that can answer agrees, else ended</td></tr>
 * <tr><td>attached</td><td>the home ends it, or the entity ends its receivers</td></tr>
 * <tr><td>ended</td><td>never: messages that are kept were given back, those that still come are given back as well</td></tr>
 * </table>
 *
 * <table>
 * <caption>Its events</caption>
 * <tr><th>event</th><th>comes on</th></tr>
 * <tr><td>{@link #join}, {@link #credit}, {@link #leave}</td><td>any thread: the owner of a receiver</td></tr>
 * <tr><td>{@link #end}, {@link #endIfIdle}</td><td>any thread: the connection</td></tr>
 * <tr><td>{@link #isWaiting}</td><td>the thread of any shard, which wants to know at once whether the entity is idle</td></tr>
 * <tr><td>{@link #comeBack}</td><td>the thread of the fragment's shard, or the one that has lost it</td></tr>
 * <tr><td>{@link #answered}, {@link #delivered}, {@link #drained}, {@link #lost}, {@link #closed}, {@link #handedOut}, {@link
 * #notHandedOut}</td><td>the executor of the connection: a fragment</td></tr>
 * </table>
 *
 * <p>Any thread may call it. Owners are told on the executor of the connection, in order.
 */
final class PartitionFanIn implements ConnectionReceivers.Prefetch {
    /*
     * Why there is a lock, where the rule is one thread and no locks: the events in the upper rows come on other threads than that of the
     * connection, and join, endIfIdle and isWaiting need their answers at once, so they cannot be left to its executor as tasks.
     *
     * Why it is enough: each event takes the lock before it touches anything, and all fields of the parts are read and written under it,
     * but for the news of a receiver, a concurrent queue that only the executor takes from. So events are atomic, in some order, and each
     * starts from the state in which the one before has left everything.
     *
     * Why it cannot block for ever: nobody calls an event who holds another lock of the runtime. Owners, connections and shards hold none;
     * ConnectionReceivers calls after it has let go of its own, and so does Shard with those who wait for it. Under the lock other locks
     * may be taken for a moment (by mailboxes that are closed, by Shard.stopWaiting), but never the other way round. Owners are told,
     * and ConnectionReceivers and Shard.whenServing are called, after it was let go. Only onDelivering is called under it, which counts
     * memory and may set the credit of this very receiver: the same thread may enter again. For this the executor has to run tasks later;
     * one that runs them on the spot, as in tests, is for one thread only.
     */

    private final ConnectionReceivers home;
    private final ServedEntity whole;

    /** Hears the numbers of receivers that have come to their end. */
    private final LongConsumer ended;

    private final SubQueue subQueue;
    private final List<PartitionReceiver> partitions = new ArrayList<>();
    private final List<FragmentedReceiver> receivers = new ArrayList<>(1);
    private final PrefetchBuffer kept = new PrefetchBuffer();
    private final PartitionDemand demand = new PartitionDemand(receivers, partitions);

    /** Those that are told when all fragments have answered. */
    private final List<ReplyListener> joining = new ArrayList<>(1);

    private State state = State.NEW;
    private int answers;
    private int agreed;
    private @Nullable Rejection refusal;

    /** The receiver that gets the next message, if it wants one. */
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

    // --- receivers come and go ---

    /**
     * Takes one more receiver. It is told when the fragments have answered; those that work are enough, others follow when
     * they work again.
     *
     * @return false if it has come to its end, and another one has to be asked
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

    /** A fragment has attached the receiver here, or says why not. */
    private void answered(@Nullable Rejection rejection) {
        boolean succeeded;
        List<ReplyListener> told;
        synchronized (this) {
            answers++;
            agreed += rejection == null ? 1 : 0;
            // What makes all refuse is told rather than what keeps one from answering.
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

    /** Whether a receiver wants messages now. */
    synchronized boolean isWaiting(FragmentedReceiver receiver) {
        return serves(receiver) && receiver.wanted() > 0;
    }

    private boolean serves(FragmentedReceiver receiver) {
        return state != State.ENDED && receivers.contains(receiver);
    }

    /** A receiver wants more, or less. */
    synchronized void credit(FragmentedReceiver receiver, Command.SetCredit credit) {
        receiver.setCredit(credit);
        wantsChanged();
    }

    /** A receiver goes. Messages that are kept stay for the next one, if the home says so. */
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

    /** Ends it if it has no receiver, and returns whether it has ended. */
    @Override
    public synchronized boolean endIfIdle() {
        if (receivers.isEmpty()) {
            end();
        }
        return state == State.ENDED;
    }

    /** Ends it. Its receivers are told nothing more. */
    @Override
    public synchronized void end() {
        state = State.ENDED;
        partitions.forEach(PartitionReceiver::detach);
        receivers.clear();
        kept.giveBackAll();
        partitions.forEach(PartitionReceiver::giveBackHeld);
    }

    /** The entity has ended the receiver at a fragment, as it will at the others. */
    private void closed(Rejection reason) {
        List<FragmentedReceiver> over;
        synchronized (this) {
            if (state == State.ATTACHING) {
                refusal = reason; // told with the answer, whatever the other fragments say
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

    /** Tells an owner that its receiver is over, after messages that are being removed for it: nobody else would get those. */
    private void closeIfDone(FragmentedReceiver receiver) {
        Rejection reason;
        synchronized (this) {
            reason = receiver.takeEnd();
        }
        if (reason != null) {
            receiver.tellClosed(reason);
        }
    }

    // --- fragments come and go ---

    /**
     * The receiver at a fragment has gone, or was never attached.
     *
     * @param reason if it is retryable, the locks of the fragment have gone as well; else they live on, and are given back with all
     *     others
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

    /** The store of a fragment works again. */
    synchronized void comeBack(PartitionReceiver partition) {
        if (state == State.ENDED || partition.isAttached()) {
            return;
        }
        partition.attach(rejection -> {
            if (rejection == null) {
                askAndTell();
            } else if (!rejection.code().retryable()) {
                closed(rejection); // what the entity became while the store was away
            } // else it comes back the next time
        });
    }

    /** The entity has ended the receiver at one fragment. */
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

    /** Tells all owners what there is to tell; on their executor. */
    private void tell() {
        List<FragmentedReceiver> all;
        synchronized (this) {
            all = List.copyOf(receivers);
        }
        all.forEach(FragmentedReceiver::tell);
    }

    // --- messages ---

    /** A fragment has locked a message. */
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
            handOn(fetched);
        }
        if (demand.isDraining() || demand.wanted() <= 0 || partition.outstanding() < demand.refillBelow()) {
            ask();
        }
    }

    /** A fragment has nothing more for a drain. */
    void drained(PartitionReceiver partition, long deliveryLimit) {
        synchronized (this) {
            partition.countDrained(deliveryLimit);
            ask();
        }
        tell();
    }

    /** A fragment has renewed the lock of a message that is handed out, or has removed it for good. */
    void handedOut(FragmentedReceiver receiver, FetchedMessage fetched, Reply reply) {
        synchronized (this) {
            fetched.part().unclaimed().forget(fetched.token());
            if (reply instanceof Reply.LocksRenewed renewed) {
                FetchedMessage fresh = fetched.renewed(renewed.lockedUntilMs()[0]);
                fetched.partition().endHandOut();
                boolean wanted = serves(receiver) && !fresh.isExpired(nowMs());
                receiver.endHandOut(wanted ? fresh.message() : null);
                goOnBehind(fetched.partition(), wanted ? null : fresh);
            } else {
                receiver.endHandOut(fetched.message().unlocked());
            }
        }
        afterHandOut(receiver);
    }

    /** A fragment has refused to renew the lock of a message that is handed out, or to remove it: the message comes again. */
    void notHandedOut(FragmentedReceiver receiver, FetchedMessage fetched, boolean renewal, Rejection rejection) {
        synchronized (this) {
            receiver.endHandOut(null);
            fetched.part().finish(fetched.token(), rejection);
            if (renewal) {
                fetched.partition().endHandOut();
            }
            goOnBehind(fetched.partition(), null);
        }
        afterHandOut(receiver);
    }

    private void afterHandOut(FragmentedReceiver receiver) {
        receiver.tell(); // even if it has left: it gets what was removed for it
        closeIfDone(receiver);
        askAndTell();
    }

    /**
     * Messages behind a hand-out go on. Its receiver may want one more again, which messages that are kept come for first.
     *
     * @param unwanted the message if its receiver does not get it any more, else null
     */
    private void goOnBehind(PartitionReceiver partition, @Nullable FetchedMessage unwanted) {
        if (unwanted != null && (state == State.ENDED || unwanted.isExpired(nowMs()))) {
            unwanted.giveBack();
        } else if (unwanted != null) {
            kept.add(unwanted); // for another receiver of the connection
        }
        giveOut();
        partition.takeHeld().forEach(this::handOn);
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

    /** Gives a message that has come to a receiver that wants it, or keeps it. */
    private void handOn(FetchedMessage fetched) {
        FragmentedReceiver next = nextThatWants();
        long nowMs = nowMs();
        if (next == null) {
            kept.add(fetched);
            kept.giveBackSurplus(nowMs);
        } else if (fetched.isExpired(nowMs)) {
            fetched.giveBack();
        } else {
            next.take(fetched, fetched.isFreshAsNew(nowMs));
        }
    }

    /** Gives out messages that are kept, as far as they are wanted, to one receiver after the other. */
    private void giveOut() {
        long nowMs = nowMs();
        FragmentedReceiver next = kept.isEmpty() ? null : nextThatWants();
        while (next != null) {
            FetchedMessage fetched = kept.take(nowMs);
            if (fetched == null) {
                return;
            }
            next.take(fetched, fetched.isFreshAsKept(nowMs));
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

    /** Asks the fragments for messages that are wanted and have not come. */
    private void ask() {
        if (state == State.ATTACHED) {
            demand.ask();
        }
    }
}
