package dev.jitney.simulation.run;

import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.SimulatedCrash;
import dev.jitney.simulation.model.state.Step;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One history: the events of a seed, one after the other, on one thread. The same seed with the same events gives the
 * same history.
 */
public final class Simulation {
    private static final long SECOND_MS = 1_000;

    /** The time to wait for all work to finish at the end, in milliseconds. */
    private static final long PATIENCE_MS = 10 * 60 * SECOND_MS;

    private static final Consumer<String> NOBODY = line -> {};

    private final long seed;
    private final StoreKind kind;
    private final int[] events;
    private final Consumer<String> trace;
    private final World world;
    private final Clients clients;
    private int next;
    private long underWay = -1;

    /** The result of a history. */
    public record Result(long hash, Map<Step, Long> steps) {}

    private Simulation(long seed, StoreKind kind, int[] events, Consumer<String> trace) {
        this.seed = seed;
        this.kind = kind;
        this.events = events;
        this.trace = trace;
        this.world = new World(seed, kind, this::goOnMeanwhile);
        this.clients = new Clients(world);
    }

    /** Runs the first events of a seed. */
    public static Result run(long seed, StoreKind kind, int eventCount) {
        int[] events = new int[eventCount];
        for (int i = 0; i < eventCount; i++) {
            events[i] = i;
        }
        return run(seed, kind, events, NOBODY);
    }

    /**
     * Runs some events of a seed.
     *
     * @param events their numbers, ascending
     * @param trace receives a line for each event
     * @throws Violation if the broker violates a rule of the model
     */
    public static Result run(long seed, StoreKind kind, int[] events, Consumer<String> trace) {
        Simulation simulation = new Simulation(seed, kind, events, trace);
        simulation.run();
        return new Result(
                simulation.world.history().hash(), simulation.world.ledger().steps());
    }

    /** Returns the violation in a history, or null if there is none. */
    public static @Nullable Violation violation(long seed, StoreKind kind, int[] events) {
        try {
            run(seed, kind, events, NOBODY);
            return null;
        } catch (Violation e) {
            return e;
        }
    }

    private void run() {
        while (next < events.length) {
            stepOrDie();
        }
        comeToRest();
    }

    private void stepOrDie() {
        try {
            step();
        } catch (SimulatedCrash e) {
            trace.accept("   the process is killed");
            world.kill();
        }
    }

    private void step() {
        underWay = events[next++];
        SeededRandom random = SeededRandom.of(seed, underWay);
        world.machines().tick(SeededRandom.of(~seed, underWay));
        Event event = Event.choose(kind, random);
        Object what = perform(event, random);
        if (trace != NOBODY && !what.equals("")) {
            trace.accept(underWay + " " + event + " " + what);
        }
        world.history().add(underWay);
    }

    /** Runs events of other shards and clients while a store is in the middle of a commit. */
    private void goOnMeanwhile() {
        BrokerProcess mine = world.process();
        int count = 1 + (int) (underWay % 12);
        trace.accept("   the commit of a store stalls");
        for (int i = 0; i < count && next < events.length; i++) {
            stepMeanwhile(mine);
        }
        trace.accept("   the commit ends");
    }

    /** Runs an event. If the process in the middle of the commit is killed, the commit does not continue. */
    private void stepMeanwhile(BrokerProcess committing) {
        try {
            step();
        } catch (SimulatedCrash e) {
            if (world.process() == committing) {
                throw e;
            }
            trace.accept("   the process is killed");
            world.kill();
        }
    }

    private Object perform(Event event, SeededRandom random) {
        int store = random.below(world.stores());
        switch (event) {
            case TURN -> {
                for (int i = 0; i < world.stores() && !world.hasTasks(store); i++) {
                    store = (store + 1) % world.stores();
                }
                if (trace != NOBODY) {
                    trace.accept(underWay + " TURN " + store);
                }
                world.turn(store);
                return "";
            }
            case PASS_A_MOMENT -> world.time().pass(random.below(random.perMille(300) ? 4 : 200));
            case PASS_TO_TIMER -> {
                long nextMs = world.nextWorkMs();
                long waitMs = nextMs - world.clock().nowMs();
                world.time().pass(nextMs == Long.MAX_VALUE || waitMs < 0 ? 1 : Math.min(waitMs, 600 * SECOND_MS));
            }
            case PASS_LONG -> world.time().pass(random.between(1, 400) * SECOND_MS);
            case TURN_BACK_CLOCK,
                    KILL,
                    KILL_IN_COMMIT,
                    KILL_IN_READ,
                    COMMIT_FAILS,
                    READ_FAILS,
                    STALL,
                    FILL_DISK,
                    MAKE_ROOM,
                    KILL_NODE,
                    FREEZE,
                    CUT_OFF,
                    WIPE,
                    REPAIR,
                    HAND_OVER,
                    FOLLOW,
                    MAINTAIN,
                    VERIFY,
                    SET_CLOCK,
                    OLD_LEADER -> {
                return world.machines().perform(event, random, store);
            }
            case STOP_STORE -> world.operate(store, random.perMille(300));
            case REST -> {
                if (world.isStalled()) {
                    return "";
                }
                world.rest();
            }
            default -> {
                if (!world.machines().isRunning()) {
                    return ""; // the process stands still, and requests wait in the network
                }
                return clients.perform(event, random);
            }
        }
        return world.clock();
    }

    /** Ends all faults, and checks that all requests are answered and all deliverable messages are delivered. */
    private void comeToRest() {
        try {
            world.machines().heal();
            for (int store = 0; store < world.stores(); store++) {
                world.operate(store, false);
            }
            world.rest();
            world.time().pass(PATIENCE_MS); // until the broker reopens failed stores
            world.rest();
            world.administration().enableAll();
            long end = world.clock().nowMs() + (world.administration().hasTemporary() ? 2 : 1) * PATIENCE_MS;
            do {
                world.rest();
                long nextMs = world.nextWorkMs();
                world.time()
                        .pass(Math.max(1, Math.min(nextMs, end) - world.clock().nowMs()));
            } while (world.clock().nowMs() < end);
            world.rest();
            world.ledger().audit().checkRest();
            world.administration().checkRules();
            world.machines().verify();
        } catch (SimulatedCrash e) {
            throw new Violation("Expected no planned crash at the end of the history, but there is one.", e);
        }
    }
}
