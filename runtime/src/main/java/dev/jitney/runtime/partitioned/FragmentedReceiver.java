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
 * <p>Any thread may call it; the listener is called on the executor of its home, in order. The lock is that of the fetching.
 */
final class FragmentedReceiver implements WholeReceiver {
    private final PartitionFanIn fetching;
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

    FragmentedReceiver(PartitionFanIn fetching, Command.AttachReceiver command, ReceiverListener listener) {
        this.fetching = fetching;
        this.command = command;
        this.listener = listener;
    }

    @Override
    public long receiverId() {
        return command.receiverId();
    }

    /** Returns whether it could; not if the fetching has come to its end. */
    boolean attach(ReplyListener reply) {
        return fetching.join(this, reply);
    }

    @Override
    public boolean isWaiting() {
        synchronized (fetching) {
            return fetching.serves(this) && wanted() > 0;
        }
    }

    @Override
    public void credit(Command.SetCredit credit) {
        synchronized (fetching) {
            if (limit <= delivered) {
                receivedSinceCredit = false;
            }
            limit = credit.deliveryLimit();
            draining = credit.drain();
            fetching.wantsChanged();
        }
    }

    @Override
    public void detach() {
        fetching.leave(this);
    }

    boolean hasNews() {
        return !news.isEmpty();
    }

    /** Tells the owner what there is to tell; on its executor. */
    void tell() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
        }
    }

    /** Tells the owner that it is over, after what is being removed for it: nobody else would ever get that. */
    void close(Rejection reason) {
        synchronized (fetching) {
            end = reason;
        }
        tell();
        closeIfDone();
    }

    private void closeIfDone() {
        Rejection reason;
        synchronized (fetching) {
            if (underway > 0) {
                return;
            }
            reason = end;
            end = null;
        }
        if (reason != null) {
            listener.onClosed(reason);
        }
    }

    // --- all below under the lock of the fetching ---

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
            fetching.whole().countEmptyReceive();
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
        } else if (fresh && !fetched.arm().isHandingOut()) {
            fetched.part().unclaimed().forget(fetched.token());
            delivered++;
            deliver(fetched.message());
        } else {
            fetched.arm().beginHandOut();
            handOut(fetched, new Command.RenewLocks(List.of(fetched.token())));
        }
    }

    private void deliver(MessageView message) {
        receivedSinceCredit = true;
        fetching.whole().countDelivery(message);
        listener.onDelivering(message.content().sizeBytes()); // it takes its credit back if that is too much
        news.add(() -> listener.onDelivered(message));
    }

    /** Has the fragment do what a hand-out needs. */
    private void handOut(FetchedMessage fetched, Command command) {
        underway++;
        fetched.part().unclaimed().addClaimed(fetched.token());
        fetched.part().enqueue(command, fetching.executor(), new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                synchronized (fetching) {
                    underway--;
                    fetched.part().unclaimed().forget(fetched.token());
                    if (reply instanceof Reply.LocksRenewed renewed) {
                        renewed(fetched, renewed.lockedUntilMs()[0]);
                    } else {
                        delivered++;
                        deliver(fetched.message().unlocked());
                    }
                }
                goOn();
            }

            @Override
            public void onRejected(Rejection rejection) {
                synchronized (fetching) {
                    underway--;
                    fetched.part().finish(fetched.token(), rejection); // it comes again
                    if (command instanceof Command.RenewLocks) {
                        fetched.arm().endHandOut();
                    }
                    fetching.handedOut(fetched.arm(), null);
                }
                goOn();
            }
        });
    }

    private void renewed(FetchedMessage fetched, long lockedUntilMs) {
        FetchedMessage fresh = fetched.renewed(lockedUntilMs);
        fetched.arm().endHandOut();
        if (fetching.mayHandOut(this, fresh)) {
            delivered++;
            deliver(fresh.message());
            fetching.handedOut(fetched.arm(), null);
        } else {
            fetching.handedOut(fetched.arm(), fresh);
        }
    }

    private void goOn() {
        tell();
        closeIfDone();
        fetching.ask();
        fetching.tell();
    }
}
