package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction;
import dev.jitney.simulation.Chance;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Dealing;
import dev.jitney.simulation.model.Desk;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.Lock;
import dev.jitney.simulation.model.Request;
import dev.jitney.simulation.model.Request.Settling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What clients do in transactions. */
final class Dealers {
    private static final int OPEN_MAX = 3;

    private final World world;
    private final Ledger ledger;
    private final Desk desk;
    private final Messages messages;
    private final Executor wire;
    private final List<Open> open = new ArrayList<>();

    /** @param home the entity it began with, which may have been deleted since, and another one created in its place */
    private record Open(Transaction transaction, Dealing dealing, Entity home) {}

    private record Inside(Request request) {
        @Override
        public String toString() {
            return "in a transaction: " + request;
        }
    }

    Dealers(World world, Messages messages, Executor wire) {
        this.world = world;
        this.ledger = world.ledger();
        this.desk = ledger.desk();
        this.messages = messages;
        this.wire = wire;
    }

    /** An operation in an open transaction or in a new one. */
    Object work(Chance chance) {
        open.removeIf(one -> one.dealing.isOver());
        Lock lock = lock(chance);
        if (open.size() < OPEN_MAX && (open.isEmpty() || chance.perMille(300))) {
            String home = lock != null && chance.perMille(700)
                    ? lock.path()
                    : ordinary(world.administration().sender(chance));
            Entity entity = home == null ? null : world.entity(home);
            if (entity != null) {
                begin(entity);
            }
        }
        if (open.isEmpty()) {
            return "";
        }
        Open one = open.get(chance.below(open.size()));
        Dealing dealing = one.dealing;
        if (world.entity(dealing.home()) != one.home) {
            return "";
        }
        if (lock != null && lock.path().equals(dealing.home()) && chance.perMille(600)) {
            return settle(one, lock, chance);
        }
        String target = chance.perMille(600)
                ? dealing.home()
                : ordinary(world.administration().sender(chance));
        return target != null && world.administration().isSender(target) ? send(one, target, chance) : "";
    }

    private void begin(Entity home) {
        try {
            open.add(new Open(world.namespace().beginTransaction(), desk.deal(home.path()), home));
        } catch (BrokerException e) {
            throw new Violation("Expected transactions: " + e, e);
        }
    }

    private @Nullable Lock lock(Chance chance) {
        List<Lock> all = desk.locks();
        Lock lock = all.isEmpty() ? null : all.get(chance.below(all.size()));
        return lock == null || lock.isOfSession() || lock.isAskedFor() || ordinary(lock.path()) == null ? null : lock;
    }

    /** The path of an entity, if that is not partitioned. */
    private @Nullable String ordinary(@Nullable String path) {
        return path == null || world.administration().isPartitioned(path) ? null : path;
    }

    private Object settle(Open one, Lock lock, Chance chance) {
        List<UUID> tokens = List.of(lock.token());
        Settling how = chance.oneOf(Settling.COMPLETE, Settling.ABANDON, Settling.DEFER, Settling.DEAD_LETTER);
        Command command = switch (how) {
            case ABANDON -> new Command.AbandonMessages(tokens, Map.of());
            case DEFER -> new Command.DeferMessages(tokens, Map.of());
            case DEAD_LETTER -> new Command.DeadLetterMessages(tokens, null, null, Map.of());
            default -> new Command.CompleteMessages(tokens);
        };
        return submit(one, lock.path(), command, desk.settle(lock.path(), how, List.of(lock), false));
    }

    private Object send(Open one, String target, Chance chance) {
        List<IncomingMessage> batch = new ArrayList<>();
        List<Request.Sent> sent = new ArrayList<>();
        for (int i = 0; i <= chance.below(3); i++) {
            Messages.Made made = messages.make(chance, 0);
            batch.add(made.message());
            sent.add(made.sent());
        }
        return submit(one, target, new Command.SendMessages(batch), desk.send(target, sent));
    }

    private Object submit(Open one, String path, Command command, Request request) {
        desk.inside(one.dealing, request);
        Entity entity = world.entity(path);
        if (entity == null) {
            throw new IllegalStateException("Expected '" + path + "' to be there.");
        }
        one.transaction.submit(
                Transaction.Work.on(entity, command).via(one.home).across(true), wire, request);
        return new Inside(request);
    }

    /** Ends a transaction. */
    Object end(Chance chance) {
        open.removeIf(one -> one.dealing.isOver());
        if (open.isEmpty()) {
            return "";
        }
        Open one = open.remove(chance.below(open.size()));
        boolean commit = chance.perMille(750);
        Request outcome = desk.outcome(one.dealing, commit);
        if (commit) {
            one.dealing.commit();
            one.transaction.commit(wire, outcome);
        } else {
            one.dealing.rollBack();
            one.transaction.rollback(wire, outcome);
        }
        return outcome;
    }
}
