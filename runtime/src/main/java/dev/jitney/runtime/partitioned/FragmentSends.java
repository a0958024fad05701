package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.core.partition.RoundRobin;
import dev.jitney.core.partition.SendRoute;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.EntityTasks;
import dev.jitney.runtime.shard.entity.HostedEntity.SendTarget;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a partitioned entity (semantics 17.3): each send goes to one fragment, determined by its key or
 * round-robin. Any thread may call it.
 */
final class FragmentSends {
    private final ServedEntity whole;
    private final FragmentTable fragments;
    private final RoundRobin turn;

    FragmentSends(ServedEntity whole, FragmentTable fragments) {
        this.whole = whole;
        this.fragments = fragments;
        this.turn = new RoundRobin(fragments.count(), (int) whole.id()); // entities start with different fragments
    }

    /**
     * Returns the rules for keys of messages that a transaction sends: a subscription of the topic may require
     * sessions (PART-49).
     */
    KeyRules keyRulesInTransactions() {
        return keyRules(whole.description().requiresSession()
                || whole.subscriptions().stream().anyMatch(s -> s.description().requiresSession()));
    }

    private KeyRules keyRules() {
        return keyRules(whole.description().requiresSession());
    }

    private KeyRules keyRules(boolean sessions) {
        EntityDescription description = whole.description();
        boolean duplicates = description instanceof QueueDescription queue
                ? queue.requiresDuplicateDetection()
                : description instanceof TopicDescription topic && topic.requiresDuplicateDetection();
        return new KeyRules(
                fragments.count(), sessions, duplicates, whole.limits().maxIdLength());
    }

    /**
     * Returns the fragment for messages that are sent together, or the reason why there is none (PART-24, PART-28,
     * PART-39).
     *
     * @param without the fragments that were tried before
     */
    private SendRoute route(List<IncomingMessage> messages, IntPredicate without) {
        synchronized (turn) {
            return SendRoute.of(
                    messages, keyRules(), turn, i -> !without.test(i) && fragments.isAvailable(i), this::hasCapacity);
        }
    }

    /**
     * Returns the fragment for messages that another entity forwards (PART-54), or the reason why none will ever
     * accept them. If no possible fragment is available, it returns any of them: the outbox of the source waits.
     */
    SendTarget destination(List<IncomingMessage> messages) {
        KeyRules.Key key = keyRules().keyOf(messages);
        if (key.refusal() != null) {
            return SendTarget.none(key.refusal());
        }
        if (key.key() != null) {
            return SendTarget.of(fragments.part(KeyHash.fragment(key.key(), fragments.count())));
        }
        synchronized (turn) {
            int fragment = turn.next(i -> fragments.isAvailable(i) && hasCapacity(i));
            return SendTarget.of(fragments.part(fragment >= 0 ? fragment : turn.next(i -> true)));
        }
    }

    /** Returns whether the fragment's last committed counters leave capacity (QUOTA-4). */
    private boolean hasCapacity(int fragment) {
        ServedEntity part = fragments.part(fragment);
        return part.shard().acceptsGrowth() && part.counts().sizeBytes() < whole.fragmentBytes(megabytes());
    }

    private long megabytes() {
        EntityDescription description = whole.description();
        return description instanceof QueueDescription queue
                ? queue.maxSizeInMegabytes()
                : ((TopicDescription) description).maxSizeInMegabytes(); // only queues and topics accept sends
    }

    /**
     * Explains a send in the fragment that it would go to now. The next send goes to the same fragment as without this call.
     */
    void explain(Command.ExplainSend explain, Executor executor, ReplyListener listener) {
        SendRoute route = SendRoute.of(
                List.of(explain.message()),
                keyRules(),
                new RoundRobin(fragments.count(), 0),
                fragments::isAvailable,
                this::hasCapacity);
        Rejection refusal = route.refusal();
        if (refusal != null) {
            Reply refused = new Reply.Explained(SendExplanation.refused(route.fragment(), refusal));
            executor.execute(() -> listener.onReply(refused));
        } else {
            fragments.part(route.fragment()).enqueue(explain, executor, listener);
        }
    }

    /** Sends messages together and reports the result to the listener. */
    void send(Command.SendMessages send, Executor executor, ReplyListener listener) {
        send(send, executor, listener, new BitSet(0));
    }

    /**
     * Sends messages. If a fragment did not receive them, another one gets them, unless their key determines the
     * fragment (PART-39).
     */
    private void send(Command.SendMessages send, Executor executor, ReplyListener listener, BitSet tried) {
        SendRoute route = route(send.messages(), tried::get);
        Rejection refusal = route.refusal();
        if (refusal != null) {
            executor.execute(() -> listener.onRejected(refusal));
            return;
        }
        ServedEntity part = fragments.part(route.fragment());
        ShardTask task = EntityTasks.command(part.shard().commands(), part.id(), send, executor, listener);
        ShardTask redirected = new ShardTask() {
            @Override
            public boolean needsCapacity() {
                return true;
            }

            @Override
            public long messageBytes() {
                return task.messageBytes();
            }

            @Override
            public boolean isMovable() {
                return !route.keyed();
            }

            @Override
            public @Nullable Object lane() {
                return task.lane();
            }

            @Override
            public void run() {
                task.run();
            }

            @Override
            public boolean resume() {
                return task.resume();
            }

            @Override
            public void refuse(Rejection reason) {
                if (route.keyed()) {
                    task.refuse(SendRoute.unavailable(route.fragment()));
                } else {
                    tried.set(route.fragment());
                    send(send, executor, listener, tried);
                }
            }
        };
        if (!part.shard().mailbox().offer(redirected)) {
            task.refuse(ServedEntity.tooMuch());
        }
    }
}
