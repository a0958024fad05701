package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of a partitioned entity: one at each fragment (PART-12). What they bring beyond what is wanted is kept, locked,
 * and given out next (PART-13); it is given back when the receiver goes, and nobody counts it as delivered before (PART-60).
 *
 * <p>Fragments always deliver under a lock. For a receiver that takes messages for good each is completed before it is given
 * out, so that none is lost that nobody has seen.
 *
 * <p>Any thread may call it; the listener is called on its executor, in order.
 */
final class FragmentedReceiver implements Fragments.Fetcher {
    private final ServedEntity whole;
    private final Fragments fragments;
    private final Command.AttachReceiver command;
    private final Executor executor;
    private final ReceiverListener listener;
    private final List<Arm> arms = new ArrayList<>();
    private final ArrayDeque<Fetched> kept = new ArrayDeque<>();

    /** What the owner is still to be told, in order; only its executor takes something out. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** Deliveries wanted in all, and made. */
    private long limit;

    private long delivered;

    /** Messages that are being completed before they are given out. */
    private int completing;

    /** What was last asked of a fragment with messages. */
    private long share;

    private boolean draining;
    private boolean receivedSinceCredit;
    private boolean attached;
    private boolean ended;

    /** A message that one fragment has locked. */
    private record Fetched(Arm arm, MessageView message) {
        UUID token() {
            return Objects.requireNonNull(message.lockToken());
        }
    }

    FragmentedReceiver(
            ServedEntity whole,
            Fragments fragments,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener) {
        this.whole = whole;
        this.fragments = fragments;
        this.command = command;
        this.executor = executor;
        this.listener = listener;
    }

    @Override
    public long receiverId() {
        return command.receiverId();
    }

    /** Attaches to all fragments; it succeeds with those that work, and others follow when they work again. */
    synchronized void attach(ReplyListener reply) {
        int[] answers = {0, 0};
        Rejection[] refusal = {null};
        for (int i = 0; i < fragments.count(); i++) {
            arms.add(new Arm(fragments.part(i)));
        }
        for (Arm arm : List.copyOf(arms)) {
            arm.attach(new ReplyListener() {
                @Override
                public void onReply(Reply done) {
                    answered(null);
                }

                @Override
                public void onRejected(Rejection rejection) {
                    answered(rejection);
                }

                private void answered(@Nullable Rejection rejection) {
                    boolean succeeded;
                    Rejection told;
                    synchronized (FragmentedReceiver.this) {
                        answers[0]++;
                        answers[1] += rejection == null ? 1 : 0;
                        // What makes all refuse is told rather than what keeps one from answering.
                        if (rejection != null
                                && (refusal[0] == null || !rejection.code().retryable())) {
                            refusal[0] = rejection;
                        }
                        if (answers[0] < arms.size()) {
                            return;
                        }
                        told = refusal[0];
                        succeeded =
                                answers[1] > 0 && (told == null || told.code().retryable());
                        attached = succeeded;
                        ended |= !succeeded;
                    }
                    if (succeeded) {
                        reply.onReply(Reply.Done.INSTANCE);
                        ask();
                        tell();
                    } else {
                        detach();
                        reply.onRejected(Objects.requireNonNull(told));
                    }
                }
            });
        }
    }

    @Override
    public synchronized boolean isWaiting() {
        return !ended && wanted() > 0;
    }

    @Override
    public synchronized void credit(Command.SetCredit credit) {
        if (limit <= delivered) {
            receivedSinceCredit = false;
        }
        limit = credit.deliveryLimit();
        draining = credit.drain();
        giveOut();
        ask();
        if (!news.isEmpty()) {
            executor.execute(this::tell);
        }
    }

