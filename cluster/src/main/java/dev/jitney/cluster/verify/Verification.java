package dev.jitney.cluster.verify;

import java.util.List;
import java.util.UUID;

/**
 * The state of a comparison of all nodes (CL-85).
 *
 * @param id          its id
 * @param state       the state
 * @param index       the index in the log at which all nodes are compared, 0 before it is known
 * @param reason      the reason of a failure, otherwise empty
 * @param seconds     the time since the beginning, or the duration, in seconds
 * @param nodes       the members, the leader first
 * @param differences the tables that differ, if the comparison is complete
 */
public record Verification(
        UUID id,
        State state,
        long index,
        String reason,
        double seconds,
        List<Node> nodes,
        List<Difference> differences) {

    public Verification {
        nodes = List.copyOf(nodes);
        differences = List.copyOf(differences);
    }

    /** The state of a comparison. */
    public enum State {
        /** The nodes read their tables. */
        RUNNING,
        /** All nodes that can be compared are compared. */
        DONE,
        /** There is no result. */
        FAILED
    }

    /** The state of one member. */
    public enum NodeState {
        /** It has not applied the mark yet. */
        WAITING,
        /** It reads its tables. */
        READING,
        /** Its checksums are complete. */
        COMPARED,
        /** It does not answer, so it cannot be compared. */
        AWAY,
        /** It answers, but cannot be compared. */
        FAILED
    }

    /**
     * A member.
     *
     * @param name   its name
     * @param state  its state
     * @param reason why it cannot be compared, otherwise empty
     * @param rows   the rows that it has read
     * @param bytes  the bytes of these rows
     */
    public record Node(String name, NodeState state, String reason, long rows, long bytes) {}

    /**
     * A table of one node that differs from the others.
     *
     * @param node         the name of the node
     * @param store        number of the store, from 0
     * @param table        name of the table
     * @param rows         the rows that the node has
     * @param rowsExpected the rows that most nodes have
     */
    public record Difference(String node, int store, String table, long rows, long rowsExpected) {}

    /** Returns whether all members were compared and are equal. */
    public boolean isEqual() {
        return state == State.DONE
                && differences.isEmpty()
                && nodes.stream().allMatch(node -> node.state == NodeState.COMPARED);
    }
}
