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
 * The receiver of a {@link PartitionFanIn} at one fragment. It attaches again when the store of the fragment works
 * again. Its listener runs on the executor of the fan-in; all else runs under the fan-in's lock.
 */
final class PartitionReceiver implements ReceiverListener {
    private final PartitionFanIn fanIn;
    private final ServedEntity part;
    private @Nullable Receiver receiver;
    private long asked;
    private long got;
    private boolean drainAsked;

    /** True if the last drain has emptied the fragment. */
    private boolean empty;

    /** The number of hand-outs of kept messages that the fragment has not answered. */
    private int handOuts;

    /**
     * The messages that arrived during such hand-outs and wait for them, because messages of a fragment keep their
     * order.
     */
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

    /** Attaches a receiver; the consumer receives null on success, or the reason of the failure. */
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

    /** Returns whether there is a receiver at the fragment, or will be. */
    boolean isAttached() {
        return receiver != null;
    }

    /** Drops the receiver at the fragment, which has ended. */
    void forgetReceiver() {
        receiver = null;
        drainAsked = false;
        empty = true;
    }

    /** Drops the waiting messages, whose locks were lost when their store restarted. */
    void forgetHeld() {
        held.forEach(fetched -> part.unclaimed().forget(fetched.token()));
        held.clear();
    }

    /** Attaches again when the store of the fragment works again; not under the lock. */
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

    // --- messages behind a hand-out ---

    /** Begins a hand-out, which ends with the fragment's answer. */
    void beginHandOut() {
        handOuts++;
    }

    void endHandOut() {
        handOuts--;
    }

    boolean isHandingOut() {
        return handOuts > 0;
    }

    /** Adds a message that must wait. */
    void hold(FetchedMessage fetched) {
        part.unclaimed().addClaimed(fetched.token());
        held.add(fetched);
    }

    /** Returns the number of waiting messages. */
    int heldCount() {
        return held.size();
    }

    /** Returns and removes the waiting messages if they need not wait any more. */
    List<FetchedMessage> takeHeld() {
        if (isHandingOut() || held.isEmpty()) {
            return List.of();
        }
        List<FetchedMessage> all = List.copyOf(held);
        held.clear();
        return all;
    }

    /** Releases the waiting messages. */
    void giveBackHeld() {
        held.forEach(FetchedMessage::giveBack);
        held.clear();
    }

    // --- requests to the fragment ---

    /** Returns the number of requested messages that have not arrived. */
    long outstanding() {
        return asked - got;
    }

    /** Returns whether a drain is in progress. */
    boolean isDraining() {
        return drainAsked;
    }

    /** Returns whether the current drain may still find messages at the fragment. */
    boolean mayHaveMore() {
        return receiver != null && !empty;
    }

    /** Prepares for a new drain. */
    void forgetEmpty() {
        empty = false;
    }

    /** Returns whether more than one message waits at the fragment. */
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

    /** Changes the outstanding credit to {@code more} messages. */
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

    /** Counts an arrived message. */
    void count() {
        got++;
    }

    /** Counts a finished drain, up to a number of deliveries. */
    void countDrained(long deliveryLimit) {
        empty = got < deliveryLimit;
        got = Math.max(got, deliveryLimit);
        asked = Math.max(asked, got);
        drainAsked = false;
    }

    // --- events of the fragment, on the executor of the connection ---

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
