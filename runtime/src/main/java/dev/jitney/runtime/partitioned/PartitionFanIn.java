package dev.jitney.runtime.partitioned;

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
 * What one connection fetches from a partitioned entity for all receivers it has there: one receiver at each fragment
 * (PART-12), and the messages that nobody has asked for yet, which are given out next (PART-13). It outlives its receivers as
 * its {@link ConnectionReceivers} likes.
 *
 * <table>
 * <caption>Its states</caption>
 * <tr><th>state</th><th>is left when</th></tr>
 * <tr><td>new</td><td>the first receiver joins</td></tr>
 * <tr><td>attaching</td><td>all fragments have answered: attached if one of those that can answer agrees, else ended</td></tr>
 * <tr><td>attached</td><td>the home ends it, or the entity ends its receivers</td></tr>
 * <tr><td>ended</td><td>never: what is kept was given back, what still comes is given back as well</td></tr>
 * </table>
 *
 * <p>Any thread may call it. It is the lock of its receivers and arms, too.
 */
final class PartitionFanIn implements ConnectionReceivers.Prefetch {
    private final ConnectionReceivers home;
    private final ServedEntity whole;

    /** Hears the numbers of receivers that have come to their end. */
    private final LongConsumer ended;

    private final SubQueue subQueue;
    private final List<PartitionReceiver> arms = new ArrayList<>();
    private final List<FragmentedReceiver> receivers = new ArrayList<>(1);
    private final PrefetchBuffer kept = new PrefetchBuffer();

    /** Those that are told when all fragments have answered. */
    private final List<ReplyListener> joining = new ArrayList<>(1);

    private State state = State.NEW;
    private int answers;
    private int agreed;
    private @Nullable Rejection refusal;

