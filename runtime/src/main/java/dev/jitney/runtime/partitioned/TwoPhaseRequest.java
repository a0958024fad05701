package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Command.TwoPhase.Step;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedTransaction;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * One request for locks or scheduled messages of several fragments, all or none (LOCK-13, SCHED-4), by a two-phase
 * commit.
 *
 * <p>First every fragment prepares its share: it validates it and holds the messages. If all agree, each commits;
 * otherwise each aborts. After all have agreed, only a store failure or the deletion of an entity can prevent a
 * commit; then the refusal names the fragments.
 *
 * <p>Any thread may call it; it continues on the executor of the caller.
 */
final class TwoPhaseRequest {
    private final FragmentTable fragments;
    private final Command.Shareable command;

    /** The indexes of each fragment's items in the command. */
    private final Map<Integer, List<Integer>> places;

    private final Executor executor;
    private final ReplyListener listener;
    private final long id = ServedTransaction.nextId();

    TwoPhaseRequest(
            FragmentTable fragments,
            Command.Shareable command,
            Map<Integer, List<Integer>> places,
            Executor executor,
            ReplyListener listener) {
        this.fragments = fragments;
        this.command = command;
        this.places = places;
        this.executor = executor;
        this.listener = listener;
    }

    void begin() {
        ask(Step.PREPARE, (prepared, refused) -> {
            if (refused.isEmpty()) {
                ask(Step.COMMIT, this::finish);
            } else {
                prepared.keySet().forEach(this::abort);
                listener.onRejected(mostTelling(refused));
            }
        });
    }

    /** Sends a step to every fragment, and continues with all answers. */
    private void ask(Step step, BiConsumer<Map<Integer, Reply>, Map<Integer, Rejection>> next) {
        Map<Integer, Reply> agreed = new TreeMap<>();
        Map<Integer, Rejection> refused = new TreeMap<>();
        for (int fragment : places.keySet()) {
            fragments.enqueue(fragment, message(step, fragment), executor, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    answered(agreed, reply);
                }

                @Override
                public void onRejected(Rejection rejection) {
                    answered(refused, rejection);
                }

                private <A> void answered(Map<Integer, A> answers, A answer) {
                    synchronized (agreed) {
                        answers.put(fragment, answer);
                        if (agreed.size() + refused.size() < places.size()) {
                            return;
                        }
                    }
                    next.accept(agreed, refused);
                }
            });
        }
    }

    private void abort(int fragment) {
        fragments.enqueue(fragment, message(Step.ABORT, fragment), executor, ReplyListener.IGNORE);
    }

    private void finish(Map<Integer, Reply> done, Map<Integer, Rejection> failed) {
        failed.keySet().forEach(this::abort);
        if (failed.isEmpty()) {
            listener.onReply(combined(done));
        } else {
            listener.onRejected(halfDone(done, failed));
        }
    }

    /**
     * Returns a refusal that makes the request impossible, in preference to one that keeps a fragment from answering.
     */
    private static Rejection mostTelling(Map<Integer, Rejection> refused) {
        Rejection first = refused.values().iterator().next();
        return refused.values().stream()
                .filter(rejection -> !rejection.code().retryable())
                .findFirst()
                .orElse(first);
    }

    private Rejection halfDone(Map<Integer, Reply> done, Map<Integer, Rejection> failed) {
        Rejection why = mostTelling(failed);
        int all = places.values().stream().mapToInt(List::size).sum();
        int committed = done.keySet().stream()
                .mapToInt(fragment -> share(fragment).size())
                .sum();
        return done.isEmpty()
                ? why
                : new Rejection(
                        why.code(),
                        "The request succeeded for " + committed + " of " + all
                                + " messages. It failed or has an unknown outcome for the messages in partition "
                                + failed.keySet().toString().replaceAll("[\\[\\]]", "") + ": " + why.description());
    }

    private Reply combined(Map<Integer, Reply> answers) {
        if (!(command instanceof Command.RenewLocks renew)) {
            return Reply.Done.INSTANCE;
        }
        long[] times = new long[renew.lockTokens().size()];
        for (Entry<Integer, Reply> answer : answers.entrySet()) {
            if (answer.getValue() instanceof Reply.LocksRenewed renewed) {
                List<Integer> mine = share(answer.getKey());
                for (int i = 0; i < mine.size(); i++) {
                    times[mine.get(i)] = renewed.lockedUntilMs()[i];
                }
            }
        }
        return new Reply.LocksRenewed(times);
    }

    private Command message(Step step, int fragment) {
        return new Command.TwoPhase(step, command.share(share(fragment)), id);
    }

    private List<Integer> share(int fragment) {
        return places.getOrDefault(fragment, List.of());
    }
}
