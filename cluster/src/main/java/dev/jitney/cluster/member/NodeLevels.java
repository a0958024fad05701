package dev.jitney.cluster.member;

import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;

/**
 * The levels of a node, as the others receive them (CL-60, CL-61).
 *
 * @param supported the levels that its release supports
 * @param current   the level of the data, as far as the node has applied it. A node that belongs to no cluster yet has the first level
 */
public record NodeLevels(FormatLevels supported, int current) {
    /** The levels of a node that sends none: its release does not know of levels. */
    public static final NodeLevels UNKNOWN = new NodeLevels(FormatLevels.ONLY_FIRST, FormatLevels.FIRST);

    private static final String LOWEST = "lowestLevel";
    private static final String HIGHEST = "highestLevel";
    private static final String CURRENT = "level";

    public NodeText addTo(NodeText text) {
        return addTo(text, supported).put(CURRENT, "" + current);
    }

    /** Adds only the levels that a release supports. */
    public static NodeText addTo(NodeText text, FormatLevels supported) {
        return text.put(LOWEST, "" + supported.lowest()).put(HIGHEST, "" + supported.highest());
    }

    /** Reads the levels of another node. Nodes of earlier releases do not send them. */
    public static NodeLevels of(NodeText text) throws IOException {
        return text.has(CURRENT) ? new NodeLevels(supported(text), level(text, CURRENT)) : UNKNOWN;
    }

    /** Reads the levels that the release of another node supports. Nodes of earlier releases do not send them. */
    public static FormatLevels supported(NodeText text) throws IOException {
        if (!text.has(HIGHEST)) {
            return FormatLevels.ONLY_FIRST;
        }
        int lowest = level(text, LOWEST);
        int highest = level(text, HIGHEST);
        if (highest < lowest) {
            throw new IOException("Expected levels in order, but got " + lowest + " to " + highest + ".");
        }
        return new FormatLevels(lowest, highest);
    }

    private static int level(NodeText text, String key) throws IOException {
        int level = text.smallNumber(key);
        if (level < FormatLevels.FIRST) {
            throw new IOException("Expected a level from 1 on as " + key + ", but got " + level + ".");
        }
        return level;
    }
}
