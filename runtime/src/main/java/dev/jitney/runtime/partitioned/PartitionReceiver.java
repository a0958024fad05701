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
import org.jspecify.annotations.Nullable;

/**
 * The receiver at one fragment of those that a {@link PartitionFanIn} has, which comes back when the store of the fragment does.
 * Listens on the executor of the fetching; all else is under its lock.
 */
final class PartitionReceiver implements ReceiverListener {
    private final PartitionFanIn fetching;
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

    PartitionReceiver(PartitionFanIn fetching, ServedEntity part) {
        this.fetching = fetching;
        this.part = part;
    }

    ServedEntity part() {
        return part;
    }

    SubQueue subQueue() {
        return fetching.subQueue();
    }

    void attach(ReplyListener reply) {
        asked = 0;
        got = 0;
        receiver = part.attachPart(subQueue(), ReceiveMode.PEEK_LOCK, fetching.executor(), this, new ReplyListener() {
            @Override
            public void onReply(Reply done) {
                reply.onReply(done);
            }

            @Override
            public void onRejected(Rejection rejection) {
                lost(rejection);
                reply.onRejected(rejection);
            }
        });
    }

    private void lost(Rejection reason) {
        synchronized (fetching) {
            receiver = null;
            drainAsked = false;
            empty = true;
            if (reason.code().retryable()) {
                fetching.kept().drop(this);
                held.forEach(fetched -> part.unclaimed().forget(fetched.token()));
                held.clear();
            } // else the locks live on, and are given back with all others
        }
        if (part.isDamaged()) {
            part.shard().whenServingAnew(this, this::comeBack);
        } else if (reason.code() == ErrorCode.DETACH_FORCED || !part.shard().isServing()) {
            part.shard().whenServing(this, this::comeBack);
        }
    }

    /** The store of the fragment works again. */
    private void comeBack() {
        synchronized (fetching) {
            if (fetching.isEnded() || receiver != null) {
                return;
            }
            attach(new ReplyListener() {
                @Override
                public void onReply(Reply done) {
                    fetching.ask();
                    fetching.tell();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    if (!rejection.code().retryable()) {
                        fetching.closed(rejection); // what the entity became while the store was away
                    } // else it comes back the next time
                }
            });
        }
    }

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

    @Override
    public void onDelivered(MessageView message) {
        synchronized (fetching) {
            got++;
            fetching.fetched(this, message);
        }
        fetching.tell();
    }

    @Override
    public void onDrained(long deliveryLimit) {
        synchronized (fetching) {
            empty = got < deliveryLimit;
            got = Math.max(got, deliveryLimit);
            asked = Math.max(asked, got);
            drainAsked = false;
            fetching.ask();
        }
        fetching.tell();
    }

    @Override
    public void onClosed(Rejection reason) {
        lost(reason);
        if (reason.code().retryable()) {
            fetching.ask();
            fetching.tell();
        } else {
            fetching.closed(reason);
        }
    }
}
