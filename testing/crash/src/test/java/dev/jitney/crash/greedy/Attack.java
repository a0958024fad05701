package dev.jitney.crash.greedy;

/**
 * A way of claiming memory.
 *
 * @param name a sentence that says what the clients do
 * @param plan adds the connections that do it
 * @param workMs how long nothing must have moved on the wire until the server counts as done with them
 * @param check what must hold afterwards, while the connections are still open
 */
record Attack(String name, Plan plan, int workMs, Check check) {
    /** For attacks that need no work of the server behind the wire. */
    private static final int LITTLE_WORK_MS = 800;

    /** Adds connections to a crowd. */
    @FunctionalInterface
    interface Plan {
        void add(AttackedServer arena, GreedyClients crowd) throws Exception;
    }

    /** Looks at what the attack has done to the server. */
    @FunctionalInterface
    interface Check {
        void look(AttackedServer arena, GreedyClients crowd) throws Exception;
    }

    Attack(String name, Plan plan) {
        this(name, plan, LITTLE_WORK_MS, (arena, crowd) -> {});
    }

    /** The same, for an attack whose requests keep the server busy without a sign of it. */
    Attack working(int workMs) {
        return new Attack(name, plan, workMs, check);
    }

    /** The same with something that must hold afterwards. */
    Attack checked(Check wanted) {
        return new Attack(name, plan, workMs, wanted);
    }
}
