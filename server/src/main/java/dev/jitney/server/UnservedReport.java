package dev.jitney.server;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.runtime.ServedFeatures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Entities whose messages are not served yet, in few sentences however many there are. */
final class UnservedReport {
    private static final int NAMES_MAX = 10;

    private final Map<Reason, List<String>> pathsByReason = new LinkedHashMap<>();

    private record Reason(EntityKind kind, List<String> features) {}

    /** Adds an entity, if there is something to tell. */
    void add(EntityDescription description) {
        List<String> features = ServedFeatures.unserved(description);
        if (!features.isEmpty()) {
            pathsByReason
                    .computeIfAbsent(new Reason(description.kind(), features), reason -> new ArrayList<>())
                    .add(description.path());
        }
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        pathsByReason.forEach((reason, paths) -> {
            boolean one = paths.size() == 1;
            String named = paths.stream()
                    .limit(NAMES_MAX)
                    .map(path -> "'" + path + "'")
                    .collect(Collectors.joining(", "));
            String more = paths.size() > NAMES_MAX ? " and " + (paths.size() - NAMES_MAX) + " more" : "";
            sentences.add(reason.kind.word().toLowerCase(Locale.ROOT)
                    + (one ? " " : "s ")
                    + named
                    + more
                    + (one ? " needs " : " need ")
                    + String.join(" and ", reason.features));
        });
        return List.copyOf(sentences);
    }
}
