package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.ClientRequests;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Request.Settling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The simulated clients. They use the locks, sequence numbers and receivers that the ledger knows. */
final class Clients {
    private static final int RECEIVERS_MAX = 6;

    /** The executor of all clients. It keeps replies in the order in which the shard sends them. */
    private static final Executor WIRE = Runnable::run;

    private final World world;
    private final Ledger ledger;
    private final ClientRequests requests;
    private final Messages messages = new Messages();
    private final Sessions sessions;
    private final TransactionClients dealers;
    private final RuleKeeper rules;

    Clients(World world) {
        this.world = world;
        this.ledger = world.ledger();
        this.requests = ledger.requests();
        this.sessions = new Sessions(world, WIRE);
        this.dealers = new TransactionClients(world, messages, WIRE);
        this.rules = new RuleKeeper(world);
    }

    /**
     * Runs an event.
     *
     * @return the request or action, for the trace
     */
    Object perform(Event event, SeededRandom random) {
        return switch (event) {
            case SEND -> send(random, 1, 0);
            case SEND_BATCH -> send(random, 2 + random.below(6), 0);
            case SCHEDULE -> send(random, 1 + random.below(2), random.between(1, 120_000));
            case CANCEL -> cancel(random);
            case ATTACH -> attach(random);
            case DETACH -> detach(random);
            case WANT -> want(random);
            case COMPLETE -> settle(random, Settling.COMPLETE, random.perMille(800) ? 1 : 3);
            case ABANDON -> settle(random, Settling.ABANDON, 1);
            case DEAD_LETTER -> settle(random, Settling.DEAD_LETTER, 1);
            case DEFER -> settle(random, Settling.DEFER, 1);
            case RELEASE -> settle(random, Settling.RELEASE, 1);
            case SETTLE_SEVERAL -> settle(random, random.oneOf(Settling.values()), 2 + random.below(4));
            case RENEW -> renew(random);
            case FETCH_DEFERRED -> fetch(random);
            case PEEK -> peek(random);
            case PURGE -> purge(random);
            case ACCEPT_SESSION ->
                sessions.accept(random, world.administration().source(random));
            case RENEW_SESSION -> sessions.renew(random);
            case SET_STATE -> sessions.setState(random);
            case GET_STATE -> sessions.getState(random);
            case UPDATE -> world.administration().update(random);
            case DELETE -> world.administration().delete(random);
            case CREATE -> world.administration().create(random);
            case CHANGE_RULE -> changeRule(random);
            case DEAL -> dealers.work(random);
            case END_DEAL -> dealers.end(random);
            default -> "";
        };
    }

    private Object submit(String path, Command command, ReplyListener request) {
        Entity entity = world.entity(path);
        if (entity == null) {
            throw new IllegalStateException("Expected '" + path + "' to exist.");
        }
        entity.submit(command, WIRE, request);
        return request;
    }

    private Object send(SeededRandom random, int count, long laterMs) {
        return send(world.administration().sender(random), random, count, laterMs);
    }

    private Object send(@Nullable String path, SeededRandom random, int count, long laterMs) {
        if (path == null || requests.size(path) > world.backlogMax()) {
            return "";
        }
        List<IncomingMessage> batch = new ArrayList<>();
        List<Request.Sent> sent = new ArrayList<>();
        boolean partitioned = world.administration().isPartitioned(path);
        Messages.Key key = partitioned ? key(path, random) : null;
        for (int i = 0; i < count; i++) {
            if (key != null && random.perMille(20)) {
                key = key(path, random); // such a batch is refused
            }
            Messages.Made made =
                    messages.make(random, laterMs == 0 ? 0 : world.clock().nowMs() + laterMs, key);
            batch.add(made.message());
            sent.add(made.sent());
        }
        return submit(path, new Command.SendMessages(batch), requests.send(path, sent));
    }

    private Messages.Key key(String path, SeededRandom random) {
        return Messages.Key.make(random, world.administration().requiresSession(path));
    }

