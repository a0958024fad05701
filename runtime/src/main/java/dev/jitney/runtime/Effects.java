package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for a commit: replies and deliveries, kept in order per executor so that each edge is woken once per batch
 * (design: outputs after commit). For the shard's thread; only {@link #release} runs something elsewhere.
 */
final class Effects {
    private static final Logger LOG = LoggerFactory.getLogger(Effects.class);

    /** One thing to tell an edge. */
    private interface Effect extends Runnable {

        /** What is told instead if the commit fails: one reason for what adds messages, one for the rest. */
        void fail(Rejection growing, Rejection other);
    }

    private final Map<Executor, List<Effect>> byExecutor = new LinkedHashMap<>();
    private int count;

    int count() {
        return count;
    }

    /** @param grows whether the request adds messages */
    void reply(Executor executor, ReplyListener listener, Reply reply, boolean grows) {
        if (listener == ReplyListener.IGNORE) {
            return;
        }
        add(executor, new Effect() {
            @Override
            public void run() {
                listener.onReply(reply);
            }

            @Override
            public void fail(Rejection growing, Rejection other) {
                listener.onRejected(grows ? growing : other);
            }
        });
    }

    void reject(Executor executor, ReplyListener listener, Rejection reason) {
        if (listener == ReplyListener.IGNORE) {
            return;
        }
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

    void deliver(Executor executor, ReceiverListener listener, MessageView message) {
        add(executor, tell(() -> listener.onDelivered(message)));
    }

    void drained(Executor executor, ReceiverListener listener, long deliveryLimit) {
        add(executor, tell(() -> listener.onDrained(deliveryLimit)));
    }

    void closed(Executor executor, ReceiverListener listener, Rejection reason) {
        add(executor, tell(() -> listener.onClosed(reason)));
    }

    /** Sends everything on its way, in order, and starts anew. */
    void release() {
        send(Effect::run);
    }

    /** The commit failed: requests learn it, deliveries never happened. */
    void fail(Rejection growing, Rejection other) {
        send(effect -> effect.fail(growing, other));
    }

    private void send(Consumer<Effect> telling) {
        byExecutor.forEach((executor, effects) -> {
            if (!effects.isEmpty()) {
                List<Effect> all = new ArrayList<>(effects);
                try {
                    executor.execute(() -> all.forEach(effect -> tellOne(effect, telling)));
                } catch (RejectedExecutionException e) {
                    LOG.debug("An edge has gone; {} answers are dropped.", all.size());
                }
            }
        });
        clear();
    }

    private static void tellOne(Effect effect, Consumer<Effect> telling) {
        try {
            telling.accept(effect);
        } catch (RuntimeException e) {
            LOG.error("A listener failed; the others are told nevertheless.", e);
        }
    }

    private void clear() {
        // Edges come and go with their event loops, so the lists stay; there are as many as event loops.
        byExecutor.values().forEach(List::clear);
        if (byExecutor.size() > 64) {
            byExecutor.clear();
        }
        count = 0;
    }

    private void add(Executor executor, Effect effect) {
        byExecutor.computeIfAbsent(executor, e -> new ArrayList<>()).add(effect);
        count++;
    }

    private static Effect tell(Runnable action) {
        return new Effect() {
            @Override
            public void run() {
                action.run();
            }

            @Override
            public void fail(Rejection growing, Rejection other) {
                // A delivery that was never made needs no answer.
            }
        };
    }
}
