package dev.jitney.simulation.run;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.disk.DiskWatcher;
import dev.jitney.simulation.disk.SimulatedCrash;
import dev.jitney.simulation.disk.SimulatedDisk;
import dev.jitney.simulation.disk.SimulatedStore;
import dev.jitney.simulation.disk.Write;
import java.util.ArrayList;
import java.util.List;

/** One machine with a disk for each store. */
final class SingleMachine implements Machines {
    private static final long SECOND_MS = 1_000;

    private final World world;
    private final List<SimulatedDisk> disks = new ArrayList<>();

    SingleMachine(World world, int stores, SeededRandom random) {
        this.world = world;
        for (int i = 0; i < stores; i++) {
            disks.add(new SimulatedDisk(new SeededRandom(random.nextLong()), watcher(i)));
        }
    }

    private DiskWatcher watcher(int store) {
        return new DiskWatcher() {
            @Override
            public void durable(List<Write> writes) {
                world.durable(store, writes);
            }

            @Override
            public void written() {
                world.ledger().written(store);
            }

            @Override
            public void fault() {
                world.ledger().disturb();
                if (world.isTroubled(store)) {
                    world.ledger().storeIsNotBack(store);
                }
            }

            @Override
            public void opened() {
                world.ledger().storeIsBack(store);
            }

            @Override
            public void stalls() {
                world.stalls(store);
            }
        };
    }

    @Override
    public Environment start() {
        List<MessagingStore> stores = new ArrayList<>();
        disks.forEach(disk -> {
            disk.crash();
            stores.add(new SimulatedStore(disk));
        });
        return new Environment(stores, world.time());
    }

    @Override
    public void kill() {}

    @Override
    public void makeRoom() {
        disks.forEach(disk -> disk.leaveRoom(Long.MAX_VALUE));
    }

    @Override
    public void tick(SeededRandom random) {}

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public Object perform(Event event, SeededRandom random, int store) {
        SimulatedDisk disk = disks.get(store);
        switch (event) {
            case TURN_BACK_CLOCK -> {
                world.ledger().clockGoesBack(world.clock().nowMs());
                world.time().pass(-random.between(1, 100) * SECOND_MS);
            }
            case KILL -> throw new SimulatedCrash();
            case KILL_IN_COMMIT ->
                disk.plan(
                        random.perMille(600)
                                ? SimulatedDisk.Plan.KILL_BEFORE_SYNC
                                : SimulatedDisk.Plan.KILL_AFTER_SYNC);
            case KILL_IN_READ -> disk.failNextRead(true);
            case COMMIT_FAILS -> {
                disk.plan(random.perMille(500) ? SimulatedDisk.Plan.FAIL : SimulatedDisk.Plan.REFUSE);
                disk.refuseReopens(random.below(4));
            }
            case READ_FAILS -> disk.failNextRead(false);
            case STALL -> disk.plan(SimulatedDisk.Plan.STALL);
            case FILL_DISK -> disk.leaveRoom(random.between(0, 60_000));
            case MAKE_ROOM -> disk.leaveRoom(Long.MAX_VALUE);
            default -> {
                return "";
            }
        }
        return world.clock();
    }

    @Override
    public void heal() {
        disks.forEach(SimulatedDisk::heal);
    }

    @Override
    public void verify() {}
}
