package dev.jitney.core;

import dev.jitney.core.filter.BodyReads;
import dev.jitney.core.filter.body.JsonPath;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of JSON bodies that some readers must not see, by their paths in the syntax of {@code json('$.path')} in filters. Immutable;
 * any thread may use it.
 */
public final class BodyMask {
    /** The mask that hides nothing. */
    public static final BodyMask NONE = new BodyMask(List.of());

    private final List<JsonPath> paths;

    private BodyMask(List<JsonPath> paths) {
        this.paths = List.copyOf(paths);
    }

    /**
     * Returns the mask of some paths.
     *
     * @throws ParseException with the expected text as its message and the index of the mistake
     */
    public static BodyMask of(List<String> paths) throws ParseException {
        List<JsonPath> parsed = new ArrayList<>();
        for (String path : paths) {
            parsed.add(JsonPath.parse(path));
        }
        return new BodyMask(parsed);
    }

    /** Returns whether it hides nothing. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /**
     * Returns a test of a filter that depends on a hidden value, as it is written in filters, or null if there is none. A value that
     * contains a hidden one, or that is a part of it, depends on it.
     */
    public @Nullable String readBy(SearchFilter filter) {
        BodyReads reads = filter.compiled().bodyReads();
        if (paths.isEmpty()) {
            return null;
        }
        if (reads.whole()) {
            return "body CONTAINS";
        }
        for (JsonPath read : reads.paths()) {
            if (paths.stream().anyMatch(read::overlaps)) {
                return "json('" + read + "')";
            }
        }
        return null;
    }

    /** Returns the place of the whole document. */
    public Place document() {
        return new Place(paths, 0);
    }

    /** A value on the way from the document to hidden values. Immutable. */
    public static final class Place {
        /** A value without hidden values in it. */
        private static final Place NOWHERE = new Place(List.of(), 0);

        private final List<JsonPath> ahead;
        private final int depth;

        private Place(List<JsonPath> ahead, int depth) {
            this.ahead = ahead;
            this.depth = depth;
        }

        /** Returns whether this value is hidden. */
        public boolean isHidden() {
            for (JsonPath path : ahead) {
                if (path.length() == depth) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the place of a member of this object. */
        public Place member(String name) {
            List<JsonPath> further = List.of();
            for (JsonPath path : ahead) {
                if (path.length() > depth && path.goesToMember(depth, name)) {
                    further = with(further, path);
                }
            }
            return further.isEmpty() ? NOWHERE : new Place(further, depth + 1);
        }

        /** Returns the place of an element of this array. */
        public Place element(int index) {
            List<JsonPath> further = List.of();
            for (JsonPath path : ahead) {
                if (path.length() > depth && path.goesToElement(depth, index)) {
                    further = with(further, path);
                }
            }
            return further.isEmpty() ? NOWHERE : new Place(further, depth + 1);
        }

        private static List<JsonPath> with(List<JsonPath> paths, JsonPath path) {
            List<JsonPath> more = paths.isEmpty() ? new ArrayList<>() : paths;
            more.add(path);
            return more;
        }
    }
}
