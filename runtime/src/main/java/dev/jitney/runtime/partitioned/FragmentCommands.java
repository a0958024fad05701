package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.core.partition.PeekOrder;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * What is asked of a partitioned entity, and which of its fragments answers: the one that has what it is about (PART-64), or
 * several together. Any thread may call it.
 */
final class FragmentCommands {
    private final ServedEntity whole;
    private final FragmentTable fragments;
    private final FragmentSends sends;
    private final FragmentReceivers receivers;

    FragmentCommands(ServedEntity whole, FragmentTable fragments, FragmentSends sends, FragmentReceivers receivers) {
        this.whole = whole;
        this.fragments = fragments;
        this.sends = sends;
        this.receivers = receivers;
    }

    /** Has the whole do something. */
    void submit(Command command, Executor executor, ReplyListener listener) {
        if (command instanceof Command.SendMessages send) {
            sends.send(send, executor, listener);
        } else if (command instanceof Command.Settlement settlement
                && settlement.lockTokens().size() == 1) { // as nearly all are
            fragments.enqueue(FragmentTokens.fragment(settlement.lockTokens().get(0)), command, executor, listener);
        } else if (command instanceof Command.SetCredit credit) {
            receivers.credit(credit);
        } else if (command instanceof Command.GetCounts) {
            new ScatterGather(fragments, executor, listener).counts();
        } else if (command instanceof Command.PeekMessages peek) {
            peek(peek, executor, counted(peek, listener));
        } else if (command instanceof Command.BatchDeleteMessages) { // PURGE-2
            Rejection refusal = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "'" + whole.path() + "' is partitioned, so that messages cannot be deleted in batches. Receive them"
                            + " in receive-and-delete mode.");
            executor.execute(() -> listener.onRejected(refusal));
        } else if (command instanceof Command.ListSessions list) {
            new ScatterGather(fragments, executor, counted(list, listener)).sessions(list);
        } else {
            route(command, executor, ServedEntity.isCountedByTheWhole(command) ? counted(command, listener) : listener);
        }
    }

    /** Counts what is of {@link ServedEntity#isCountedByTheWhole} when it is done. */
    private ReplyListener counted(Command command, ReplyListener listener) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                whole.count(command, reply);
                listener.onReply(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                listener.onRejected(rejection);
            }
        };
    }

    /** What is about things that one fragment has, or several have and each can do for itself. */
    private void route(Command command, Executor executor, ReplyListener listener) {
        Map<Integer, List<Integer>> places = places(command);
        if (places.size() > 1 && command instanceof Command.ReceiveDeferredMessages) { // DEFER-10
            Rejection mixed = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected sequence numbers of one partition in one request, but they are of " + places.size()
                            + ". The upper 16 bits of a number tell its partition.");
            executor.execute(() -> listener.onRejected(mixed));
        } else if (places.size() == 1) {
            int fragment = places.keySet().iterator().next();
            fragments.enqueue(fragment, receivers.translate(command), executor, listener);
        } else {
            new TwoPhaseRequest(fragments, command, places, executor, listener).begin();
        }
    }

    /** Which fragments a command is about, each with the places of its things in the command. */
    static Map<Integer, List<Integer>> places(Command command, int count) {
        Map<Integer, List<Integer>> places = new TreeMap<>();
        if (command instanceof Command.Settlement settlement) {
            addTokens(settlement.lockTokens(), places);
        } else if (command instanceof Command.RenewLocks renew) {
            addTokens(renew.lockTokens(), places);
        } else if (command instanceof Command.GetLockedMessage locked) {
            addTokens(List.of(locked.lockToken()), places);
        } else if (command instanceof Command.CancelScheduledMessages cancel) {
            addNumbers(cancel.sequenceNumbers(), places);
        } else if (command instanceof Command.ReceiveDeferredMessages receive && receive.session() == null) {
            addNumbers(receive.sequenceNumbers(), places);
        } else {
            places.put(KeyHash.fragment(sessionOf(command), count), List.of());
        }
        if (places.isEmpty()) {
            places.put(0, List.of()); // which says what is missing
        }
        return places;
    }

    private Map<Integer, List<Integer>> places(Command command) {
        return places(command, fragments.count());
    }

    private static void addTokens(List<UUID> tokens, Map<Integer, List<Integer>> places) {
        for (int i = 0; i < tokens.size(); i++) {
            places.computeIfAbsent(FragmentTokens.fragment(tokens.get(i)), none -> new ArrayList<>())
                    .add(i);
        }
    }

    private static void addNumbers(List<Long> numbers, Map<Integer, List<Integer>> places) {
        for (int i = 0; i < numbers.size(); i++) {
            places.computeIfAbsent(FragmentNumbers.fragment(numbers.get(i)), none -> new ArrayList<>())
                    .add(i);
        }
    }

    private static String sessionOf(Command command) {
        if (command instanceof Command.ReceiveDeferredMessages receive && receive.session() != null) {
            return receive.session().sessionId(); // all it has are in its fragment (SESS-14)
        } else if (command instanceof Command.RenewSessionLock renew) {
            return renew.session().sessionId();
        } else if (command instanceof Command.GetSessionState get) {
            return get.sessionId();
        } else if (command instanceof Command.SetSessionState set) {
            return set.session().sessionId();
        }
        throw new IllegalStateException("Expected a command that can be routed, but got " + command + ".");
    }

    /** PEEK-9: from one fragment, the first from there on that has something; what is not available is passed over. */
    private void peek(Command.PeekMessages peek, Executor executor, ReplyListener listener) {
        String session = peek.sessionId();
        if (session != null) {
            fragments.enqueue(KeyHash.fragment(session, fragments.count()), peek, executor, listener);
            return;
        }
        long from = peek.fromSequenceNumber();
        peek(peek, PeekOrder.first(from, fragments.count()), executor, listener);
    }

    private void peek(Command.PeekMessages peek, int first, Executor executor, ReplyListener listener) {
        int fragment = first;
        while (fragment < fragments.count() && !fragments.isAvailable(fragment)) {
            fragment++;
        }
        if (fragment >= fragments.count()) {
            executor.execute(() -> listener.onReply(new Reply.Messages(List.of())));
            return;
        }
        int asked = fragment;
        long start = PeekOrder.start(asked, peek.fromSequenceNumber());
        Command.PeekMessages part = new Command.PeekMessages(peek.subQueue(), start, peek.messageCount(), null);
        fragments.part(asked).enqueue(part, executor, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                if (reply instanceof Reply.Messages found && !found.messages().isEmpty()) {
                    listener.onReply(reply);
                } else {
                    peek(peek, asked + 1, executor, listener);
                }
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (rejection.code().retryable()) {
                    peek(peek, asked + 1, executor, listener);
                } else {
                    listener.onRejected(rejection);
                }
            }
        });
    }
}
