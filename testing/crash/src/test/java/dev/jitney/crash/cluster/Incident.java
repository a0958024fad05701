package dev.jitney.crash.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** The incidents that a cluster must survive, with their weights. */
enum Incident {
    /** {@code kill -9} of the leader. */
    KILL_LEADER(8),
    /** {@code kill -9} of a follower. */
    KILL_FOLLOWER(4),
    /** {@code kill -9} of the leader and, when another node leads, of that one too, so that no majority remains. */
    KILL_TWO(2),
    /** {@code kill -9} of all nodes at the same time (CL-46). */
    KILL_ALL(2),
    /** The leader is frozen for longer than an election, and then continues. */
    FREEZE_LEADER(3),
    /** A follower is frozen, and then continues. */
    FREEZE_FOLLOWER(2),
    /** A follower is killed and loses its disk (CL-47). */
    WIPE_FOLLOWER(2),
    /** A follower finds bytes of its log changed when it starts, and stays away until its disk is emptied (CL-42). */
    DAMAGED_LOG(2),
    /** The disk of a follower's log is full, and later has room again (CL-42). */
    FULL_LOG_DISK(2),
    /** The disk of the leader's log is full, and later has room again (CL-16, CL-43). */
    FULL_LEADER_LOG_DISK(1),
    /** The disks of the logs of the leader and of a follower are full, so that no majority has room (CL-43). */
    FULL_LOG_DISKS(1),
    /** An operator moves the leadership to a follower in the moment in which the disk of its log is full (CL-42). */
    FULL_NEXT_LEADER_LOG_DISK(1),
    /** Each sync of the leader's disk takes up to a second. Sometimes it is killed meanwhile. */
    SLOW_LEADER_DISK(2),
    /** Each sync of a follower's disk takes up to a second. It must not slow down the others (CL-44). */
    SLOW_FOLLOWER_DISK(1),
    /** Each sync of the disks of the leader and of a follower takes up to a second. */
    SLOW_DISKS(1),
    /** The leader receives SIGTERM and passes the leadership on (CL-15). */
    STOP_LEADER(2),
    /** An operator moves the leadership (CL-17). */
    MOVE_LEADER(2);

    /** The incidents that need small disks for the logs. */
    static final Set<Incident> OF_SMALL_DISKS =
            Set.of(FULL_LOG_DISK, FULL_LEADER_LOG_DISK, FULL_LOG_DISKS, FULL_NEXT_LEADER_LOG_DISK);

    /** The incidents that need a library between the nodes and the system. */
    static final Set<Incident> OF_SLOW_DISKS = Set.of(SLOW_LEADER_DISK, SLOW_FOLLOWER_DISK, SLOW_DISKS);

    private final int weight;

    Incident(int weight) {
        this.weight = weight;
    }

    /**
     * Returns a sequence in which each incident occurs before one occurs again, as often as its weight. With {@code
     * -Djitney.crash.cluster.only=NAME,NAME...} it consists of those incidents.
     *
     * @param without incidents that this machine does not allow
     */
    static List<Incident> sequence(int count, Set<Incident> without, Random random) {
        String only = System.getProperty("jitney.crash.cluster.only", "");
        if (!only.isEmpty()) {
            List<Incident> chosen =
                    Arrays.stream(only.split(",")).map(Incident::valueOf).toList();
            return IntStream.range(0, count)
                    .mapToObj(i -> chosen.get(i % chosen.size()))
                    .toList();
        }
        List<Incident> sequence = new ArrayList<>(List.of(values()));
        sequence.removeAll(without);
        List<Incident> bag = new ArrayList<>();
        for (Incident incident : sequence) {
            bag.addAll(Collections.nCopies(incident.weight, incident));
        }
        Collections.shuffle(sequence, random);
        while (sequence.size() < count) {
            sequence.add(bag.get(random.nextInt(bag.size())));
        }
        return List.copyOf(sequence.subList(0, count));
    }
}
