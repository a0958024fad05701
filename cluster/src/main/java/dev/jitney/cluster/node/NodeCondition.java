package dev.jitney.cluster.node;

import java.io.IOException;

/**
 * The condition of a node, as the others receive it.
 *
 * @param room      whether its disks have room for more messages (CL-43)
 * @param freeBytes the free bytes of its fullest disk, or -1 if it does not know
 * @param trouble   a sentence about a fault for which this node should not lead, or an empty text (CL-16)
 */
record NodeCondition(boolean room, long freeBytes, String trouble) {
    private static final int TROUBLE_LENGTH_MAX = 500;

    /** Everything works. */
    static final NodeCondition WELL = new NodeCondition(true, -1, "");

    NodeCondition {
        // It travels as one line of a small text.
        String line = trouble.replace('\n', ' ').replace('\r', ' ');
        trouble = line.substring(0, Math.min(TROUBLE_LENGTH_MAX, line.length()));
    }

    /** Returns whether the node can lead as well as any other. */
    boolean isWell() {
        return trouble.isEmpty();
    }

    NodeText addTo(NodeText text) {
        return text.put("room", "" + room).put("freeBytes", "" + freeBytes).put("trouble", trouble);
    }

    /** Reads the condition of another node. Nodes of earlier releases do not send it. */
    static NodeCondition of(NodeText text) throws IOException {
        return text.has("room")
                ? new NodeCondition(text.isTrue("room"), text.number("freeBytes"), text.get("trouble"))
                : WELL;
    }
}
