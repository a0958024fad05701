package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageState;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request to a partitioned entity that several fragments have to answer, each for itself: it succeeds if all do. Any
 * thread may call it.
 */
final class Gathering {
    private final Fragments fragments;
    private final Executor executor;
    private final ReplyListener listener;
    private int open;
    private @Nullable Rejection failure;

    Gathering(Fragments fragments, Executor executor, ReplyListener listener) {
        this.fragments = fragments;
        this.executor = executor;
        this.listener = listener;
    }

    /** What to do with the answer of a fragment. */
    @FunctionalInterface
    private interface Part {
        void take(Reply reply);
    }

    /**
     * Has each fragment do its share of a command, if none of them refuses its own (LOCK-13, SCHED-4): they are asked first
     * whether the locks and the scheduled messages are there. What ends between the two answers is refused for itself.
     */
    void allOrNone(Command command, Map<Integer, List<Integer>> places) {
        Gathering doing = this;
        new Gathering(fragments, executor, new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        doing.all(command, places);
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        listener.onRejected(rejection);
                    }
                })
                .look(command, places);
    }

    private void look(Command command, Map<Integer, List<Integer>> places) {
        List<UUID> tokens = List.of();
        List<Long> numbers = List.of();
        if (command instanceof Command.Settlement settlement) {
            tokens = settlement.lockTokens();
        } else if (command instanceof Command.RenewLocks renew) {
            tokens = renew.lockTokens();
        } else if (command instanceof Command.CancelScheduledMessages cancel) {
            numbers = cancel.sequenceNumbers();
        }
        if (Set.copyOf(tokens).size() < tokens.size()) {
            executor.execute(() -> listener.onRejected(Rejection.of(ErrorCode.MESSAGE_LOCK_LOST)));
            return;
        }
        open = tokens.size() + numbers.size();
        for (int fragment : places.keySet()) {
            for (int i : places.getOrDefault(fragment, List.of())) {
                if (tokens.isEmpty()) {
                    lookFor(fragment, numbers.get(i));
                } else {
                    Command look = new Command.GetLockedMessage(tokens.get(i));
                    fragments.enqueue(fragment, look, executor, answer(reply -> {}, () -> Reply.Done.INSTANCE));
                }
            }
        }
    }

    private void lookFor(int fragment, long number) {
        ReplyListener answer = answer(reply -> {}, () -> Reply.Done.INSTANCE);
        Command look = new Command.PeekMessages(SubQueue.MAIN, number, 1, null);
        fragments.enqueue(fragment, look, executor, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                boolean found = reply instanceof Reply.Messages some
                        && some.messages().stream()
                                .anyMatch(m -> m.sequenceNumber() == number && m.state() == MessageState.SCHEDULED);
                if (found) {
                    answer.onReply(reply);
                } else {
                    answer.onRejected(Rejection.of(ErrorCode.MESSAGE_NOT_FOUND));
                }
            }

            @Override
            public void onRejected(Rejection rejection) {
                answer.onRejected(rejection);
            }
        });
    }

    private void all(Command command, Map<Integer, List<Integer>> places) {
        long[] times = new long[places.values().stream().mapToInt(List::size).sum()];
        open = places.size();
        Reply whole = command instanceof Command.RenewLocks ? new Reply.LocksRenewed(times) : Reply.Done.INSTANCE;
        places.forEach((fragment, mine) -> fragments.enqueue(
                fragment,
                share(command, mine),
                executor,
                answer(
                        reply -> {
                            if (reply instanceof Reply.LocksRenewed renewed) {
                                for (int i = 0; i < mine.size(); i++) {
                                    times[mine.get(i)] = renewed.lockedUntilMs()[i];
                                }
                            }
                        },
                        () -> whole)));
    }

    private static Command share(Command command, List<Integer> places) {
        if (command instanceof Command.CompleteMessages complete) {
            return new Command.CompleteMessages(pick(complete.lockTokens(), places));
        } else if (command instanceof Command.AbandonMessages abandon) {
            return new Command.AbandonMessages(pick(abandon.lockTokens(), places), abandon.propertiesToModify());
        } else if (command instanceof Command.ReleaseMessages release) {
            return new Command.ReleaseMessages(pick(release.lockTokens(), places));
        } else if (command instanceof Command.DeferMessages defer) {
            return new Command.DeferMessages(pick(defer.lockTokens(), places), defer.propertiesToModify());
        } else if (command instanceof Command.DeadLetterMessages dead) {
            return new Command.DeadLetterMessages(
                    pick(dead.lockTokens(), places), dead.reason(), dead.description(), dead.propertiesToModify());
        } else if (command instanceof Command.RenewLocks renew) {
            return new Command.RenewLocks(pick(renew.lockTokens(), places));
        } else if (command instanceof Command.CancelScheduledMessages cancel) {
            return new Command.CancelScheduledMessages(pick(cancel.sequenceNumbers(), places));
        }
        throw new IllegalStateException("Expected a command that can be shared, but got " + command + ".");
    }

    private static <T> List<T> pick(List<T> things, List<Integer> places) {
        return places.stream().map(things::get).toList();
    }

    /** SESS-17 over all fragments, in the order of the ids. */
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

    /** PART-57, of the fragments that can be reached (PART-58). */
    void counts() {
        List<MessageCounts> found = new ArrayList<>();
        open = fragments.count();
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
                            () -> new Reply.Counts(found.stream().reduce(Fragments.NO_COUNTS, MessageCounts::plus)))));
        }
    }

    /** Takes a fragment that cannot be reached for one that has nothing. */
    private static ReplyListener passingOver(ReplyListener answer) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                answer.onReply(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (rejection.code().retryable()) {
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
            outcome = failure;
        }
        if (outcome == null) {
            listener.onReply(whole.get());
        } else {
            listener.onRejected(outcome);
        }
    }
}
