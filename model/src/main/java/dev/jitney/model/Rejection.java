package dev.jitney.model;

/**
 * An expected refusal of a request: a value, never thrown inside the broker.
 *
 * @param code what kind of refusal
 * @param description a sentence for the caller, with values and units and without secrets
 */
public record Rejection(ErrorCode code, String description) {

    /** A refusal that says no more than its code does. */
    public static Rejection of(ErrorCode code) {
        return new Rejection(code, code.text());
    }

    /** A refusal of something that was asked for as it cannot be. */
    public static Rejection argument(String description) {
        return new Rejection(ErrorCode.ARGUMENT, description);
    }
}
