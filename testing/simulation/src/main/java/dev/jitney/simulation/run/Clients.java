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
import dev.jitney.simulation.Chance;
import dev.jitney.simulation.model.Desk;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.Listener;
import dev.jitney.simulation.model.Lock;
import dev.jitney.simulation.model.Request;
import dev.jitney.simulation.model.Request.Settling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What clients do. They use whatever the ledger says they know: locks, numbers, receivers. */
final class Clients {
    private static final int RECEIVERS_MAX = 6;

    /** One for all, so that what clients hear keeps the order in which the shard says it. */
    private static final Executor WIRE = Runnable::run;

    private final World world;
    private final Ledger ledger;
    private final Desk desk;
    private final Messages messages = new Messages();
    private final Sessions sessions;
    private final Dealers dealers;
    private final RuleKeeper rules;

    Clients(World world) {
        this.world = world;
        this.ledger = world.ledger();
        this.desk = ledger.desk();
        this.sessions = new Sessions(world, WIRE);
        this.dealers = new Dealers(world, messages, WIRE);
        this.rules = new RuleKeeper(world);
    }

    /** @return what is done, for the trace */
    Object perform(Event event, Chance chance) {
        return switch (event) {
            case SEND -> send(chance, 1, 0);
            case SEND_BATCH -> send(chance, 2 + chance.below(6), 0);
            case SCHEDULE -> send(chance, 1 + chance.below(2), chance.between(1, 120_000));
            case CANCEL -> cancel(chance);
            case ATTACH -> attach(chance);
            case DETACH -> detach(chance);
            case WANT -> want(chance);
            case COMPLETE -> settle(chance, Settling.COMPLETE, chance.perMille(800) ? 1 : 3);
            case ABANDON -> settle(chance, Settling.ABANDON, 1);
            case DEAD_LETTER -> settle(chance, Settling.DEAD_LETTER, 1);
            case DEFER -> settle(chance, Settling.DEFER, 1);
            case RELEASE -> settle(chance, Settling.RELEASE, 1);
            case SETTLE_SEVERAL -> settle(chance, chance.oneOf(Settling.values()), 2 + chance.below(4));
            case RENEW -> renew(chance);
            case FETCH_DEFERRED -> fetch(chance);
            case PEEK -> peek(chance);
            case PURGE -> purge(chance);
            case ACCEPT_SESSION ->
                sessions.accept(chance, world.administration().source(chance));
            case RENEW_SESSION -> sessions.renew(chance);
            case SET_STATE -> sessions.setState(chance);
            case GET_STATE -> sessions.getState(chance);
            case UPDATE -> world.administration().update(chance);
            case DELETE -> world.administration().delete(chance);
            case CREATE -> world.administration().create(chance);
            case CHANGE_RULE -> changeRule(chance);
            case DEAL -> dealers.work(chance);
            case END_DEAL -> dealers.end(chance);
            default -> "";
        };
    }

    private Object submit(String path, Command command, ReplyListener request) {
        Entity entity = world.entity(path);
        if (entity == null) {
            throw new IllegalStateException("Expected '" + path + "' to be there.");
        }
        entity.submit(command, WIRE, request);
        return request;
    }

    private Object send(Chance chance, int count, long laterMs) {
        return send(world.administration().sender(chance), chance, count, laterMs);
    }

    private Object send(@Nullable String path, Chance chance, int count, long laterMs) {
        if (path == null || desk.size(path) > world.backlogMax()) {
            return "";
        }
        List<IncomingMessage> batch = new ArrayList<>();
        List<Request.Sent> sent = new ArrayList<>();
        boolean partitioned = world.administration().isPartitioned(path);
        Messages.Key key = partitioned ? key(path, chance) : null;
        for (int i = 0; i < count; i++) {
            if (key != null && chance.perMille(20)) {
                key = key(path, chance); // they do not belong together then
            }
            Messages.Made made =
                    messages.make(chance, laterMs == 0 ? 0 : world.clock().nowMs() + laterMs, key);
            batch.add(made.message());
            sent.add(made.sent());
        }
        return submit(path, new Command.SendMessages(batch), desk.send(path, sent));
    }

