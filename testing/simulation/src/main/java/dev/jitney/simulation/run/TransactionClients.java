package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.ClientRequests;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Request.Settling;
import dev.jitney.simulation.model.state.TransactionModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The requests of simulated clients that use transactions. */
final class TransactionClients {
    private static final int OPEN_MAX = 3;

    private final World world;
    private final Ledger ledger;
    private final ClientRequests requests;
    private final Messages messages;
    private final Executor wire;
    private final List<Open> open = new ArrayList<>();

    /**
     * An open transaction.
     *
     * @param home the entity of the first operation, which may have been deleted and created again since then
     */
    private record Open(Transaction transaction, TransactionModel model, Entity home) {}

    private record Inside(Request request) {
        @Override
        public String toString() {
            return "in a transaction: " + request;
        }
    }

    TransactionClients(World world, Messages messages, Executor wire) {
        this.world = world;
        this.ledger = world.ledger();
        this.requests = ledger.requests();
        this.messages = messages;
        this.wire = wire;
    }

    /** Submits an operation in an open transaction or in a new one. */
    Object work(SeededRandom random) {
        open.removeIf(one -> one.model.isOver());
        Lock lock = lock(random);
        if (open.size() < OPEN_MAX && (open.isEmpty() || random.perMille(300))) {
            String home = lock != null && random.perMille(700)
                    ? lock.path()
                    : ordinary(world.administration().sender(random));
            Entity entity = home == null ? null : world.entity(home);
            if (entity != null) {
                begin(entity);
            }
        }
        if (open.isEmpty()) {
            return "";
        }
        Open one = open.get(random.below(open.size()));
        TransactionModel model = one.model;
        if (world.entity(model.home()) != one.home) {
            return "";
        }
        if (lock != null && lock.path().equals(model.home()) && random.perMille(600)) {
            return settle(one, lock, random);
        }
        String target = random.perMille(600)
                ? model.home()
                : ordinary(world.administration().sender(random));
        return target != null && world.administration().isSender(target) ? send(one, target, random) : "";
    }

    private void begin(Entity home) {
        try {
            open.add(new Open(world.namespace().beginTransaction(), requests.begin(home.path()), home));
        } catch (BrokerException e) {
            throw new Violation("Expected the namespace to begin a transaction, but got " + e, e);
        }
    }

    private @Nullable Lock lock(SeededRandom random) {
        List<Lock> all = requests.locks();
        Lock lock = all.isEmpty() ? null : all.get(random.below(all.size()));
        return lock == null || lock.isOfSession() || lock.isAskedFor() || ordinary(lock.path()) == null ? null : lock;
    }

    /** Returns the path if its entity is not partitioned, and null otherwise. */
    private @Nullable String ordinary(@Nullable String path) {
        return path == null || world.administration().isPartitioned(path) ? null : path;
    }

    private Object settle(Open one, Lock lock, SeededRandom random) {
        List<UUID> tokens = List.of(lock.token());
        Settling how = random.oneOf(Settling.COMPLETE, Settling.ABANDON, Settling.DEFER, Settling.DEAD_LETTER);
        Command command = switch (how) {
            case ABANDON -> new Command.AbandonMessages(tokens, Map.of());
            case DEFER -> new Command.DeferMessages(tokens, Map.of());
            case DEAD_LETTER -> new Command.DeadLetterMessages(tokens, null, null, Map.of());
            default -> new Command.CompleteMessages(tokens);
        };
        return submit(one, lock.path(), command, requests.settle(lock.path(), how, List.of(lock), false));
    }

    private Object send(Open one, String target, SeededRandom random) {
        List<IncomingMessage> batch = new ArrayList<>();
        List<Request.Sent> sent = new ArrayList<>();
        for (int i = 0; i <= random.below(3); i++) {
            Messages.Made made = messages.make(random, 0);
            batch.add(made.message());
            sent.add(made.sent());
        }
        return submit(one, target, new Command.SendMessages(batch), requests.send(target, sent));
    }

    private Object submit(Open one, String path, Command command, Request request) {
        requests.inside(one.model, request);
        Entity entity = world.entity(path);
        if (entity == null) {
            throw new IllegalStateException("Expected '" + path + "' to exist.");
        }
        one.transaction.submit(
                Transaction.Work.on(entity, command).via(one.home).across(true), wire, request);
        return new Inside(request);
    }

    /** Commits or rolls back a transaction. */
    Object end(SeededRandom random) {
        open.removeIf(one -> one.model.isOver());
        if (open.isEmpty()) {
            return "";
        }
        Open one = open.remove(random.below(open.size()));
        boolean commit = random.perMille(750);
        Request outcome = requests.outcome(one.model, commit);
        if (commit) {
            one.model.commit();
            one.transaction.commit(wire, outcome);
        } else {
            one.model.rollBack();
            one.transaction.rollback(wire, outcome);
        }
        return outcome;
    }
}
