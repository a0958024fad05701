package dev.jitney.runtime.shard.turn;

import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies and deliveries that wait for the commit of the current batch. They are kept in order per executor, so that
 * each edge is woken once per batch (design: outputs after commit). For the shard's thread; only {@link #release} runs
 * something elsewhere.
 */
public final class Effects {
    private static final Logger LOG = LoggerFactory.getLogger(Effects.class);

    /** The executor for listeners that only complete a future. */
    private static final Executor INLINE = Runnable::run;

    /** One notification of an edge. */
    private interface Effect extends Runnable {

        /** Runs instead if the commit fails, with one reason for requests that add messages and one for all others. */
        void fail(Rejection growing, Rejection other);

        /** Returns whether it only says that messages are stored. That stays true when another node leads. */
        default boolean isStored() {
            return false;
        }
    }

    private final Map<Executor, List<Effect>> byExecutor = new LinkedHashMap<>();
    private int count;
    private boolean urgent;

    /** The number of the current batch, from 1. */
    private long batchNumber = 1;

    /** Returns the number of waiting effects. */
    public int count() {
        return count;
    }

    /** Returns whether one of the effects must not be delayed. */
    public boolean isUrgent() {
        return urgent;
    }

    /** @param needsCapacity whether the request adds messages */
    public void reply(Executor executor, ReplyListener listener, Reply reply, boolean needsCapacity) {
        if (listener == ReplyListener.IGNORE) {
            return;
        }
        urgent |= !listener.allowsDelay();
        add(executor, new Effect() {
            @Override
            public void run() {
                listener.onReply(reply);
            }

            @Override
            public void fail(Rejection growing, Rejection other) {
                listener.onRejected(needsCapacity ? growing : other);
            }

            @Override
            public boolean isStored() {
                return needsCapacity;
            }
        });
    }

    /** Refuses a request. */
    public void reject(Executor executor, ReplyListener listener, Rejection reason) {
        if (listener == ReplyListener.IGNORE) {
            return;
        }
        urgent |= !listener.allowsDelay();
        add(executor, new Effect() {
            @Override
            public void run() {
                listener.onRejected(reason);
            }

            @Override
            public void fail(Rejection growing, Rejection other) {
                listener.onRejected(other);
            }
        });
    }

    /** Notifies the listener when everything done so far in this turn is durable, or has failed. */
    public void afterCommit(ReplyListener listener) {
        reply(INLINE, listener, Reply.Done.INSTANCE, false);
    }

    /** Delivers a message. Consecutive messages for one receiver are delivered together. */
    public void deliver(Executor executor, ReceiverListener listener, MessageView message) {
        urgent = true;
        List<Effect> effects = of(executor);
        Effect last = effects.isEmpty() ? null : effects.get(effects.size() - 1);
        if (last instanceof Deliveries open && open.listener == listener) {
            open.messages.add(message);
        } else {
            effects.add(new Deliveries(listener, message));
        }
        count++;
    }

    /** Notifies a receiver that its drain is complete. */
    public void drained(Executor executor, ReceiverListener listener, long deliveryLimit) {
        urgent = true;
        add(executor, tell(() -> listener.onDrained(deliveryLimit)));
    }

    /** Notifies a receiver that it is closed. */
    public void closed(Executor executor, ReceiverListener listener, Rejection reason) {
        urgent = true;
        add(executor, tell(() -> listener.onClosed(reason)));
    }

    /** Notifies a receiver that deliveries are suspended. The receiver stays attached. */
    public void suspended(Executor executor, ReceiverListener listener, Rejection reason) {
        urgent = true;
        add(executor, tell(() -> listener.onSuspended(reason)));
    }

    /**
     * Returns the number of the current batch, which all effects wait for. Effects of reads wait too, because the rows
     * they have read may not be durable yet.
     */
    public long batchNumber() {
        return batchNumber;
    }

    private void end(long batch) {
        if (batch != batchNumber) {
            throw new IllegalStateException(
                    "Expected the end of batch " + batchNumber + ", which effects wait for, but got " + batch);
        }
        batchNumber++;
    }

    /**
     * Releases all effects in order, after the batch is committed or if there was nothing to commit.
     *
     * @param batch number of the batch
     */
    public void release(long batch) {
        end(batch);
        send(Effect::run);
    }

    /**
     * Releases the replies that only say that messages are stored, after a commit whose other effects may not leave. They are the replies to
     * sends. The others stay, for {@link #fail}.
     */
    public void releaseStored() {
        byExecutor.forEach((executor, effects) -> {
            List<Effect> stored = effects.stream().filter(Effect::isStored).toList();
            if (!stored.isEmpty()) {
                effects.removeAll(new HashSet<>(stored));
                count -= stored.size();
                execute(executor, stored, Effect::run);
            }
        });
    }

    /**
     * Fails all requests, because the commit failed. Deliveries are withdrawn.
     *
     * @param batch number of the batch
     */
    public void fail(long batch, Rejection growing, Rejection other) {
        end(batch);
        send(effect -> effect.fail(growing, other));
    }

    private void send(Consumer<Effect> telling) {
        byExecutor.forEach((executor, effects) -> {
            if (!effects.isEmpty()) {
                List<Effect> all = new ArrayList<>(effects);
                execute(executor, all, telling);
            }
        });
        clear();
    }

    private static void execute(Executor executor, List<Effect> effects, Consumer<Effect> telling) {
        try {
            executor.execute(() -> effects.forEach(effect -> tellOne(effect, telling)));
        } catch (RejectedExecutionException e) {
            LOG.debug("An executor is shut down. Jitney drops {} replies and deliveries for it.", effects.size());
        }
    }

    private static void tellOne(Effect effect, Consumer<Effect> telling) {
        try {
            telling.accept(effect);
        } catch (RuntimeException e) {
            LOG.error("A listener failed. Jitney continues with the next one.", e);
        }
    }

    private void clear() {
        // Edges come and go with their event loops, so the lists stay. There are as many lists as event loops.
        byExecutor.values().forEach(List::clear);
        if (byExecutor.size() > 64) {
            byExecutor.clear();
        }
        count = 0;
        urgent = false;
    }

    private void add(Executor executor, Effect effect) {
        of(executor).add(effect);
        count++;
    }

    private List<Effect> of(Executor executor) {
        return byExecutor.computeIfAbsent(executor, e -> new ArrayList<>());
    }

    /** Consecutive deliveries of one receiver. */
    private static final class Deliveries implements Effect {
        private final ReceiverListener listener;
        private final List<MessageView> messages = new ArrayList<>();

        Deliveries(ReceiverListener listener, MessageView first) {
            this.listener = listener;
            messages.add(first);
        }

        @Override
        public void run() {
            listener.onDelivered(messages);
        }

        @Override
        public void fail(Rejection growing, Rejection other) {
            long bytes = 0;
            for (MessageView message : messages) {
                bytes += message.content().sizeBytes();
            }
            listener.onNotDelivered(bytes);
        }
    }

    private static Effect tell(Runnable action) {
        return new Effect() {
            @Override
            public void run() {
                action.run();
            }

            @Override
            public void fail(Rejection growing, Rejection other) {
                // Nothing to answer: the delivery was never made.
            }
        };
    }
}
