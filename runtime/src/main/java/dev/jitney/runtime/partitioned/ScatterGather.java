package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A query to all fragments of a partitioned entity. It succeeds if all fragments answer. Any thread may call it. */
final class ScatterGather {
    static final MessageCounts NO_COUNTS = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);

    private final FragmentTable fragments;
    private final Executor executor;
    private final ReplyListener listener;
    private int open;
    private @Nullable Rejection failure;

    /** The refusal of a fragment that is passed over, or null. */
    private @Nullable Rejection unavailable;

    /** The answers, at least one of which is needed; null if all are needed. */
    private @Nullable List<?> mustFind;

    ScatterGather(FragmentTable fragments, Executor executor, ReplyListener listener) {
        this.fragments = fragments;
        this.executor = executor;
        this.listener = listener;
    }

    /** The processing of one fragment's answer. */
    @FunctionalInterface
    interface Part {
        void take(Reply reply);
    }

    /**
     * Sends a command to all fragments.
     *
     * @param part processes the answers, one at a time
     * @param whole returns the answer of the whole, once all fragments have answered
     */
    void ask(Command command, Part part, Supplier<Reply> whole) {
        open = fragments.count();
        for (int i = 0; i < fragments.count(); i++) {
            fragments.enqueue(i, command, executor, answer(part, whole));
        }
    }

    /**
     * Reads the counters (PART-57) of the fragments that are available (PART-58). If none is, the refusal of the last one is
     * the answer: zero would look like an empty entity.
     */
    void counts() {
        List<MessageCounts> found = new ArrayList<>();
        open = fragments.count();
        mustFind = found;
        for (int i = 0; i < fragments.count(); i++) {
            fragments.enqueue(
                    i,
                    new Command.GetCounts(),
                    executor,
                    passingOver(answer(
                            reply -> {
                                if (reply instanceof Reply.Counts some) {
                                    found.add(some.counts());
                                }
                            },
                            () -> new Reply.Counts(found.stream().reduce(NO_COUNTS, MessageCounts::plus)))));
        }
    }

    /** Returns a listener that treats an unavailable fragment as an empty one. */
    private ReplyListener passingOver(ReplyListener answer) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                answer.onReply(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (rejection.code().retryable()) {
                    synchronized (ScatterGather.this) {
                        unavailable = rejection;
                    }
                    answer.onReply(Reply.Done.INSTANCE);
                } else {
                    answer.onRejected(rejection);
                }
            }
        };
    }

    private ReplyListener answer(Part part, Supplier<Reply> whole) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                finish(() -> part.take(reply), null, whole);
            }

            @Override
            public void onRejected(Rejection rejection) {
                finish(() -> {}, rejection, whole);
            }
        };
    }

    private void finish(Runnable taking, @Nullable Rejection refused, Supplier<Reply> whole) {
        Rejection outcome;
        synchronized (this) {
            taking.run();
            failure = failure == null ? refused : failure;
            if (--open > 0) {
                return;
            }
            outcome = failure == null && mustFind != null && mustFind.isEmpty() ? unavailable : failure;
        }
        if (outcome == null) {
            listener.onReply(whole.get());
        } else {
            listener.onRejected(outcome);
        }
    }
}
