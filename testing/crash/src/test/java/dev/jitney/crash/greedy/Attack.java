package dev.jitney.crash.greedy;

/**
 * A way of claiming memory.
 *
 * @param name a sentence that describes the actions of the clients
 * @param plan adds the connections of the attack
 * @param workMs the time in milliseconds without traffic after which the attack ends
 * @param check what must hold afterwards, while the connections are still open
 */
record Attack(String name, Plan plan, int workMs, Check check) {
    /** The time in milliseconds for attacks that cause no work after the traffic. */
    private static final int LITTLE_WORK_MS = 800;

    /** Adds connections to a crowd. */
    @FunctionalInterface
    interface Plan {
        void add(AttackedServer arena, GreedyClients crowd) throws Exception;
    }

    /** Checks the effect of the attack on the server. */
    @FunctionalInterface
    interface Check {
        void look(AttackedServer arena, GreedyClients crowd) throws Exception;
    }

    Attack(String name, Plan plan) {
        this(name, plan, LITTLE_WORK_MS, (arena, crowd) -> {});
    }

    /** Returns the same attack with another time, for requests that keep the server busy without traffic. */
    Attack working(int workMs) {
        return new Attack(name, plan, workMs, check);
    }

    /** Returns the same attack with a check. */
    Attack checked(Check wanted) {
        return new Attack(name, plan, workMs, wanted);
    }
}
