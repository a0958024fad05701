package dev.jitney.cli.top;

import dev.jitney.cli.output.Screen;
import dev.jitney.cli.output.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table of entities: limited to the size of a terminal, or complete without one. */
final class LoadTable {
    private static final String UNKNOWN = "-";
    /** The maximum of lines that are no entities: summary, heading, the count of omitted entities, and the caller's line. */
    static final int LINES_BESIDES = 4;

    private LoadTable() {}

    /**
     * @param loads all entities, sorted
     * @param shown the number of entities with a line
     * @param size the size of the terminal, or null without one
     */
    static List<String> lines(
            List<EntityLoad> loads, int shown, Screen screen, Screen.@Nullable Size size, String host, Instant now) {
        boolean namespaces =
                loads.stream().map(EntityLoad::namespace).distinct().count() > 1;
        Table table = new Table("PATH", "KIND", "ACTIVE", "DEAD", "SCHEDULED", "IN/S", "OUT/S", "OLDEST", "RECEIVERS");
        StringBuilder rows = new StringBuilder();
        for (EntityLoad load : loads.subList(0, shown)) {
            rows.append(table.add(
                    (namespaces ? load.namespace() + ": " : "") + load.path(),
                    load.kind(),
                    whole(load.active()),
                    whole(load.deadLetter()),
                    whole(load.scheduled()),
                    rate(load.incomingRate()),
                    rate(load.outgoingRate()),
                    age(load.oldestSeconds()),
                    load.receivers() == null ? UNKNOWN : whole(load.receivers())));
        }
        rows.append(table.flush());
        List<String> lines = new ArrayList<>();
        lines.add(cut(summary(loads, host, now), size));
        int index = -1;
        for (String row : rows.toString().lines().toList()) {
            String line = cut(row, size);
            if (index < 0) {
                line = screen.bold(line);
            } else if (loads.get(index).deadLetter() > 0) {
                line = screen.red(line);
            }
            lines.add(line);
            index++;
        }
        if (shown < loads.size()) {
            lines.add("and " + whole(loads.size() - (long) shown) + " more");
        }
        return lines;
    }

    /** Cuts a line to the width of the terminal. */
    static String cut(String line, Screen.@Nullable Size size) {
        return size == null || line.length() <= size.columns() ? line : line.substring(0, size.columns());
    }

    private static String summary(List<EntityLoad> loads, String host, Instant now) {
        long active = 0;
        long dead = 0;
        for (EntityLoad load : loads) {
            active += load.active();
            dead += load.deadLetter();
        }
        return host + "  " + now.truncatedTo(ChronoUnit.SECONDS) + "  " + count(loads.size(), "entity", "entities")
                + ", "
                + count(active, "active message", "active messages") + ", "
                + count(dead, "dead letter", "dead letters");
    }

    private static String count(long number, String one, String many) {
        return whole(number) + " " + (number == 1 ? one : many);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String rate(@Nullable Double perSecond) {
        return perSecond == null ? UNKNOWN : String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
    }

    static String age(@Nullable Double seconds) {
        if (seconds == null) {
            return UNKNOWN;
        }
        long whole = Math.max(0, seconds.longValue());
        if (whole < 60) {
            return whole + "s";
        } else if (whole < 3_600) {
            return whole / 60 + "m" + whole % 60 + "s";
        }
        return whole < 86_400
                ? whole / 3_600 + "h" + whole % 3_600 / 60 + "m"
                : whole / 86_400 + "d" + whole % 86_400 / 3_600 + "h";
    }
}
