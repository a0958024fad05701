package dev.jitney.runtime.partitioned;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receiver at one fragment of those that a {@link PartitionFanIn} has, which comes back when the store of the fragment does.
 * Listens on the executor of the fanIn; all else is under its lock.
 */
final class PartitionReceiver implements ReceiverListener {
    private final PartitionFanIn fanIn;
    private final ServedEntity part;
    private @Nullable Receiver receiver;
    private long asked;
    private long got;
    private boolean drainAsked;

    /** Whether the fragment had nothing more when it was drained. */
    private boolean empty;

    /** Hand-outs of kept messages that the fragment has not answered. */
    private int handOuts;

    /** What came while there were such hand-outs, and so behind them: messages of a fragment keep their order. */
    private final List<FetchedMessage> held = new ArrayList<>(0);

    PartitionReceiver(PartitionFanIn fanIn, ServedEntity part) {
        this.fanIn = fanIn;
        this.part = part;
    }

    ServedEntity part() {
        return part;
    }

    SubQueue subQueue() {
        return fanIn.subQueue();
    }

    /** Attaches a receiver; hears null when there is one, or why there is none. */
    void attach(Consumer<@Nullable Rejection> answer) {
        asked = 0;
        got = 0;
        receiver = part.attachPart(subQueue(), ReceiveMode.PEEK_LOCK, fanIn.executor(), this, new ReplyListener() {
            @Override
            public void onReply(Reply done) {
                answer.accept(null);
            }

            @Override
            public void onRejected(Rejection rejection) {
                fanIn.lost(PartitionReceiver.this, rejection);
                answer.accept(rejection);
            }
        });
    }

    /** Whether there is a receiver at the fragment, or will be. */
    boolean isAttached() {
        return receiver != null;
    }

    /** The receiver at the fragment is no more. */
    void forgetReceiver() {
        receiver = null;
        drainAsked = false;
        empty = true;
    }

    /** The locks of messages that wait here have gone with the memory of their store. */
    void forgetHeld() {
        held.forEach(fetched -> part.unclaimed().forget(fetched.token()));
        held.clear();
    }

    /** Has the receiver come back when the store of the fragment works again; not under the lock. */
    void waitForShard(Rejection reason) {
        if (part.isDamaged()) {
            part.shard().whenServingAnew(this, () -> fanIn.comeBack(this));
        } else if (reason.code() == ErrorCode.DETACH_FORCED || !part.shard().isServing()) {
            part.shard().whenServing(this, () -> fanIn.comeBack(this));
        }
    }

    /** Ends the receiver at the fragment. */
    void detach() {
        part.shard().stopWaiting(this);
        Receiver current = receiver;
        receiver = null;
        if (current != null) {
            current.detach();
        }
    }

    // --- what waits behind a hand-out ---

    /** A kept message is handed out, when the fragment has answered. */
    void beginHandOut() {
        handOuts++;
    }

    void endHandOut() {
        handOuts--;
    }

    boolean isHandingOut() {
        return handOuts > 0;
    }

    /** A message came that has to wait. */
    void hold(FetchedMessage fetched) {
        part.unclaimed().addClaimed(fetched.token());
        held.add(fetched);
    }

    /** How many messages wait. */
    int heldCount() {
        return held.size();
    }

    /** What waits, if it need not wait any more. */
    List<FetchedMessage> takeHeld() {
        if (isHandingOut() || held.isEmpty()) {
            return List.of();
        }
        List<FetchedMessage> all = List.copyOf(held);
        held.clear();
        return all;
    }

    /** Gives back what waits. */
    void giveBackHeld() {
        held.forEach(FetchedMessage::giveBack);
        held.clear();
    }

    // --- what is asked of the fragment ---

    /** What was asked for and has not come. */
    long outstanding() {
        return asked - got;
    }

    /** Whether a drain is not answered yet. */
    boolean isDraining() {
        return drainAsked;
    }

    /** Whether the fragment may have something, as far as this drain has shown. */
    boolean mayHaveMore() {
        return receiver != null && !empty;
    }

    /** A new drain may begin. */
    void forgetEmpty() {
        empty = false;
    }

    /** Whether its fragment has more waiting than is asked of it anyway. */
    boolean isRich() {
        if (receiver == null) {
            return false;
        } else if (subQueue() == SubQueue.MAIN) {
            var counts = part.counts();
            return counts.active() - counts.locked() - counts.deferred() > 1;
        }
        return subQueue() == SubQueue.DEAD_LETTER
                ? part.counts().deadLetter() > 1
                : part.counts().transferDeadLetter() > 1;
    }

    /** Asks for so many more in all, or takes back what is too much. */
    void request(long more, boolean drain) {
        Receiver current = receiver;
        if (current != null && (asked != got + more || (drain && !drainAsked))) {
            asked = got + more;
            drainAsked = drain;
            empty = false;
            current.setCredit(asked, drain);
        }
    }

    @Override
    public boolean countsHere() {
        return false;
    }

    /** A message has come. */
    void count() {
        got++;
    }

    /** The fragment has nothing more for a drain, up to so many deliveries. */
    void countDrained(long deliveryLimit) {
        empty = got < deliveryLimit;
        got = Math.max(got, deliveryLimit);
        asked = Math.max(asked, got);
        drainAsked = false;
    }

    // --- what the fragment says, on the executor of the connection ---

    @Override
    public void onDelivered(MessageView message) {
        fanIn.delivered(this, message);
    }

    @Override
    public void onDrained(long deliveryLimit) {
        fanIn.drained(this, deliveryLimit);
    }

    @Override
    public void onClosed(Rejection reason) {
        fanIn.closed(this, reason);
    }
}
