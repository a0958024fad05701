package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.core.partition.PeekOrder;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.namespace.ServedSubscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Routes commands for a partitioned entity to the fragment that has the messages, locks or session concerned
 * (PART-64), or to several fragments together. Any thread may call it.
 */
final class FragmentCommands {
    private static final Rejection NOT_AVAILABLE =
            new Rejection(ErrorCode.SERVER_BUSY, "No partition of the entity is available. Try again later.");

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

    /** Executes a command for the whole entity. */
    void submit(Command command, Executor executor, ReplyListener listener) {
        switch (command.kind().routing()) {
            case BY_KEY -> sends.send((Command.SendMessages) command, executor, listener);
            case LIKE_SEND -> sends.explain((Command.ExplainSend) command, executor, listener);
            case BY_TOKEN -> {
                if (command instanceof Command.Settlement settlement
                        && settlement.lockTokens().size() == 1) { // the most frequent case
                    UUID token = settlement.lockTokens().get(0);
                    fragments.enqueue(FragmentTokens.fragment(token), command, executor, listener);
                } else {
                    route(command, executor, counted(command, listener));
                }
            }
            case BY_NUMBER, BY_SESSION -> route(command, executor, counted(command, listener));
            case BY_RECEIVER -> receivers.credit((Command.SetCredit) command);
            case ALL_COUNTS -> new ScatterGather(fragments, executor, listener).counts();
            case ALL_SESSIONS ->
                new SessionListing(
                                (Command.ListSessions) command,
                                whole.limits().maxPeekCount(),
                                fragments,
                                executor,
                                counted(command, listener))
                        .begin();
            case BY_POSITION -> search((Command.SearchMessages) command, executor, listener);
            case BY_SESSION_PLACE -> browse((Command.BrowseSessions) command, new AtomicInteger(), executor, listener);
            case FIRST_WITH_MESSAGES -> peek((Command.PeekMessages) command, executor, counted(command, listener));
            case REFUSED -> { // PURGE-2
                Rejection refusal = new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "'" + whole.path() + "' is partitioned, so messages cannot be deleted in batches. Receive"
                                + " them in receive-and-delete mode instead.");
                executor.execute(() -> listener.onRejected(refusal));
            }
            case OF_ONE_FRAGMENT -> throw unrouted(command);
        }
    }

    /** Counts a command when it succeeds, if the whole counts it ({@link ServedEntity#isCountedByTheWhole}). */
    private ReplyListener counted(Command command, ReplyListener listener) {
        if (!ServedEntity.isCountedByTheWhole(command)) {
            return listener;
        }
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

            @Override
            public boolean isAbandoned() {
                return listener.isAbandoned();
            }

            @Override
            public @Nullable Object client() {
                return listener.client();
            }
        };
    }

    /**
     * Routes a command whose items are in one fragment, or in several fragments that can each process their own
     * items.
     */
    private void route(Command command, Executor executor, ReplyListener listener) {
        Map<Integer, List<Integer>> places = places(command);
        if (places.size() > 1 && command instanceof Command.ReceiveDeferredMessages) { // DEFER-10
            Rejection mixed = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected sequence numbers of one partition in one request, but got those of " + places.size()
                            + ". The upper 16 bits of a number are its partition.");
            executor.execute(() -> listener.onRejected(mixed));
        } else if (places.size() == 1) {
            int fragment = places.keySet().iterator().next();
            fragments.enqueue(fragment, receivers.translate(command), executor, listener);
        } else {
            new TwoPhaseRequest(fragments, (Command.Shareable) command, places, executor, listener).begin();
        }
    }

    /** Returns the fragments that a command concerns, each with the indexes of its items in the command. */
    Map<Integer, List<Integer>> places(Command command) {
        Map<Integer, List<Integer>> places = new TreeMap<>();
        SessionHold hold = command instanceof Command.OfSessionHolder holder ? holder.session() : null;
        String session = command instanceof Command.NamesSession named ? named.sessionId() : null;
        if (hold != null) {
            places.put(receivers.fragment(hold), List.of()); // one fragment has the whole session (SESS-14)
        } else if (session != null) {
            places.put(KeyHash.fragment(session, fragments.count()), List.of());
        } else if (command instanceof Command.NamesLocks named) {
            addTokens(named.lockTokens(), places);
        } else if (command instanceof Command.NamesMessages named) {
            addNumbers(named.sequenceNumbers(), places);
        } else {
            throw unrouted(command);
        }
        if (places.isEmpty()) {
            places.put(0, List.of()); // any fragment, which reports the missing items
        }
        return places;
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

    private static IllegalStateException unrouted(Command command) {
        return new IllegalStateException("Expected a command that can be routed, but got " + command + ".");
    }

    /**
     * Peeks from one fragment: the first available one, from the starting number on, that has messages (PEEK-9). The id of
     * a session selects the fragment, but rules of a subscription can change ids (PART-27, RULE-13).
     */
    private void peek(Command.PeekMessages peek, Executor executor, ReplyListener listener) {
        String session = peek.sessionId();
        if (session != null && !(whole instanceof ServedSubscription)) {
            fragments.enqueue(KeyHash.fragment(session, fragments.count()), peek, executor, listener);
            return;
        }
        new Peeking(peek, executor, listener).go(PeekOrder.first(peek.fromSequenceNumber(), fragments.count()));
    }

    /** Searches in one fragment. After its last message the search continues in the next one. */
    private void search(Command.SearchMessages search, Executor executor, ReplyListener listener) {
        int fragment = PeekOrder.first(search.fromSequenceNumber(), fragments.count());
        if (fragment >= fragments.count()) {
            Reply nothing = new Reply.Found(List.of(), 0, Reply.Found.END, 0, null);
            executor.execute(() -> listener.onReply(nothing));
            return;
        }
        if (!fragments.isAvailable(fragment)) {
            executor.execute(() -> listener.onRejected(NOT_AVAILABLE));
            return;
        }
        Command part = search.from(PeekOrder.start(fragment, search.fromSequenceNumber()));
        fragments.part(fragment).enqueue(part, executor, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                Reply.Found found = (Reply.Found) reply;
                boolean over = found.next() == Reply.Found.END;
                listener.onReply(
                        over && fragment + 1 < fragments.count()
                                ? found.next(PeekOrder.start(fragment + 1, 0))
                                : found);
            }

            @Override
            public void onRejected(Rejection rejection) {
                listener.onRejected(rejection);
            }
        });
    }

    /**
     * Lists sessions of one fragment. After its last session the list continues in the next one. Fragments that are not available are
     * left out and counted, because a client cannot name the place behind them.
     *
     * @param unavailable the number of fragments that were left out so far; one thread at a time changes it
     */
    private void browse(
            Command.BrowseSessions browse, AtomicInteger unavailable, Executor executor, ReplyListener listener) {
        SessionPlace from = browse.from();
        String session = from.afterSessionId();
        int fragment = from.fragment() == SessionPlace.OF_SESSION && session != null
                ? KeyHash.fragment(session, fragments.count())
                : Math.max(0, from.fragment());
        if (fragment >= fragments.count()) {
            Reply nothing = new Reply.SessionPage(List.of(), 0, null, unavailable.get());
            executor.execute(() -> listener.onReply(nothing));
            return;
        }
        SessionPlace next = new SessionPlace(fragment + 1, null);
        if (!fragments.isAvailable(fragment)) {
            unavailable.incrementAndGet();
            browse(browse.from(next), unavailable, executor, listener);
            return;
        }
        Command part = browse.from(new SessionPlace(fragment, session));
        fragments.part(fragment).enqueue(part, executor, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                Reply.SessionPage page = (Reply.SessionPage) reply;
                boolean over = page.next() == null;
                listener.onReply(new Reply.SessionPage(
                        page.sessions(),
                        page.scanned(),
                        over && fragment + 1 < fragments.count() ? next : page.next(),
                        unavailable.get()));
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (rejection.code().retryable()) {
                    unavailable.incrementAndGet();
                    browse(browse.from(next), unavailable, executor, listener);
                } else {
                    listener.onRejected(rejection);
                }
            }
        });
    }

    /** A peek that reads one fragment after the other. */
    private final class Peeking {
        private final Command.PeekMessages peek;
        private final Executor executor;
        private final ReplyListener listener;

        /** The refusal of a fragment that failed meanwhile, or null. */
        private @Nullable Rejection refusal;

        private boolean answered;

        /** True if a fragment was passed over because it is not available. */
        private boolean incomplete;

        Peeking(Command.PeekMessages peek, Executor executor, ReplyListener listener) {
            this.peek = peek;
            this.executor = executor;
            this.listener = listener;
        }

        /** Sends the peek to the first available fragment from a number on. */
        void go(int first) {
            int fragment = first;
            while (fragment < fragments.count() && !fragments.isAvailable(fragment)) {
                fragment++;
                incomplete = true;
            }
            if (fragment < fragments.count()) {
                ask(fragment);
            } else {
                executor.execute(this::end);
            }
        }

        private void ask(int fragment) {
            long start = PeekOrder.start(fragment, peek.fromSequenceNumber());
            Command.PeekMessages part = peek.from(start);
            fragments.part(fragment).enqueue(part, executor, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    if (reply instanceof Reply.Messages found
                            && !found.messages().isEmpty()) {
                        listener.onReply(reply);
                    } else {
                        answered = true;
                        go(fragment + 1);
                    }
                }

                @Override
                public void onRejected(Rejection rejection) {
                    if (rejection.code().retryable()) {
                        refusal = rejection;
                        go(fragment + 1);
                    } else {
                        listener.onRejected(rejection);
                    }
                }

                @Override
                public boolean isAbandoned() {
                    return listener.isAbandoned();
                }

                @Override
                public @Nullable Object client() {
                    return listener.client();
                }
            });
        }

        /** Reports that there are no messages, unless that is not certain: no fragment has said so, or one has failed. */
        private void end() {
            if (refusal != null) {
                listener.onRejected(refusal);
            } else if (incomplete && peek.sessionId() != null) {
                listener.onRejected(NOT_AVAILABLE); // that fragment may have the session
            } else if (answered || PeekOrder.first(peek.fromSequenceNumber(), fragments.count()) >= fragments.count()) {
                listener.onReply(new Reply.Messages(List.of()));
            } else {
                listener.onRejected(NOT_AVAILABLE);
            }
        }
    }
}
