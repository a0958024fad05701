package dev.jitney.crash.split;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The ways in which a network fails. The leader, the first and the second follower are machines of the {@link Network}. */
enum Split {
    /** The leader reaches its clients, but no node. */
    LEADER_REACHES_CLIENTS_ONLY(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, first);
            network.cut(leader, second);
        }
    },

    /** The leader and a follower are on one side, the other follower is alone. */
    LEADER_WITH_ONE(Minority.SECOND) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, second);
            network.cut(first, second);
        }
    },

    /** The machine of the leader falls silent: no machine gets a packet or an error from it. */
    SILENT_LEADER(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, first);
            network.cut(leader, second);
            network.cut(leader, Network.OUTSIDE);
        }
    },

    /** All packets from the leader to other nodes are lost, but those to the leader arrive. */
    LEADER_OUTPUT_LOST(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.lose(leader, first);
            network.lose(leader, second);
        }
    },

    /** All packets from other nodes to the leader are lost, but those from the leader arrive. */
    LEADER_INPUT_LOST(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.lose(first, leader);
            network.lose(second, leader);
        }
    },

    /** The leader is alone, and knows it: its cable is out. */
    LEADER_ALONE(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.unplug(leader);
        }
    },

    /** The packets from the leader to one follower and from the other one to the leader are lost. */
    LEADER_HALF_LOST(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.lose(leader, first);
            network.lose(second, leader);
        }
    },

    /** Only the packets from the leader to one follower are lost. It must not disturb the others. */
    FOLLOWER_INPUT_LOST(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.lose(leader, second);
        }
    },

    /** Links between nodes fail and come back in each direction, several times per second. */
    FLAPPING_LINKS(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) {
            // SplitRun changes a link again and again.
        }
    },

    /** Little reaches one follower. The others must not wait for it (CL-44). */
    SLOW_FOLLOWER(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.limit(second, SLOW_KBIT);
        }

        @Override
        void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.unlimit(second);
        }
    };

    private static final int SLOW_KBIT = 100;

    /** The node that is cut off from the majority, if any. */
    enum Minority {
        LEADER,
        SECOND,
        NONE
    }

    private final Minority minority;

    Split(Minority minority) {
        this.minority = minority;
    }

    /** Returns which node may acknowledge nothing. */
    Minority minority() {
        return minority;
    }

    abstract void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException;

    /** Ends what {@link Network#heal} does not end. */
    void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
        // Most of them only lose packets.
    }

    /** Returns a sequence in which each one occurs in each ten. The first five are those of a leader that is cut off. */
    static List<Split> sequence(int count, Random random) {
        List<Split> sequence = new ArrayList<>();
        while (sequence.size() < count) {
            List<Split> first = new ArrayList<>(List.of(values()).subList(0, 5));
            List<Split> second = new ArrayList<>(List.of(values()).subList(5, values().length));
            Collections.shuffle(first, random);
            Collections.shuffle(second, random);
            sequence.addAll(first);
            sequence.addAll(second);
        }
        return List.copyOf(sequence.subList(0, count));
    }
}