    /** What was last asked of a fragment with messages. */
    private long share;

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
        fragments.forEach(part -> arms.add(new PartitionReceiver(this, part)));
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
            for (PartitionReceiver arm : arms) {
                arm.attach(new ReplyListener() {
                    @Override
                    public void onReply(Reply done) {
                        answered(null);
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        answered(rejection);
                    }
                });
            }
        }
        return true;
    }

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
            if (answers < arms.size()) {
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
            ask();
            tell();
        } else {
            end();
            home.ended(this);
            Rejection why = Objects.requireNonNull(refusal);
            told.forEach(reply -> reply.onRejected(why));
        }
    }

    /** Whether a receiver is one of those it fetches for. */
    synchronized boolean serves(FragmentedReceiver receiver) {
        return state != State.ENDED && receivers.contains(receiver);
    }

    /** Whether a message may be handed out to a receiver now: neither has the receiver gone nor has the message expired. */
    boolean mayHandOut(FragmentedReceiver receiver, FetchedMessage fetched) {
        return serves(receiver) && !fetched.isExpired(nowMs());
    }

    /** A receiver goes. What is kept stays for the next one, if the home says so. */
    void leave(FragmentedReceiver receiver) {
        boolean idle;
        synchronized (this) {
            idle = receivers.remove(receiver) && receivers.isEmpty() && state != State.ENDED;
        }
        if (idle) {
            home.left(this);
        }
        wantsChanged();
    }

    /** Ends it if it has no receiver, and returns whether it has ended. */
    @Override
    public synchronized boolean endIfIdle() {
        if (receivers.isEmpty()) {
            end();
        }
        return isEnded();
    }

    /** Ends it. Its receivers are told nothing more. */
    @Override
    public synchronized void end() {
        state = State.ENDED;
        arms.forEach(PartitionReceiver::detach);
        receivers.clear();
        kept.giveBackAll();
        arms.forEach(PartitionReceiver::giveBackHeld);
    }

    synchronized boolean isEnded() {
        return state == State.ENDED;
    }

    /** The entity has ended the receiver at a fragment, as it will at the others. */
    void closed(Rejection reason) {
        List<FragmentedReceiver> over;
        synchronized (this) {
            if (state == State.ATTACHING) {
                refusal = reason; // told with the answer, whatever the other fragments say
            }
            if (state != State.ATTACHED) {
                return;
            }
            over = List.copyOf(receivers);
            end();
        }
        home.ended(this);
        for (FragmentedReceiver receiver : over) {
            ended.accept(receiver.receiverId());
            receiver.close(reason);
        }
    }

    /** Tells all owners what there is to tell; on their executor. */
    void tell() {
        List<FragmentedReceiver> all;
        synchronized (this) {
            all = List.copyOf(receivers);
        }
        all.forEach(FragmentedReceiver::tell);
    }

    // --- what is fetched ---

    /** Under the lock. */
    PrefetchBuffer kept() {
        return kept;
    }

    /** A fragment has locked a message. Under the lock. */
    void fetched(PartitionReceiver arm, MessageView message) {
        FetchedMessage fetched = new FetchedMessage(arm, message);
        if (state == State.ENDED) {
            fetched.giveBack();
            return;
        } else if (arm.isHandingOut()) {
            arm.hold(fetched);
        } else {
            handOn(fetched);
        }
        if (anyDrains() || wanted() <= 0 || arm.outstanding() < (share + 1) / 2) {
            ask();
        }
    }

    /** A receiver wants more, or less. */
    synchronized void wantsChanged() {
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

    /** Gives out what is kept, as far as it is wanted, to one receiver after the other. */
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

    /**
     * A fragment has answered a hand-out; what waits behind it goes on. Its receiver may want one more again, which what is
     * kept comes for first. Under the lock.
     *
     * @param unwanted the message if its receiver does not get it any more, else null
     */
    void handedOut(PartitionReceiver arm, @Nullable FetchedMessage unwanted) {
        if (unwanted != null && (state == State.ENDED || unwanted.isExpired(nowMs()))) {
            unwanted.giveBack();
        } else if (unwanted != null) {
            kept.add(unwanted); // for another receiver of the connection
        }
        giveOut();
        arm.takeHeld().forEach(this::handOn);
    }

    long nowMs() {
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

    // --- what is asked for ---

    /** What all of them want. */
    private long wanted() {
        long wanted = 0;
        for (FragmentedReceiver receiver : receivers) {
            wanted += Math.max(0, receiver.wanted());
        }
        for (PartitionReceiver arm : arms) {
            wanted -= arm.heldCount();
        }
        return wanted;
    }

    private boolean anyDrains() {
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining()) {
                return true;
            }
        }
        return false;
    }

    /** Asks the fragments for what is wanted and has not come. */
    synchronized void ask() {
        if (state != State.ATTACHED) {
            return;
        }
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining() && receiver.wanted() <= 0 && !receiver.isAwaitingMessages()) {
                receiver.drained();
            }
        }
        long wanted = wanted();
        if (wanted <= 0) {
            for (PartitionReceiver arm : arms) {
                arm.request(0, false);
                arm.forgetEmpty();
            }
        } else if (anyDrains()) {
            drain(wanted);
        } else {
            spread(wanted);
        }
    }

    /** Most over those that are known to have messages, one each over the others. */
    private void spread(long wanted) {
        int rich = 0;
        for (PartitionReceiver arm : arms) {
            rich += arm.isRich() ? 1 : 0;
        }
        share = (wanted + Math.max(1, rich) - 1) / Math.max(1, rich);
        for (PartitionReceiver arm : arms) {
            long mine = arm.isRich() ? share : 1;
            // Changed only when it matters, because each change is a task for the fragment.
            if (arm.outstanding() < (mine + 1) / 2 || arm.outstanding() > 2 * mine) {
                arm.request(mine, false);
            }
        }
    }

    /** Takes all there is, up to what is wanted, until no fragment has more. */
    private void drain(long wanted) {
        int left = 0;
        for (PartitionReceiver arm : arms) {
            if (arm.isDraining()) {
                return; // all that were asked answer first
            }
            left += arm.mayHaveMore() ? 1 : 0;
        }
        if (left > 0) {
            long each = (wanted + left - 1) / left;
            for (PartitionReceiver arm : arms) {
                if (arm.mayHaveMore()) {
                    arm.request(each, true);
                }
            }
            return;
        }
        if (arms.stream().anyMatch(arm -> arm.heldCount() > 0)) {
            return; // what waits behind a hand-out is given out first
        }
        boolean finished = true;
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining() && receiver.isAwaitingMessages()) {
                finished = false;
            } else if (receiver.isDraining()) {
                receiver.drained();
            }
        }
        if (finished) { // whoever does not drain goes on waiting
            arms.forEach(PartitionReceiver::forgetEmpty);
            ask();
        }
    }
}
