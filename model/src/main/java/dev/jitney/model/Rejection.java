package dev.jitney.model;

/**
 * An expected refusal of a request: a value, never thrown inside the broker.
 *
 * @param code the kind of refusal
 * @param description a sentence for the caller, with values and units and without secrets
 */
public record Rejection(ErrorCode code, String description) {

    /** Returns a refusal with the text of its code. */
    public static Rejection of(ErrorCode code) {
        return new Rejection(code, code.text());
    }

    /** Returns a refusal of an invalid argument. */
    public static Rejection argument(String description) {
        return new Rejection(ErrorCode.ARGUMENT, description);
    }
}
