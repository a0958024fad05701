package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.KeptMessages.Fetched;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of a partitioned entity: what it wants, and what it has got. Its {@link Fetching} brings the messages.
 *
 * <p>Fragments always deliver under a lock. For a receiver that takes messages for good each is completed before it is given
 * out, so that none is lost that nobody has seen.
 *
 * <p>Any thread may call it; the listener is called on the executor of its home, in order. The lock is that of the fetching.
 */
final class FragmentedReceiver implements FragmentReceivers.Fetcher {
    private final Fetching fetching;
    private final Command.AttachReceiver command;
    private final ReceiverListener listener;

    /** What the owner is still to be told, in order; only its executor takes something out. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** What is to be completed before it is given out. */
    private final List<Fetched> taken = new ArrayList<>();

    /** Deliveries wanted in all, and made. */
    private long limit;

    private long delivered;

    /** Messages that are being completed before they are given out. */
    private int completing;

    /** Why it is over, while messages are being completed that come first; null if it is not, or its owner knows. */
    private @Nullable Rejection end;

    private boolean draining;
    private boolean receivedSinceCredit;

    FragmentedReceiver(Fetching fetching, Command.AttachReceiver command, ReceiverListener listener) {
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

    /** Tells the owner that it is over, after what is being completed for it: nobody else would ever get that. */
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
            if (completing > 0) {
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
        return limit - delivered - completing;
    }

    boolean isDraining() {
        return draining;
    }

    /** Whether messages are on their way to it. */
    boolean isCompleting() {
        return completing > 0;
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

    /** Gets a message; {@link #completeTaken} follows. */
    void take(Fetched fetched) {
        receivedSinceCredit = true;
        if (command.mode() == ReceiveMode.PEEK_LOCK) {
            delivered++;
            deliver(fetched.message());
        } else {
            completing++;
            fetched.part()
                    .keep(fetched.token()); // nobody has got it: if its lock ends first, that does not count (PART-60)
            taken.add(fetched);
        }
    }

    private void deliver(MessageView message) {
        fetching.whole().countDelivery(message);
        news.add(() -> listener.onDelivered(message));
    }

    /** T-10: removed before bytes leave the broker. */
    void completeTaken() {
        if (taken.isEmpty()) {
            return;
        }
        Map<ServedEntity, List<Fetched>> byPart = new LinkedHashMap<>();
        taken.forEach(fetched -> byPart.computeIfAbsent(fetched.part(), none -> new ArrayList<>())
                .add(fetched));
        taken.clear();
        byPart.forEach((part, mine) -> {
            Command.CompleteMessages done = new Command.CompleteMessages(
                    mine.stream().map(Fetched::token).toList());
            part.enqueue(done, fetching.executor(), new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    synchronized (fetching) {
                        finished(mine, null);
                        for (Fetched fetched : mine) {
                            delivered++;
                            deliver(withoutLock(fetched.message()));
                        }
                    }
                    goOn();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    synchronized (fetching) {
                        finished(mine, rejection); // they come again
                    }
                    goOn();
                }
            });
        });
    }

    private void finished(List<Fetched> some, @Nullable Rejection rejection) {
        completing -= some.size();
        some.forEach(fetched -> fetched.part().finish(fetched.token(), rejection));
    }

    private void goOn() {
        tell();
        closeIfDone();
        fetching.ask();
        fetching.tell();
    }

    private static MessageView withoutLock(MessageView m) {
        return new MessageView(
                m.sequenceNumber(),
                m.enqueuedSequenceNumber(),
                m.enqueuedTimeMs(),
                m.expiresAtMs(),
                m.scheduledEnqueueTimeMs(),
                m.deliveryCount(),
                m.state(),
                null,
                0,
                m.deadLetterSource(),
                m.content(),
                m.propertyOverrides());
    }
}
