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
 * A receiver of a partitioned entity: its credit and its deliveries. Its {@link PartitionFanIn} provides the
 * messages.
 *
 * <p>Fragments always deliver under a lock. In receive-and-delete mode each message is completed just before its
 * delivery, so that a message that was only prefetched is never lost. The lock of a kept message is renewed before
 * the message is delivered.
 *
 * <p>Any thread may call it; the listener is called on the executor of its home, in order. It has no lock of its own:
 * every change is an event of the fan-in.
 */
final class FragmentedReceiver implements WholeReceiver {
    private final PartitionFanIn fanIn;
    private final Command.AttachReceiver command;
    private final ReceiverListener listener;

    /** The listener calls that are pending, in order; only its executor removes calls. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** The total of requested deliveries; {@code delivered} is the total of deliveries made. */
    private long limit;

    private long delivered;

    /** The number of messages whose locks are being renewed, or which are being completed, before delivery. */
    private int underway;

    /**
     * The reason for the end of the receiver while earlier messages are still in progress; null if it has not ended,
     * or the owner was notified.
     */
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

    @Override
    public int sessionFragment() {
        return -1;
    }

    /** Returns whether the receiver was attached; false if the fan-in has ended. */
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

    /** Returns whether listener calls are pending. */
    boolean hasNews() {
        return !news.isEmpty();
    }

    /** Makes the pending listener calls; on the owner's executor. */
    void tell() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
        }
    }

    /** Notifies the owner that the receiver has ended; on the owner's executor. */
    void tellClosed(Rejection reason) {
        listener.onClosed(reason);
    }

    // --- all methods below run under the lock of the fan-in ---

    /** Sets the credit that the owner requests. */
    void setCredit(Command.SetCredit credit) {
        if (limit <= delivered) {
            receivedSinceCredit = false;
        }
        limit = credit.deliveryLimit();
        draining = credit.drain();
    }

    /** Ends the receiver. The owner is notified after the deliveries in progress. */
    void endWith(Rejection reason) {
        end = reason;
    }

    /** Returns the reason for the end, once, if the owner may be notified now; otherwise null. */
    @Nullable
    Rejection takeEnd() {
        if (underway > 0) {
            return null;
        }
        Rejection reason = end;
        end = null;
        return reason;
    }

    /** Returns the remaining credit; negative if more messages were delivered than requested. */
    long wanted() {
        return limit - delivered - underway;
    }

    boolean isDraining() {
        return draining;
    }

    /** Returns whether deliveries to it are in progress. */
    boolean isAwaitingMessages() {
        return underway > 0;
    }

    /** Ends a drain: no messages are left, or the credit is used. */
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
     * Takes a message that no other receiver will get.
     *
     * <p>A lock that was taken a while ago is renewed first; if that fails, the message returns to its fragment
     * (PART-13). The lock is also renewed while earlier messages of the same fragment are being handed out, so that
     * they keep their order.
     *
     * @param fresh whether the lock need not be renewed
     */
    void take(FetchedMessage fetched, boolean fresh) {
        if (command.mode() == ReceiveMode.RECEIVE_AND_DELETE) {
            handOut(
                    fetched,
                    new Command.CompleteMessages(List.of(fetched.token()))); // T-10: before the broker sends bytes
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
        listener.onDelivering(message.content().sizeBytes()); // the listener withdraws its credit if that is too much
        news.add(() -> listener.onDelivered(message));
    }

    /** Submits the command that must precede the delivery to the fragment. */
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

    /** Ends a hand-out and delivers {@code message}, unless it is null. */
    void endHandOut(@Nullable MessageView message) {
        underway--;
        if (message != null) {
            delivered++;
            deliver(message);
        }
    }
}