    /** Tells the owner what there is to tell; on its executor. */
    private void tell() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
        }
    }

    private synchronized long wanted() {
        return limit - delivered - completing;
    }

    // --- from the fragments ---

    /** The receiver at one fragment. */
    private final class Arm implements ReceiverListener {
        private final ServedEntity part;
        private @Nullable Receiver receiver;
        private long asked;
        private long got;
        private boolean drainAsked;

        /** Whether the fragment had nothing more when it was drained. */
        private boolean empty;

        Arm(ServedEntity part) {
            this.part = part;
        }

        void attach(ReplyListener reply) {
            asked = 0;
            got = 0;
            receiver = part.attachPart(command.subQueue(), ReceiveMode.PEEK_LOCK, executor, this, new ReplyListener() {
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
            synchronized (FragmentedReceiver.this) {
                receiver = null;
                drainAsked = false;
                empty = true;
                kept.removeIf(fetched -> {
                    boolean mine = fetched.arm == this;
                    if (mine) {
                        part.giveOut(fetched.token()); // its lock is gone with the store's memory
                    }
                    return mine;
                });
            }
            if (reason.code() == ErrorCode.DETACH_FORCED || !part.shard().isServing()) {
                part.shard().whenServing(this, this::comeBack);
            }
        }

        /** The store of the fragment works again. */
        private void comeBack() {
            synchronized (FragmentedReceiver.this) {
                if (ended || receiver != null) {
                    return;
                }
            }
            attach(new ReplyListener() {
                @Override
                public void onReply(Reply done) {
                    ask();
                    tell();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    // It comes back the next time, if that may help.
                }
            });
        }

        private long outstanding() {
            return asked - got;
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
            boolean asks;
            synchronized (FragmentedReceiver.this) {
                got++;
                part.keep(Objects.requireNonNull(message.lockToken()));
                kept.add(new Fetched(this, message));
                if (ended) {
                    giveBack();
                    return;
                }
                giveOut();
                asks = draining || wanted() <= 0 || outstanding() < (share + 1) / 2;
            }
            if (asks) {
                ask();
            }
            tell();
        }

        @Override
        public void onDrained(long deliveryLimit) {
            synchronized (FragmentedReceiver.this) {
                empty = got < deliveryLimit;
                got = Math.max(got, deliveryLimit);
                asked = Math.max(asked, got);
                drainAsked = false;
            }
            ask();
            tell();
        }

        @Override
        public void onClosed(Rejection reason) {
            lost(reason);
            boolean over;
            synchronized (FragmentedReceiver.this) {
                over = !reason.code().retryable() && attached && !ended;
                ended |= over;
            }
            if (over) {
                fragments.ended(command.receiverId());
                detach();
                tell();
                listener.onClosed(reason);
            } else {
                ask();
                tell();
            }
        }
    }

    // --- credit ---

    /** Spreads what is wanted over the fragments: most over those that are known to have messages, one each over the others. */
    private synchronized void ask() {
        if (ended || !attached) {
            return;
        }
        long wanted = wanted();
        if (wanted <= 0) {
            for (Arm arm : arms) {
                arm.request(0, false);
            }
            if (draining && completing == 0) {
                drained();
            }
            return;
        }
        if (draining) {
            drain(wanted);
            return;
        }
        int rich = 0;
        for (Arm arm : arms) {
            rich += arm.receiver != null && isRich(arm) ? 1 : 0;
        }
        share = (wanted + Math.max(1, rich) - 1) / Math.max(1, rich);
        for (Arm arm : arms) {
            long mine = isRich(arm) ? share : 1;
            // Changed only when it matters, because each change is a letter to the fragment.
            if (arm.outstanding() < (mine + 1) / 2 || arm.outstanding() > 2 * mine) {
                arm.request(mine, false);
            }
        }
    }

    /** Whether a fragment has more waiting than is asked of it anyway. */
    private boolean isRich(Arm arm) {
        return switch (command.subQueue()) {
            case MAIN -> {
                var counts = arm.part.counts();
                yield counts.active() - counts.locked() - counts.deferred() > 1;
            }
            case DEAD_LETTER -> arm.part.counts().deadLetter() > 1;
            case TRANSFER_DEAD_LETTER -> arm.part.counts().transferDeadLetter() > 1;
        };
    }

    /** Takes all there is, up to what is wanted, until no fragment has more. */
    private void drain(long wanted) {
        int asking = 0;
        for (Arm arm : arms) {
            asking += arm.drainAsked ? 1 : 0;
        }
        if (asking > 0) {
            return; // all that were asked answer first
        }
        int left = 0;
        for (Arm arm : arms) {
            left += arm.receiver == null || arm.empty ? 0 : 1;
        }
        if (left == 0) {
            arms.forEach(arm -> arm.empty = false);
            if (completing == 0) {
                drained();
            }
            return;
        }
        long each = (wanted + left - 1) / left;
        for (Arm arm : arms) {
            if (arm.receiver != null && !arm.empty) {
                arm.request(each, true);
            }
        }
    }

    private void drained() {
        draining = false;
        arms.forEach(arm -> arm.empty = false);
        if (!receivedSinceCredit && delivered < limit) {
            whole.countEmptyReceive();
        }
        delivered = Math.max(delivered, limit);
        long at = limit;
        news.add(() -> listener.onDrained(at));
    }

    // --- to the owner ---

    /** Gives out what is kept, as far as it is wanted and its locks last. */
    private void giveOut() {
        List<Fetched> out = new ArrayList<>();
        while (wanted() > 0 && !kept.isEmpty()) {
            Fetched next = kept.remove();
            if (next.message.lockedUntilMs() <= whole.namespace().nowMs() || !next.arm.part.giveOut(next.token())) {
                continue; // its lock has run out
            }
            receivedSinceCredit = true;
            if (command.mode() == ReceiveMode.PEEK_LOCK) {
                delivered++;
                deliver(next.message);
            } else {
                completing++;
                out.add(next);
            }
        }
        complete(out);
        if (wanted() <= 0 && !kept.isEmpty()) {
            giveBackSurplus();
        }
    }

    private void deliver(MessageView message) {
        whole.countDelivery(message);
        news.add(() -> listener.onDelivered(message));
    }

    /** T-10: removed before bytes leave the broker. */
    private void complete(List<Fetched> messages) {
        Map<Arm, List<Fetched>> byArm = new HashMap<>();
        messages.forEach(fetched ->
                byArm.computeIfAbsent(fetched.arm, none -> new ArrayList<>()).add(fetched));
        byArm.forEach((arm, mine) -> {
            Command.CompleteMessages done = new Command.CompleteMessages(
                    mine.stream().map(Fetched::token).toList());
            arm.part.enqueue(done, executor, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    synchronized (FragmentedReceiver.this) {
                        completing -= mine.size();
                        for (Fetched fetched : mine) {
                            delivered++;
                            deliver(withoutLock(fetched.message));
                        }
                    }
                    ask();
                    tell();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    synchronized (FragmentedReceiver.this) {
                        completing -= mine.size(); // they come again
                    }
                    ask();
                    tell();
                }
            });
        });
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

    /** Keeps one per fragment at most when nothing is wanted (PART-13). */
    private void giveBackSurplus() {
        Map<Arm, Integer> counts = new HashMap<>();
        Map<Arm, List<UUID>> surplus = new HashMap<>();
        kept.removeIf(fetched -> {
            boolean tooMany = counts.merge(fetched.arm, 1, Integer::sum) > 1;
            if (tooMany && fetched.arm.part.giveOut(fetched.token())) {
                surplus.computeIfAbsent(fetched.arm, none -> new ArrayList<>()).add(fetched.token());
            }
            return tooMany;
        });
        surplus.forEach(FragmentedReceiver::release);
    }

    /** Gives back everything that is kept. */
    private void giveBack() {
        Map<Arm, List<UUID>> tokens = new HashMap<>();
        for (Fetched fetched = kept.poll(); fetched != null; fetched = kept.poll()) {
            if (fetched.arm.part.giveOut(fetched.token())) {
                tokens.computeIfAbsent(fetched.arm, none -> new ArrayList<>()).add(fetched.token());
            }
        }
        tokens.forEach(FragmentedReceiver::release);
    }

    /** One by one, because a lock that has run out must not keep the others. */
    private static void release(Arm arm, List<UUID> tokens) {
        for (UUID token : tokens) {
            arm.part.enqueue(new Command.ReleaseMessages(List.of(token)), Runnable::run, ReplyListener.IGNORE);
        }
    }

    @Override
    public synchronized void detach() {
        ended = true;
        for (Arm arm : arms) {
            arm.part.shard().stopWaiting(arm);
            Receiver receiver = arm.receiver;
            arm.receiver = null;
            if (receiver != null) {
                receiver.detach();
            }
        }
        giveBack();
    }
}
