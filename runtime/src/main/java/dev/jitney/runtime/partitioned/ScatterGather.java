package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
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
    private interface Part {
        void take(Reply reply);
    }

    /** Lists the sessions of all fragments, ordered by id (SESS-17). */
    void sessions(Command.ListSessions list) {
        TreeSet<String> found = new TreeSet<>();
        open = fragments.count();
        Command part = new Command.ListSessions(
                list.stateChangedAfterMs(), list.afterSessionId(), 0, saturated(list.skip(), list.top()));
        for (int i = 0; i < fragments.count(); i++) {
            fragments.enqueue(
                    i,
                    part,
                    executor,
                    answer(
                            reply -> {
                                if (reply instanceof Reply.Sessions some) {
                                    found.addAll(some.sessionIds());
                                }
                            },
                            () -> {
                                List<String> ids = new ArrayList<>(found);
                                int from = Math.min(list.skip(), ids.size());
                                List<String> page = ids.subList(from, Math.min(from + list.top(), ids.size()));
                                return new Reply.Sessions(List.copyOf(page), from + page.size());
                            }));
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

    private static int saturated(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
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
