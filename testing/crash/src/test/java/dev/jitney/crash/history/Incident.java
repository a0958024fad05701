package dev.jitney.crash.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The incidents while a history is recorded. */
enum Incident {
    /** {@code kill -9} of the leader. */
    KILL_LEADER(false),
    /** The leader is frozen until another node leads, and then continues. */
    FREEZE_LEADER(false),
    /** The leader is cut off from the other nodes, but not from its clients. */
    CUT_LEADER(true),
    /** All packets from the leader to other nodes are lost. */
    LEADER_OUTPUT_LOST(true),
    /** All packets from other nodes to the leader are lost. */
    LEADER_INPUT_LOST(true),
    /** {@code kill -9} of all nodes at the same time. */
    KILL_ALL(false),
    /** The leader receives SIGTERM. */
    STOP_LEADER(false);

    private final boolean split;

    Incident(boolean split) {
        this.split = split;
    }

    /** Returns a sequence in which each kind occurs once before one occurs again. The first three are a kill, a freeze and a split. */
    static List<Incident> sequence(int count, boolean splits, Random random) {
        List<Incident> sequence = new ArrayList<>(List.of(KILL_LEADER, FREEZE_LEADER, CUT_LEADER));
        List<Incident> rest = new ArrayList<>(List.of(LEADER_OUTPUT_LOST, LEADER_INPUT_LOST, KILL_ALL, STOP_LEADER));
        Collections.shuffle(rest, random);
        sequence.addAll(rest);
        while (sequence.size() < 2 * count) {
            List<Incident> more = new ArrayList<>(Arrays.asList(values()));
            Collections.shuffle(more, random);
            sequence.addAll(more);
        }
        return sequence.stream()
                .filter(one -> splits || !one.split)
                .limit(count)
                .toList();
    }
}
