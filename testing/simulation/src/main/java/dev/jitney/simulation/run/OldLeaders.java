package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.cluster.Leadership;
import dev.jitney.simulation.disk.SimulatedCrash;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Lock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The brokers of nodes that do not know yet that another node leads, and their clients. They may refuse everything. They
 * acknowledge nothing (CL-2, CL-10) and deliver nothing (CL-9).
 */
final class OldLeaders {
    private static final int OLD_MAX = 3;

    private final World world;
    private final Messages messages = new Messages();
    private final List<Old> all = new ArrayList<>();

    /** An old broker with the receivers and locks of its clients. */
    private record Old(BrokerProcess process, Leadership leadership, List<Listener> listeners, List<Lock> locks) {}

    OldLeaders(World world) {
        this.world = world;
    }

    /** Called when another leader is elected. */
    void add(BrokerProcess process, Leadership leadership) {
        if (!leadership.isRunning() && !leadership.isFrozen()) {
            return; // it was killed
        }
        all.add(new Old(
                process,
                leadership,
                List.copyOf(world.ledger().requests().openListeners()),
                List.copyOf(world.ledger().requests().locks())));
        if (all.size() > OLD_MAX && !all.get(0).process.isStalled()) {
            end(all.remove(0));
        }
    }

    /** Called when a node is killed. */
    void killed(int node) {
        all.removeIf(old -> old.leadership.nodeNumber() == node);
    }

    /** Returns whether the broker of a node is in the middle of a commit. */
    boolean isStalled(int node) {
        return all.stream().anyMatch(old -> old.leadership.nodeNumber() == node && old.process.isStalled());
    }

    /** Lets all nodes notice that they lead no more. */
    void end() {
        all.forEach(OldLeaders::end);
        all.clear();
    }

    private static void end(Old old) {
        old.leadership.end();
        old.process.driven.broker().abandon();
    }

    /** Lets an old broker or one of its clients do something. */
    Object perform(SeededRandom random) {
        if (all.isEmpty()) {
            return "";
        }
        Old old = all.get(random.below(all.size()));
        if (!old.leadership.isRunning()) {
            return "";
        }
        int store = random.below(world.stores());
        switch (random.below(8)) {
            case 0 -> {
                old.leadership.end();
                if (!old.process.isStalled()) {
                    old.process.driven.broker().abandon();
                    all.remove(old);
                }
            }
            case 1 -> send(old, random);
            case 2 -> settle(old, random);
            case 3 -> receive(old, random);
            case 4 -> demand(old, random);
            default -> turn(old, store);
        }
        return old.leadership;
    }

    private void turn(Old old, int store) {
        if (!old.process.stalled[store]) {
            try {
                old.process.driven.turn(store);
            } catch (SimulatedCrash e) {
                all.remove(old);
                old.leadership.kill();
            }
        }
    }

    private void send(Old old, SeededRandom random) {
        String path = world.administration().sender(random);
        Entity entity = path == null
                ? null
                : old.process.driven.broker().namespace(null).entity(path);
        if (entity != null) {
            Messages.Made made = messages.make(random, 0, Messages.Key.make(random, true));
            entity.submit(new Command.SendMessages(List.of(made.message())), Runnable::run, new Unanswered("a send"));
        }
    }

    private void settle(Old old, SeededRandom random) {
        if (!old.locks.isEmpty()) {
            Lock lock = old.locks.get(random.below(old.locks.size()));
            UUID token = lock.token();
            Entity entity = old.process.driven.broker().namespace(null).entity(lock.path());
            if (entity != null) {
                entity.submit(
                        new Command.CompleteMessages(List.of(token)), Runnable::run, new Unanswered("a settlement"));
            }
        }
    }

    private void receive(Old old, SeededRandom random) {
        String path = world.administration().source(random);
        if (path == null) {
            return;
        }
        Entity entity = old.process.driven.broker().namespace(null).entity(path);
        if (entity != null) {
            ReceiveMode mode = random.oneOf(ReceiveMode.values());
            Receiver receiver =
                    entity.attach(SubQueue.MAIN, mode, Runnable::run, new Unserved(path), ReplyListener.IGNORE);
            receiver.setCredit(10, false);
        }
    }

    private static void demand(Old old, SeededRandom random) {
        if (!old.listeners.isEmpty()) {
            Listener listener = old.listeners.get(random.below(old.listeners.size()));
            listener.receiver().setCredit(listener.delivered + 1 + random.below(5), random.perMille(300));
        }
    }

    /** The listener of a request that must not succeed. */
    private record Unanswered(String request) implements ReplyListener {
        @Override
        public void onReply(Reply reply) {
            throw new Violation(
                    "CL-2: Expected a former leader to acknowledge nothing, but it answered " + request + ".");
        }

        @Override
        public void onRejected(Rejection rejection) {}
    }

    /** The listener of a receiver that must not get anything. */
    private record Unserved(String path) implements ReceiverListener {
        @Override
        public void onDelivered(MessageView message) {
            throw new Violation(
                    "CL-9: Expected a former leader to deliver nothing, but it delivered a message of " + path + ".");
        }

        @Override
        public void onDrained(long deliveryLimit) {}

        @Override
        public void onSuspended(Rejection reason) {}

        @Override
        public void onClosed(Rejection reason) {}
    }
}