    /** Changes a rule, sometimes with messages directly before and after the change. */
    private Object changeRule(SeededRandom random) {
        String subscription = world.administration().subscription(random);
        if (subscription == null) {
            return "";
        }
        String topic = subscription.substring(0, subscription.indexOf('/'));
        List<Object> done = new ArrayList<>();
        if (random.perMille(500)) {
            done.add(send(topic, random, 1 + random.below(2), 0));
        }
        done.add(rules.change(random, subscription));
        if (random.perMille(500)) {
            done.add(send(topic, random, 1 + random.below(2), 0));
        }
        return done;
    }

    private Object cancel(SeededRandom random) {
        String path = world.administration().sender(random);
        List<Long> known = path == null ? List.of() : requests.numbers(path, Lane.SCHEDULED);
        if (path == null || known.isEmpty()) {
            return "";
        }
        long number = known.get(random.below(known.size()));
        return submit(
                path, new Command.CancelScheduledMessages(List.of(number)), requests.cancel(path, new long[] {number}));
    }

    // --- receivers ---

    private Object attach(SeededRandom random) {
        if (requests.openListeners().size() >= RECEIVERS_MAX) {
            return "";
        }
        String path = world.administration().source(random);
        Entity entity = path == null ? null : world.entity(path);
        if (path == null || entity == null) {
            return "";
        }
        boolean deadLetters = random.perMille(250);
        ReceiveMode mode = random.perMille(150) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        Listener listener = requests.listener(path, deadLetters ? Lane.DEAD_LETTER : Lane.MAIN, mode, false);
        Request answer = requests.attach(listener);
        listener.isServedBy(
                entity.attach(deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, mode, WIRE, listener, answer));
        return answer;
    }

    private @Nullable Listener listener(SeededRandom random) {
        List<Listener> all = requests.openListeners();
        Listener one = all.isEmpty() ? null : all.get(random.below(all.size()));
        return one == null || !one.isOpen() ? null : one;
    }

    private Object detach(SeededRandom random) {
        Listener listener = listener(random);
        if (listener == null) {
            return "";
        }
        listener.leave();
        listener.receiver().detach();
        return listener;
    }

    private Object want(SeededRandom random) {
        Listener listener = listener(random);
        if (listener == null) {
            return "";
        }
        long limit = listener.want(1 + random.below(5));
        listener.ask(limit, random.perMille(200));
        return listener;
    }

    // --- locks ---

    private List<Lock> locks(SeededRandom random, int count) {
        List<Lock> all = requests.locks();
        if (all.isEmpty()) {
            return List.of();
        }
        Lock first = all.get(random.below(all.size()));
        if (first.isInQuestion()) {
            return List.of();
        }
        List<Lock> some = new ArrayList<>();
        some.add(first);
        for (int i = 1; i < count; i++) {
            Lock other = all.get(random.below(all.size()));
            if (other.isBeside(first) && !other.isInQuestion() && !some.contains(other)) {
                some.add(other);
            }
        }
        return some;
    }

    /**
     * Settles messages, sometimes in a turn of their own, so that the commit is delayed if the client does not wait for
     * the reply.
     */
    private Object settle(SeededRandom random, Settling how, int count) {
        if (!random.perMille(300)) {
            return settle(random, how, count, random.perMille(300));
        }
        world.turnAll();
        Object what = settle(random, how, count, random.perMille(800));
        world.turnAll();
        return what;
    }

    private Object settle(SeededRandom random, Settling how, int count, boolean allowsDelay) {
        List<Lock> locks = locks(random, count);
        if (locks.isEmpty()) {
            return "";
        }
        List<UUID> tokens = locks.stream().map(Lock::token).toList();
        Command command = switch (how) {
            case COMPLETE -> new Command.CompleteMessages(tokens);
            case ABANDON -> new Command.AbandonMessages(tokens, Messages.changes(random));
            case DEAD_LETTER -> new Command.DeadLetterMessages(tokens, "reason", null, Map.of());
            case DEFER -> new Command.DeferMessages(tokens, Messages.changes(random));
            case RELEASE -> new Command.ReleaseMessages(tokens);
        };
        String path = locks.get(0).path();
        if (world.entity(path) == null) {
            return "";
        }
        Request request = requests.settle(path, how, locks, allowsDelay);
        if (how == Settling.COMPLETE && locks.size() > 1) {
            submit(path, command, new Together(request, locks, allowsDelay));
            return request;
        }
        return submit(path, command, request);
    }

