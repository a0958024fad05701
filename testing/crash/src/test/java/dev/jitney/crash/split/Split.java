package dev.jitney.crash.split;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

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

    /** The followers do not reach each other, but both reach the leader. It must disturb no node. */
    FOLLOWERS_APART(Minority.NONE, 3) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(first, second);
        }
    },

    /** Only the packets from the leader to one follower are lost. It must not disturb the others. */
    FOLLOWER_INPUT_LOST(Minority.NONE, 2) {
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
    SLOW_FOLLOWER(Minority.NONE, 2) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.limit(second, SLOW_KBIT, 200);
        }

        @Override
        void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.unlimit(second);
        }
    },

    /** One of 32 packets to each node is lost. */
    LOSSY_LINKS(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            for (int node : List.of(leader, first, second)) {
                network.loseSome(node);
            }
        }

        @Override
        void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            unlimitAll(network);
        }
    },

    /** Little reaches each node: packets wait in long queues, and are lost where a queue is full. */
    NARROW_LINKS(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            for (int node : List.of(leader, first, second)) {
                network.limit(node, NARROW_KBIT, 600);
            }
        }

        @Override
        void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            unlimitAll(network);
        }
    },

    /** Packets to each node are delayed, overtake each other, and some are lost. Not every kernel can do that. */
    DELAYED_LINKS(Minority.NONE) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            for (int node : List.of(leader, first, second)) {
                network.delay(node);
            }
        }

        @Override
        void end(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            unlimitAll(network);
        }
    },

    /** The leader and a follower are on one side. Then the leader is killed, so that no two nodes reach each other. */
    LEADER_KILLED_IN_SPLIT(Minority.SECOND) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, second);
            network.cut(first, second);
        }
    },

    /** The leader is cut off. When another node leads, that one is cut off instead, so that two majorities have one node in common. */
    MAJORITY_MOVES(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, first);
            network.cut(leader, second);
        }
    },

    /** The clock of the leader is minutes ahead and that of one follower minutes behind when the leader is cut off. */
    CLOCKS_APART(Minority.LEADER) {
        @Override
        void begin(Network network, int leader, int first, int second) throws IOException, InterruptedException {
            network.cut(leader, first);
            network.cut(leader, second);
        }
    };

    /** The system property for a run of some kinds only. */
    static final String ONLY = "jitney.crash.splits.only";

    private static final int SLOW_KBIT = 100;
    private static final int NARROW_KBIT = 1_000;

    /** The number of kinds of a leader that is cut off at the beginning, which come first. */
    private static final int FIRST = 5;

    private static void unlimitAll(Network network) throws IOException, InterruptedException {
        for (int node = 0; node < Network.OUTSIDE; node++) {
            network.unlimit(node);
        }
    }

    /** The node that is cut off from the majority, if any. */
    enum Minority {
        LEADER,
        SECOND,
        NONE
    }

    private final Minority minority;
    private final int steady;

    Split(Minority minority) {
        this(minority, 0);
    }

    Split(Minority minority, int steady) {
        this.minority = minority;
        this.steady = steady;
    }

    /** Returns how many of the leader, the first and the second follower must serve without a pause. */
    int steady() {
        return steady;
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

    /**
     * Returns a sequence in which each kind occurs once before one occurs again. The first five are those of a leader that is cut
     * off. With {@code -Djitney.crash.splits.only=NAME,NAME...} it consists of those kinds.
     *
     * @param without kinds that this machine does not allow
     */
    static List<Split> sequence(int count, Set<Split> without, Random random) {
        String only = System.getProperty(ONLY, "");
        if (!only.isEmpty()) {
            List<Split> chosen =
                    Arrays.stream(only.split(",")).map(Split::valueOf).toList();
            return IntStream.range(0, count)
                    .mapToObj(i -> chosen.get(i % chosen.size()))
                    .toList();
        }
        List<Split> sequence = new ArrayList<>();
        while (sequence.size() < count) {
            List<Split> first = new ArrayList<>(List.of(values()).subList(0, FIRST));
            List<Split> second = new ArrayList<>(List.of(values()).subList(FIRST, values().length));
            second.removeAll(without);
            Collections.shuffle(first, random);
            Collections.shuffle(second, random);
            sequence.addAll(first);
            sequence.addAll(second);
        }
        return List.copyOf(sequence.subList(0, count));
    }
}
