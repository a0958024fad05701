package dev.jitney.core.filter;

import dev.jitney.core.filter.body.JsonPath;
import java.util.List;

/**
 * The tests of the body in a filter. Immutable.
 *
 * @param whole whether a test searches the whole body
 * @param paths the values of a JSON body that tests read
 */
public record BodyReads(boolean whole, List<JsonPath> paths) {
    static final BodyReads NONE = new BodyReads(false, List.of());

    public BodyReads {
        paths = List.copyOf(paths);
    }
}
