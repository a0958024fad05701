package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.core.partition.PeekOrder;
import dev.jitney.core.partition.RoundRobin;
import dev.jitney.core.partition.SendRoute;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The fragments of a partitioned entity, each in a shard of its own as far as there are enough (semantics chapter 17), and the
 * ways to them: a message goes to one of them, a receive asks all of them, everything else is about what one of them has.
 * Any thread may call it.
 */
final class Fragments {
    static final MessageCounts NO_COUNTS = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);

    private final ServedEntity whole;
    private final AtomicReferenceArray<ServedEntity> parts;
    private final RoundRobin turn;

    /** Receivers that stand for one at each fragment, by their numbers. */
    private final Map<Long, Fetcher> receivers = new ConcurrentHashMap<>();

    /** How many have a session or wait for one. */
    private int listeners;

    /** A receiver of the whole. */
    interface Fetcher {
        void credit(Command.SetCredit credit);

        /** Whether its owner wants something now (IDLE-7). */
        boolean isWaiting();

        /** Ends it; its owner is told nothing more. */
        void detach();

        /** The number of the receiver that holds the session, in the fragment. */
        long receiverId();
    }

    Fragments(ServedEntity whole, int count) {
        this.whole = whole;
        this.parts = new AtomicReferenceArray<>(count);
        this.turn = new RoundRobin(count, ThreadLocalRandom.current().nextInt(count));
    }

    /** Adds a fragment, before anybody knows of the entity. */
    void put(ServedEntity part) {
        parts.set(part.fragment(), part);
    }

    int count() {
        return parts.length();
    }

    /** Whether there are all of them. */
    boolean isComplete() {
        for (int i = 0; i < count(); i++) {
            if (parts.get(i) == null) {
                return false;
            }
        }
        return true;
    }

    /** A fragment, or null while the entity is being made. */
    @Nullable
    ServedEntity partOrNull(int fragment) {
        return parts.get(fragment);
    }

    ServedEntity part(int fragment) {
        return Objects.requireNonNull(parts.get(fragment));
    }

    /** Those that there are, in order. */
    List<ServedEntity> all() {
        List<ServedEntity> all = new ArrayList<>(count());
        for (int i = 0; i < count(); i++) {
            ServedEntity part = parts.get(i);
            if (part != null) {
                all.add(part);
            }
        }
        return all;
    }

    /** Whether the shard of a fragment works. */
    boolean isAvailable(int fragment) {
        return part(fragment).shard().isServing();
    }

    /** Whether the shards of all fragments work. */
    boolean areAllAvailable() {
        return all().stream().allMatch(part -> part.shard().isServing());
    }

    /** Whether somebody wants to receive from it, or something waits for its time (IDLE-7). */
    boolean isInUse() {
        return receivers.values().stream().anyMatch(Fetcher::isWaiting) || counts().scheduled() > 0;
    }

    // --- what is shown ---

    /** PART-57. */
    MessageCounts counts() {
        MessageCounts sum = NO_COUNTS;
        for (ServedEntity part : all()) {
            sum = sum.plus(part.counts());
        }
        return sum;
    }

    /** A receiver that goes counts until the fragments that work know it, from when on they are idle (IDLE-2). */
    EntityFigures figures() {
        EntityFigures sum = EntityFigures.NONE;
        int going = 0;
        for (ServedEntity part : all()) {
            EntityFigures figures = part.figures();
            sum = sum.plus(figures);
            if (part.shard().isServing()) {
                going = Math.max(going, figures.receivers());
            }
        }
        return sum.withReceivers(Math.max(going, receivers.size()));
    }

    long accessedAtMs() {
        return all().stream().mapToLong(Entity::accessedAtMs).max().orElse(0);
    }

    // --- messages on their way in ---

    /** What the keys of messages are that a transaction sends: of a topic a subscription may need sessions (PART-49). */
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
        return new KeyRules(count(), sessions, duplicates, whole.limits().maxIdLength());
    }

    /**
     * The fragment for messages that are sent together, or why there is none (PART-24, PART-28, PART-39).
     *
     * @param without fragments that were tried
     */
    private SendRoute route(List<IncomingMessage> messages, IntPredicate without) {
        synchronized (turn) {
            return SendRoute.of(messages, keyRules(), turn, i -> !without.test(i) && isAvailable(i), this::hasRoom);
        }
    }

    /**
     * The fragment for messages that another entity hands on (PART-54), or why none will ever take them. While none is
     * available it is any of those that may: the outbox of the source waits.
     */
    Route destination(List<IncomingMessage> messages) {
        KeyRules.Key key = keyRules().keyOf(messages);
        if (key.refusal() != null) {
            return new Route(null, key.refusal());
        }
        if (key.key() != null) {
            return new Route(part(KeyHash.fragment(key.key(), count())), null);
        }
        synchronized (turn) {
            int fragment = turn.next(i -> isAvailable(i) && hasRoom(i));
            return new Route(part(fragment >= 0 ? fragment : turn.next(i -> true)), null);
        }
    }

    /** A fragment, or why there is none: exactly one of the two. */
    record Route(@Nullable ServedEntity part, @Nullable Rejection refusal) {}

    /** Whether it is not full, as far as it has shown (QUOTA-4). */
    private boolean hasRoom(int fragment) {
        ServedEntity part = part(fragment);
        return part.shard().acceptsGrowth() && part.counts().sizeBytes() < whole.fragmentBytes(megabytes());
    }

    private long megabytes() {
        EntityDescription description = whole.description();
        return description instanceof QueueDescription queue
                ? queue.maxSizeInMegabytes()
                : ((TopicDescription) description).maxSizeInMegabytes(); // nothing else is sent to
    }

    private void send(Command.SendMessages send, Executor executor, ReplyListener listener) {
        send(send, executor, listener, new BitSet(0));
    }

    /** PART-39: what one fragment never got goes to another one, unless its key says where it belongs. */
    private void send(Command.SendMessages send, Executor executor, ReplyListener listener, BitSet tried) {
        SendRoute route = route(send.messages(), tried::get);
        Rejection refusal = route.refusal();
        if (refusal != null) {
            executor.execute(() -> listener.onRejected(refusal));
            return;
        }
        ServedEntity part = part(route.fragment());
        Mailbox.Letter letter = Letters.command(part.id(), send, executor, listener);
        Mailbox.Letter redirected = new Mailbox.Letter() {
            @Override
            public boolean grows() {
                return true;
            }

            @Override
            public long messageBytes() {
                return letter.messageBytes();
            }

            @Override
            public boolean isMovable() {
                return !route.keyed();
            }

            @Override
            public void open(ShardWork shard) {
                letter.open(shard);
            }

            @Override
            public void refuse(Rejection reason) {
                if (route.keyed()) {
                    letter.refuse(SendRoute.unavailable(route.fragment()));
                } else {
                    tried.set(route.fragment());
                    send(send, executor, listener, tried);
                }
            }
        };
        if (!part.shard().mailbox().offer(redirected)) {
            letter.refuse(ServedEntity.tooMuch());
        }
    }

    // --- commands ---

    void submit(Command command, Executor executor, ReplyListener listener) {
        if (command instanceof Command.SendMessages send) {
            send(send, executor, listener);
        } else if (command instanceof Command.Settlement settlement
                && settlement.lockTokens().size() == 1) { // as nearly all are
            enqueue(FragmentTokens.fragment(settlement.lockTokens().get(0)), command, executor, listener);
        } else if (command instanceof Command.SetCredit credit) {
            Fetcher fetcher = receivers.get(credit.receiverId());
            if (fetcher != null) {
                fetcher.credit(credit);
            }
        } else if (command instanceof Command.GetCounts) {
            new Gathering(this, executor, listener).counts();
        } else if (command instanceof Command.PeekMessages peek) {
            peek(peek, executor, counted(peek, listener));
        } else if (command instanceof Command.BatchDeleteMessages) { // PURGE-2
            Rejection refusal = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "'" + whole.path() + "' is partitioned, so that messages cannot be deleted in batches. Receive them"
                            + " in receive-and-delete mode.");
            executor.execute(() -> listener.onRejected(refusal));
        } else if (command instanceof Command.ListSessions list) {
            new Gathering(this, executor, counted(list, listener)).sessions(list);
        } else {
            route(command, executor, listener);
        }
    }

    /** One call, however many fragments were asked (PART-15). */
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
            enqueue(fragment, translate(command), executor, listener);
        } else {
            new Gathering(this, executor, listener).allOrNone(command, places);
        }
    }

    /** Has a fragment do something; one that it does not have means that what it is about is not there (PART-64). */
    void enqueue(int fragment, Command command, Executor executor, ReplyListener listener) {
        if (fragment < count()) {
            part(fragment).enqueue(command, executor, listener);
        } else {
            ErrorCode code = command instanceof Command.Settlement
                            || command instanceof Command.RenewLocks
                            || command instanceof Command.GetLockedMessage
                    ? ErrorCode.MESSAGE_LOCK_LOST
                    : ErrorCode.MESSAGE_NOT_FOUND;
            executor.execute(() -> listener.onRejected(Rejection.of(code)));
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
        return places(command, count());
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
            return get.session().sessionId();
        } else if (command instanceof Command.SetSessionState set) {
            return set.session().sessionId();
        }
        throw new IllegalStateException("Expected a command that can be routed, but got " + command + ".");
    }

    /** Holders of sessions have another number in the fragment. */
    Command translate(Command command) {
        if (command instanceof Command.RenewSessionLock renew) {
            return new Command.RenewSessionLock(translate(renew.session()));
        } else if (command instanceof Command.GetSessionState get) {
            return new Command.GetSessionState(translate(get.session()));
        } else if (command instanceof Command.SetSessionState set) {
            return new Command.SetSessionState(translate(set.session()), set.state());
        } else if (command instanceof Command.ReceiveDeferredMessages receive && receive.session() != null) {
            return new Command.ReceiveDeferredMessages(
                    receive.subQueue(), receive.sequenceNumbers(), receive.mode(), translate(receive.session()));
        }
        return command;
    }

    private SessionHold translate(SessionHold session) {
        Fetcher fetcher = receivers.get(session.receiverId());
        return fetcher == null ? session : new SessionHold(fetcher.receiverId(), session.sessionId());
    }

    /** PEEK-9: from one fragment, the first from there on that has something; what is not available is passed over. */
    private void peek(Command.PeekMessages peek, Executor executor, ReplyListener listener) {
        String session = peek.sessionId();
        if (session != null) {
            enqueue(KeyHash.fragment(session, count()), peek, executor, listener);
            return;
        }
        long from = peek.fromSequenceNumber();
        peek(peek, PeekOrder.first(from, count()), executor, listener);
    }

    private void peek(Command.PeekMessages peek, int first, Executor executor, ReplyListener listener) {
        int fragment = first;
        while (fragment < count() && !isAvailable(fragment)) {
            fragment++;
        }
        if (fragment >= count()) {
            executor.execute(() -> listener.onReply(new Reply.Messages(List.of())));
            return;
        }
        int asked = fragment;
        long start = PeekOrder.start(asked, peek.fromSequenceNumber());
        Command.PeekMessages part = new Command.PeekMessages(peek.subQueue(), start, peek.messageCount(), null);
        part(asked).enqueue(part, executor, new ReplyListener() {
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

    // --- receivers ---

    void attach(Command.AttachReceiver command, Executor executor, ReceiverListener listener, ReplyListener reply) {
        FragmentedReceiver receiver = new FragmentedReceiver(whole, this, command, executor, listener);
        receivers.put(command.receiverId(), receiver);
        receiver.attach(new ReplyListener() {
            @Override
            public void onReply(Reply done) {
                reply.onReply(done);
            }

            @Override
            public void onRejected(Rejection rejection) {
                receivers.remove(command.receiverId());
                reply.onRejected(rejection);
            }
        });
    }

    void acceptSession(
            Command.AcceptSession command, Executor executor, ReceiverListener listener, ReplyListener reply) {
        FragmentedAccept accept = new FragmentedAccept(this, command, executor, listener, reply);
        receivers.put(command.receiverId(), accept);
        listen(1);
        accept.begin();
    }

    /** TTL-31: who has or wants a session in one fragment listens to the sessions in all of them. */
    private synchronized void listen(int more) {
        boolean before = listeners > 0;
        listeners += more;
        boolean now = listeners > 0;
        if (before != now) {
            for (ServedEntity part : all()) {
                tell(part, now);
            }
        }
    }

    /** A fragment whose store starts anew has forgotten it. */
    private void tell(ServedEntity part, boolean listening) {
        part.enqueue(new Command.Listen(listening), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                // It knows.
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (rejection.code().retryable()) {
                    part.shard().whenServing(part, () -> tellAnew(part));
                }
            }
        });
    }

    private synchronized void tellAnew(ServedEntity part) {
        if (listeners > 0) {
            tell(part, true);
        }
    }

    void forget(long receiverId) {
        Fetcher fetcher = receivers.get(receiverId);
        ended(receiverId);
        if (fetcher != null) {
            fetcher.detach();
        }
    }

    /** A receiver has come to its end. */
    void ended(long receiverId) {
        if (receivers.remove(receiverId) instanceof FragmentedAccept) {
            listen(-1);
        }
    }
}
