package dev.jitney.cluster.member;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The condition of a node, as the others receive it.
 *
 * @param room      whether its disks have room for more messages (CL-43)
 * @param freeBytes the free bytes of its fullest disk, or -1 if it does not know
 * @param trouble   a sentence about a fault for which this node should not lead, or an empty text (CL-16)
 * @param facts     its release and settings (CL-31)
 * @param timeMs    its time, in milliseconds since the epoch, or 0 if it is unknown
 * @param doing     a sentence about its current work, or an empty text (CL-81)
 * @param levels    the levels that it supports, and the level of its data (CL-61)
 */
public record NodeCondition(
        boolean room,
        long freeBytes,
        String trouble,
        ClusterSettings.Facts facts,
        long timeMs,
        String doing,
        NodeLevels levels) {
    private static final int TROUBLE_LENGTH_MAX = 500;
    private static final int SETTINGS_MAX = 200;

    /** Everything works. */
    public static final NodeCondition WELL = new NodeCondition(true, -1, "");

    public NodeCondition {
        trouble = line(trouble);
        doing = line(doing);
    }

    /** Makes a condition without facts. */
    public NodeCondition(boolean room, long freeBytes, String trouble) {
        this(room, freeBytes, trouble, ClusterSettings.Facts.NONE, 0, "", NodeLevels.UNKNOWN);
    }

    /** Returns a text that travels as one line of a small text. */
    private static String line(String text) {
        String line = text.replace('\n', ' ').replace('\r', ' ');
        return line.substring(0, Math.min(TROUBLE_LENGTH_MAX, line.length()));
    }

    /** Returns whether the node can lead as well as any other. */
    public boolean isWell() {
        return trouble.isEmpty();
    }

    public NodeText addTo(NodeText text) {
        StringJoiner settings = new StringJoiner(" ");
        facts.settings().forEach((option, digest) -> settings.add(option + "=" + digest));
        return levels.addTo(text)
                .put("room", "" + room)
                .put("freeBytes", "" + freeBytes)
                .put("trouble", trouble)
                .put("release", facts.release())
                .put("settings", settings.toString())
                .put("timeMs", "" + timeMs)
                .put("doing", doing);
    }

    /** Reads the condition of another node. Nodes of earlier releases do not send it. */
    public static NodeCondition of(NodeText text) throws IOException {
        if (!text.has("room")) {
            return WELL;
        }
        NodeCondition basic = new NodeCondition(text.isTrue("room"), text.number("freeBytes"), text.get("trouble"));
        return text.has("settings")
                ? new NodeCondition(
                        basic.room,
                        basic.freeBytes,
                        basic.trouble,
                        new ClusterSettings.Facts(text.get("release"), settings(text.get("settings"))),
                        text.number("timeMs"),
                        text.get("doing"),
                        NodeLevels.of(text))
                : basic;
    }

    private static Map<String, String> settings(String text) {
        Map<String, String> settings = new HashMap<>();
        for (String setting : text.split(" ", SETTINGS_MAX)) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                settings.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
        }
        return settings;
    }
}
