package dev.jitney.distribution.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One entry of the data in the format of OSV (Open Source Vulnerability format, "affected" fields).
 *
 * @param document the whole entry
 */
record Advisory(JsonNode document) {
    String id() {
        return document.path("id").asText();
    }

    /** Returns the id and all aliases, such as numbers of CVE. */
    List<String> ids() {
        List<String> ids = new ArrayList<>(List.of(id()));
        document.path("aliases").forEach(alias -> ids.add(alias.asText()));
        return ids;
    }

    String summary() {
        String text = document.path("summary").asText();
        return text.isEmpty()
                ? document.path("details").asText().lines().findFirst().orElse("")
                : text;
    }

    /** Returns whether the entry is a known vulnerability of this version. Withdrawn entries are none. */
    boolean affects(Library library) {
        if (document.hasNonNull("withdrawn")) {
            return false;
        }
        for (JsonNode affected : document.path("affected")) {
            JsonNode name = affected.path("package");
            if (name.path("ecosystem").asText().equals(library.ecosystem())
                    && name.path("name").asText().equals(library.name())
                    && affects(affected, library)) {
                return true;
            }
        }
        return false;
    }

    private static boolean affects(JsonNode affected, Library library) {
        for (JsonNode version : affected.path("versions")) {
            if (version.asText().equals(library.version())) {
                return true;
            }
        }
        for (JsonNode range : affected.path("ranges")) {
            if (!range.path("type").asText().equals("GIT")) {
                boolean in = library.ecosystem().equals(Library.MAVEN)
                        ? isIn(range, library.version(), MavenVersion::new)
                        : isIn(range, library.version(), NpmVersion::new);
                if (in) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Evaluates the events of a range in the order of their versions. */
    private static <V extends Comparable<V>> boolean isIn(JsonNode range, String version, Function<String, V> parse) {
        V wanted = parse.apply(version);
        boolean in = false;
        V latest = null;
        for (JsonNode event : range.path("events")) {
            String kind = event.fieldNames().hasNext() ? event.fieldNames().next() : "";
            String text = event.path(kind).asText();
            V at = parse.apply(text.equals("0") ? "" : text);
            boolean passed = kind.equals("last_affected")
                    ? wanted.compareTo(at) > 0
                    : text.equals("0") || wanted.compareTo(at) >= 0;
            if (passed && (latest == null || at.compareTo(latest) >= 0)) {
                latest = at;
                in = kind.equals("introduced");
            }
        }
        return in;
    }
}
