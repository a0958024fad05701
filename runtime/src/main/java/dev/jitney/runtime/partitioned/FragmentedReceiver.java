package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of a partitioned entity: what it wants, and what it has got. Its {@link PartitionFanIn} brings the messages.
 *
 * <p>Fragments always deliver under a lock. For a receiver that takes messages for good each is completed before it is given
 * out, so that none is lost that nobody has seen. The lock of a message that was kept is renewed before that is given out.
 *
 * <p>Any thread may call it; the listener is called on the executor of its home, in order. It has no lock of its own: all that changes it is an
 * event of the fan-in.
 */
final class FragmentedReceiver implements WholeReceiver {
    private final PartitionFanIn fanIn;
    private final Command.AttachReceiver command;
    private final ReceiverListener listener;

    /** What the owner is still to be told, in order; only its executor takes something out. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** Deliveries wanted in all, and made. */
    private long limit;

    private long delivered;

    /** Messages whose locks are being renewed, or which are being removed, before they are given out. */
    private int underway;

    /** Why it is over, while messages are underway that come first; null if it is not, or its owner knows. */
    private @Nullable Rejection end;

    private boolean draining;
    private boolean receivedSinceCredit;

    FragmentedReceiver(PartitionFanIn fanIn, Command.AttachReceiver command, ReceiverListener listener) {
        this.fanIn = fanIn;
        this.command = command;
        this.listener = listener;
    }

    @Override
    public long receiverId() {
        return command.receiverId();
    }

    /** Returns whether it could; not if the fanIn has come to its end. */
    boolean attach(ReplyListener reply) {
        return fanIn.join(this, reply);
    }

    @Override
    public boolean isWaiting() {
        return fanIn.isWaiting(this);
    }

    @Override
    public void credit(Command.SetCredit credit) {
        fanIn.credit(this, credit);
    }

    @Override
    public void detach() {
        fanIn.leave(this);
    }

    /** Whether there is something to tell. */
    boolean hasNews() {
        return !news.isEmpty();
    }

    /** Tells the owner what there is to tell; on its executor. */
    void tell() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
        }
    }

    /** Tells the owner that it is over; on its executor. */
    void tellClosed(Rejection reason) {
        listener.onClosed(reason);
    }

    // --- all below under the lock of the fan-in ---

    /** The owner wants so many. */
    void setCredit(Command.SetCredit credit) {
        if (limit <= delivered) {
            receivedSinceCredit = false;
        }
        limit = credit.deliveryLimit();
        draining = credit.drain();
    }

    /** It is over; the owner is told after messages that are being handed out. */
    void endWith(Rejection reason) {
        end = reason;
    }

    /** Why it is over, once, if the owner may be told now; else null. */
    @Nullable
    Rejection takeEnd() {
        if (underway > 0) {
            return null;
        }
        Rejection reason = end;
        end = null;
        return reason;
    }

    /** How many more it wants; negative if it has more than it wants. */
    long wanted() {
        return limit - delivered - underway;
    }

    boolean isDraining() {
        return draining;
    }

    /** Whether messages are on their way to it. */
    boolean isAwaitingMessages() {
        return underway > 0;
    }

    /** There is nothing more for it, or it wants nothing more. */
    void drained() {
        draining = false;
        if (!receivedSinceCredit && delivered < limit) {
            fanIn.whole().countEmptyReceive();
        }
        delivered = Math.max(delivered, limit);
        long at = limit;
        news.add(() -> listener.onDrained(at));
    }

    /**
     * Gets a message that no other receiver will get.
     *
     * <p>A lock that was taken a while ago is renewed first, or the message goes back (PART-13). So is one of a fragment whose
     * messages before it are being handed out, so that they keep their order.
     *
     * @param fresh whether its lock need not be renewed
     */
    void take(FetchedMessage fetched, boolean fresh) {
        if (command.mode() == ReceiveMode.RECEIVE_AND_DELETE) {
            handOut(
                    fetched,
                    new Command.CompleteMessages(List.of(fetched.token()))); // T-10: before bytes leave the broker
        } else if (fresh && !fetched.partition().isHandingOut()) {
            fetched.part().unclaimed().forget(fetched.token());
            delivered++;
            deliver(fetched.message());
        } else {
            fetched.partition().beginHandOut();
            handOut(fetched, new Command.RenewLocks(List.of(fetched.token())));
        }
    }

    private void deliver(MessageView message) {
        receivedSinceCredit = true;
        fanIn.whole().countDelivery(message);
        listener.onDelivering(message.content().sizeBytes()); // it takes its credit back if that is too much
        news.add(() -> listener.onDelivered(message));
    }

    /** Has the fragment do what a hand-out needs. */
    private void handOut(FetchedMessage fetched, Command command) {
        FragmentedReceiver receiver = this;
        underway++;
        fetched.part().unclaimed().addClaimed(fetched.token());
        fetched.part().enqueue(command, fanIn.executor(), new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                fanIn.handedOut(receiver, fetched, reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                fanIn.notHandedOut(receiver, fetched, command instanceof Command.RenewLocks, rejection);
            }
        });
    }

    /** A hand-out is over; {@code message} is given out, if there is one. */
    void endHandOut(@Nullable MessageView message) {
        underway--;
        if (message != null) {
            delivered++;
            deliver(message);
        }
    }
}
