package dev.jitney.gateway.amqp.management;

import java.util.Map;

/**
 * The good outcome of an operation.
 *
 * @param status 200, or 204 when there was nothing to be found
 * @param body entries of the response's map
 */
record Result(int status, Map<String, ?> body) {
    /** Done, and nothing to tell. */
    static final Result EMPTY = new Result(200, Map.of());

    /** Nothing found. */
    static final Result NOTHING = new Result(204, Map.of());

    static Result of(String name, Object value) {
        return new Result(200, Map.of(name, value));
    }

    String description() {
        return status == 204 ? "No Content" : "OK";
    }
}