    /** A reply listener for completions in one command. If the command is refused, it completes each message separately. */
    private final class Together implements ReplyListener {
        private final Request request;
        private final List<Lock> locks;
        private final boolean allowsDelay;

        Together(Request request, List<Lock> locks, boolean allowsDelay) {
            this.request = request;
            this.locks = locks;
            this.allowsDelay = allowsDelay;
        }

        @Override
        public void onReply(Reply reply) {
            request.onReply(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            request.onRejected(rejection);
            if (request.isOutdated()) {
                return;
            }
            for (Lock lock : locks) {
                if (world.entity(lock.path()) != null && !lock.isInQuestion()) {
                    submit(
                            lock.path(),
                            new Command.CompleteMessages(List.of(lock.token())),
                            requests.settle(lock.path(), Settling.COMPLETE, List.of(lock), allowsDelay));
                }
            }
        }

        @Override
        public boolean allowsDelay() {
            return allowsDelay;
        }
    }

    private Object renew(SeededRandom random) {
        List<Lock> locks = locks(random, 1 + random.below(2));
        if (locks.isEmpty() || world.entity(locks.get(0).path()) == null) {
            return "";
        }
        String path = locks.get(0).path();
        List<UUID> tokens = locks.stream().map(Lock::token).toList();
        return submit(path, new Command.RenewLocks(tokens), requests.renew(path, locks));
    }

    private Object fetch(SeededRandom random) {
        String path = world.administration().source(random);
        boolean deadLetters = random.perMille(200);
        Lane lane = deadLetters ? Lane.DEAD_LETTER : Lane.MAIN;
        List<Long> known = path == null ? List.of() : requests.numbers(path, lane);
        if (path == null || known.isEmpty()) {
            return "";
        }
        long number = known.get(random.below(known.size()));
        ReceiveMode mode = random.perMille(200) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        Listener holder = deadLetters ? null : sessions.holder(random, path);
        String session = holder == null ? null : holder.session();
        SessionHold hold = holder == null || session == null
                ? null
                : new SessionHold(holder.receiver().id(), session);
        return submit(
                path,
                new Command.ReceiveDeferredMessages(
                        deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, List.of(number), mode, hold),
                requests.fetch(path, lane, new long[] {number}, mode, holder));
    }

    // --- peek and purge ---

    private Object peek(SeededRandom random) {
        String path = world.administration().source(random);
        if (path == null) {
            return "";
        }
        boolean deadLetters = random.perMille(300);
        int count = random.perMille(100) ? 250 : 1 + random.below(20);
        long from = random.perMille(500) ? 0 : random.below(500);
        if (world.administration().isPartitioned(path) && random.perMille(500)) {
            from |= (long) random.below(world.partitions() + 1) << 48; // PEEK-9; the last number belongs to no fragment
        }
        return submit(
                path,
                new Command.PeekMessages(deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, from, count, null),
                requests.peek(path, deadLetters ? Lane.DEAD_LETTER : Lane.MAIN, from, count));
    }

    private Object purge(SeededRandom random) {
        String path = world.administration().source(random);
        boolean deadLetters = random.perMille(300);
        Lane lane = deadLetters ? Lane.DEAD_LETTER : Lane.MAIN;
        if (path == null || requests.isTakenFrom(path)) {
            return ""; // the reason for a removal would be unknown
        }
        int count = 1 + random.below(20);
        return submit(
                path,
                new Command.BatchDeleteMessages(
                        deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, count, MessageView.NEVER),
                requests.purge(path, lane, count));
    }
}