    private Messages.Key key(String path, Chance chance) {
        return Messages.Key.make(chance, world.administration().requiresSession(path));
    }

    /** Changes a rule, now and then with messages right before it and after it. */
    private Object changeRule(Chance chance) {
        String subscription = world.administration().subscription(chance);
        if (subscription == null) {
            return "";
        }
        String topic = subscription.substring(0, subscription.indexOf('/'));
        List<Object> done = new ArrayList<>();
        if (chance.perMille(500)) {
            done.add(send(topic, chance, 1 + chance.below(2), 0));
        }
        done.add(rules.change(chance, subscription));
        if (chance.perMille(500)) {
            done.add(send(topic, chance, 1 + chance.below(2), 0));
        }
        return done;
    }

    private Object cancel(Chance chance) {
        String path = world.administration().sender(chance);
        List<Long> known = path == null ? List.of() : desk.numbers(path, Lane.SCHEDULED);
        if (path == null || known.isEmpty()) {
            return "";
        }
        long number = known.get(chance.below(known.size()));
        return submit(
                path, new Command.CancelScheduledMessages(List.of(number)), desk.cancel(path, new long[] {number}));
    }

    // --- receivers ---

    private Object attach(Chance chance) {
        if (desk.openListeners().size() >= RECEIVERS_MAX) {
            return "";
        }
        String path = world.administration().source(chance);
        Entity entity = path == null ? null : world.entity(path);
        if (path == null || entity == null) {
            return "";
        }
        boolean deadLetters = chance.perMille(250);
        ReceiveMode mode = chance.perMille(150) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        Listener listener = desk.listener(path, deadLetters ? Lane.DEAD_LETTER : Lane.MAIN, mode, false);
        Request answer = desk.attach(listener);
        listener.isServedBy(
                entity.attach(deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, mode, WIRE, listener, answer));
        return answer;
    }

    private @Nullable Listener listener(Chance chance) {
        List<Listener> all = desk.openListeners();
        Listener one = all.isEmpty() ? null : all.get(chance.below(all.size()));
        return one == null || !one.isOpen() ? null : one;
    }

    private Object detach(Chance chance) {
        Listener listener = listener(chance);
        if (listener == null) {
            return "";
        }
        listener.leave();
        listener.receiver().detach();
        return listener;
    }

    private Object want(Chance chance) {
        Listener listener = listener(chance);
        if (listener == null) {
            return "";
        }
        long limit = listener.want(1 + chance.below(5));
        listener.ask(limit, chance.perMille(200));
        return listener;
    }

    // --- locks ---

    private List<Lock> locks(Chance chance, int count) {
        List<Lock> all = desk.locks();
        if (all.isEmpty()) {
            return List.of();
        }
        Lock first = all.get(chance.below(all.size()));
        if (first.isInQuestion()) {
            return List.of();
        }
        List<Lock> some = new ArrayList<>();
        some.add(first);
        for (int i = 1; i < count; i++) {
            Lock other = all.get(chance.below(all.size()));
            if (other.isBeside(first) && !other.isInQuestion() && !some.contains(other)) {
                some.add(other);
            }
        }
        return some;
    }

    /** Now and then in a turn of its own, so that it lingers if nobody waits for the answer. */
    private Object settle(Chance chance, Settling how, int count) {
        if (!chance.perMille(300)) {
            return settle(chance, how, count, chance.perMille(300));
        }
        world.turnAll();
        Object what = settle(chance, how, count, chance.perMille(800));
        world.turnAll();
        return what;
    }

