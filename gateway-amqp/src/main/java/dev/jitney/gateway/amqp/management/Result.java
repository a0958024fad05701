package dev.jitney.gateway.amqp.management;

import java.util.Map;

/**
 * The successful outcome of an operation.
 *
 * @param status 200, or 204 if nothing was found
 * @param body entries of the response's map
 */
record Result(int status, Map<String, ?> body) {
    /** The result of a successful operation without data. */
    static final Result EMPTY = new Result(200, Map.of());

    /** The result of an operation that found nothing. */
    static final Result NOTHING = new Result(204, Map.of());

    static Result of(String name, Object value) {
        return new Result(200, Map.of(name, value));
    }

    String description() {
        return status == 204 ? "No Content" : "OK";
    }
}
