package dev.jitney.gateway.http.exchange;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.security.AuthenticationException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An error response. This is the only place that maps refusals to HTTP statuses and sub-codes (HTTP reference 2.10).
 *
 * @param status the HTTP status
 * @param subCode five digits of the service's register, or 0 for none
 * @param sentence the description, without the sub-code
 * @param fault true for an error of the server, which operators need to see
 * @param fields the fields of the request that are wrong, if the error names them; only in JSON
 */
public record HttpError(int status, int subCode, String sentence, boolean fault, List<Field> fields) {
    /**
     * A field of a request that is wrong.
     *
     * @param name the name of the member, variable or parameter
     * @param message a sentence that says what was expected
     */
    public record Field(String name, String message) {}

    /** An operation that the entity does not permit. A call of the older Java client never returns if it gets this sub-code. */
    public static final int INVALID_OPERATION = 40301;

    static final int BAD_REQUEST = 40000;
    static final int UNAUTHORIZED = 40100;
    private static final int INVALID_SIGNATURE = 40103;
    private static final int FORBIDDEN = 40300;
    private static final int NOT_FOUND = 40400;
    private static final int STORE_LOCK_LOST = 40500;
    private static final int CONFLICT = 40900;
    private static final int GONE = 41000;
    private static final int INTERNAL = 50000;
    private static final int BUSY = 50004;

    private static final int TOO_MANY_REQUESTS = 429;

    /** Creates an error; a status of 500 is a fault of the server. */
    public HttpError(int status, int subCode, String sentence) {
        this(status, subCode, sentence, status == 500, List.of());
    }

    /** Returns the error for a rejection of the broker. */
    public static HttpError of(Rejection rejection) {
        ErrorCode code = rejection.code();
        int status = switch (code) {
            case THROTTLED -> TOO_MANY_REQUESTS; // THR-6
            case MESSAGE_LOCK_LOST -> 404; // HTTP reference 3.1
            case ENTITY_DISABLED -> 403;
            default -> code.httpStatus();
        };
        int subCode = switch (code) {
            case MESSAGE_LOCK_LOST -> NOT_FOUND;
            case ENTITY_DISABLED -> INVALID_OPERATION;
            default -> code.subCode();
        };
        return error(status, subCode, rejection);
    }

    /** Returns whether a rule or its key was wrong, as in an attempt to guess a key. */
    boolean isWrongKey() {
        return status == 401 && subCode == INVALID_SIGNATURE;
    }

    /** Returns the error for a refused credential: 401 with its own sub-code (HTTP reference 1.5), or 503 if it is temporary. */
    public static HttpError of(AuthenticationException refused) {
        return refused.isTemporary()
                ? busy(refused.rejection().description())
                : new HttpError(401, refused.subCode(), refused.rejection().description());
    }

    /** Returns the error for an invalid request: 400. */
    public static HttpError badRequest(String sentence) {
        return new HttpError(400, BAD_REQUEST, sentence);
    }

    /** Returns the error for a request with wrong fields: 400. Its sentence has the messages of all fields. */
    public static HttpError badRequest(List<Field> fields) {
        return new HttpError(
                400,
                BAD_REQUEST,
                fields.stream().map(Field::message).distinct().collect(Collectors.joining(" ")),
                false,
                List.copyOf(fields));
    }

    /** Returns the error for a request that the client may not make, although its credential has the right for others: 403. */
    public static HttpError forbidden(String sentence) {
        return new HttpError(403, FORBIDDEN, sentence);
    }

    /** Returns the error for a missing resource: 404. */
    public static HttpError notFound(String sentence) {
        return new HttpError(404, NOT_FOUND, sentence);
    }

    /** Returns the error for a resource that no longer exists: 410. */
    public static HttpError gone(String sentence) {
        return new HttpError(410, GONE, sentence);
    }

    /**
     * Returns the error for a valid credential with insufficient rights: 401, as in the service (HTTP reference 1.5,
     * step 6).
     */
    public static HttpError unauthorized(String sentence) {
        return new HttpError(401, UNAUTHORIZED, sentence);
    }

    /** Returns the error for a request that does not fit the state of a resource: 409. */
    public static HttpError conflict(String sentence) {
        return new HttpError(409, CONFLICT, sentence);
    }

    /** Returns the error for too many waiting requests or too little memory: 503. */
    public static HttpError busy(String sentence) {
        return new HttpError(503, BUSY, sentence);
    }

    /** Returns the error for an internal error of the server, without details: 500. */
    public static HttpError internal() {
        return new HttpError(500, INTERNAL, "Internal Server Error. " + ErrorCode.INTERNAL.text());
    }

    /** Returns the error for a method that the resource does not support: 405. */
    public static HttpError methodNotAllowed(String method) {
        return new HttpError(405, 0, "The specified HTTP verb (" + method + ") is not valid for the resource.");
    }

    /** Returns the same error for one field of the request. */
    public HttpError inField(String name) {
        return new HttpError(status, subCode, sentence, fault, List.of(new Field(name, sentence)));
    }

    /** Returns the text that SDKs search for sub-codes. */
    public String detail() {
        return subCode == 0 ? sentence : "SubCode=" + subCode + ". " + sentence;
    }

    private static HttpError error(int status, int subCode, Rejection rejection) {
        String description = rejection.description();
        return new HttpError(
                status,
                subCode,
                description.isBlank() ? rejection.code().text() : description,
                // NO_MATCHING_SUBSCRIPTION is no fault: no subscription accepts the message.
                status == 500 && rejection.code() != ErrorCode.NO_MATCHING_SUBSCRIPTION,
                List.of());
    }
}