    private Object settle(Chance chance, Settling how, int count, boolean patient) {
        List<Lock> locks = locks(chance, count);
        if (locks.isEmpty()) {
            return "";
        }
        List<UUID> tokens = locks.stream().map(Lock::token).toList();
        Command command = switch (how) {
            case COMPLETE -> new Command.CompleteMessages(tokens);
            case ABANDON -> new Command.AbandonMessages(tokens, Messages.changes(chance));
            case DEAD_LETTER -> new Command.DeadLetterMessages(tokens, "reason", null, Map.of());
            case DEFER -> new Command.DeferMessages(tokens, Messages.changes(chance));
            case RELEASE -> new Command.ReleaseMessages(tokens);
        };
        String path = locks.get(0).path();
        if (world.entity(path) == null) {
            return "";
        }
        Request request = desk.settle(path, how, locks, patient);
        if (how == Settling.COMPLETE && locks.size() > 1) {
            submit(path, command, new Together(request, locks, patient));
            return request;
        }
        return submit(path, command, request);
    }

    /** Completions that are one command for as long as they can be: if it is refused, each is asked for by itself. */
    private final class Together implements ReplyListener {
        private final Request request;
        private final List<Lock> locks;
        private final boolean patient;

        Together(Request request, List<Lock> locks, boolean patient) {
            this.request = request;
            this.locks = locks;
            this.patient = patient;
        }

        @Override
        public void onReply(Reply reply) {
            request.onReply(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            request.onRejected(rejection);
            for (Lock lock : locks) {
                if (world.entity(lock.path()) != null && !lock.isInQuestion()) {
                    submit(
                            lock.path(),
                            new Command.CompleteMessages(List.of(lock.token())),
                            desk.settle(lock.path(), Settling.COMPLETE, List.of(lock), patient));
                }
            }
        }

        @Override
        public boolean allowsDelay() {
            return patient;
        }
    }

    private Object renew(Chance chance) {
        List<Lock> locks = locks(chance, 1 + chance.below(2));
        if (locks.isEmpty() || world.entity(locks.get(0).path()) == null) {
            return "";
        }
        String path = locks.get(0).path();
        List<UUID> tokens = locks.stream().map(Lock::token).toList();
        return submit(path, new Command.RenewLocks(tokens), desk.renew(path, locks));
    }

    private Object fetch(Chance chance) {
        String path = world.administration().source(chance);
        boolean deadLetters = chance.perMille(200);
        Lane lane = deadLetters ? Lane.DEAD_LETTER : Lane.MAIN;
        List<Long> known = path == null ? List.of() : desk.numbers(path, lane);
        if (path == null || known.isEmpty()) {
            return "";
        }
        long number = known.get(chance.below(known.size()));
        ReceiveMode mode = chance.perMille(200) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        Listener holder = deadLetters ? null : sessions.holder(chance, path);
        String session = holder == null ? null : holder.session();
        SessionHold hold = holder == null || session == null
                ? null
                : new SessionHold(holder.receiver().id(), session);
        return submit(
                path,
                new Command.ReceiveDeferredMessages(
                        deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, List.of(number), mode, hold),
                desk.fetch(path, lane, new long[] {number}, mode, holder));
    }

    // --- looking and clearing ---

    private Object peek(Chance chance) {
        String path = world.administration().source(chance);
        if (path == null) {
            return "";
        }
        boolean deadLetters = chance.perMille(300);
        int count = chance.perMille(100) ? 250 : 1 + chance.below(20);
        long from = chance.perMille(500) ? 0 : chance.below(500);
        if (world.administration().isPartitioned(path) && chance.perMille(500)) {
            from |= (long) chance.below(world.partitions() + 1) << 48; // PEEK-9; the last one is of no fragment
        }
        return submit(
                path,
                new Command.PeekMessages(deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, from, count, null),
                desk.peek(path, deadLetters ? Lane.DEAD_LETTER : Lane.MAIN, from, count));
    }

    private Object purge(Chance chance) {
        String path = world.administration().source(chance);
        boolean deadLetters = chance.perMille(300);
        Lane lane = deadLetters ? Lane.DEAD_LETTER : Lane.MAIN;
        if (path == null || desk.isTakenFrom(path)) {
            return ""; // whose messages have gone could not be told apart
        }
        int count = 1 + chance.below(20);
        return submit(
                path,
                new Command.BatchDeleteMessages(
                        deadLetters ? SubQueue.DEAD_LETTER : SubQueue.MAIN, count, MessageView.NEVER),
                desk.purge(path, lane, count));
    }
}
