package dev.jitney.crash.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

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
    /** The leader receives SIGTERM and passes the leadership on (CL-15). */
    STOP_LEADER(2),
    /** An operator moves the leadership (CL-17). */
    MOVE_LEADER(2);

    private final int weight;

    Incident(int weight) {
        this.weight = weight;
    }

    /**
     * Returns a sequence in which each incident occurs before one occurs again, as often as its weight. With {@code
     * -Djitney.crash.cluster.only=NAME} it consists of that incident.
     *
     * @param without incidents that this machine does not allow
     */
    static List<Incident> sequence(int count, Set<Incident> without, Random random) {
        String only = System.getProperty("jitney.crash.cluster.only", "");
        if (!only.isEmpty()) {
            return Collections.nCopies(count, valueOf(only));
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
