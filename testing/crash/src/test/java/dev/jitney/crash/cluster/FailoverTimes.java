package dev.jitney.crash.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The times from an incident to the first accepted send (CL-90). Used by one thread. */
final class FailoverTimes {
    private final Map<Incident, List<Long>> nanos = new EnumMap<>(Incident.class);

    void add(Incident incident, long time) {
        nanos.computeIfAbsent(incident, key -> new ArrayList<>()).add(time);
    }

    /** Returns a line with count, median and maximum for each kind of incident, and for all of them. */
    String report() {
        StringBuilder text = new StringBuilder();
        nanos.forEach((incident, times) -> line(text, incident.name(), times));
        if (nanos.size() > 1) {
            line(
                    text,
                    "all of them",
                    nanos.values().stream().flatMap(List::stream).toList());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String what, List<Long> times) {
        List<Long> sorted = times.stream().sorted().toList();
        text.append(String.format(
                Locale.ROOT,
                "  time without service after %s: median %.1f s, maximum %.1f s (%d times)%n",
                what,
                sorted.get(sorted.size() / 2) / 1e9,
                sorted.get(sorted.size() - 1) / 1e9,
                sorted.size()));
    }
}
