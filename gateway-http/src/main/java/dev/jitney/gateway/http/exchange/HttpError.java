package dev.jitney.gateway.http.exchange;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.security.AuthenticationException;

/**
 * What an answer says about a failure: the one place where refusals become HTTP statuses and sub-codes (HTTP reference
 * 2.10).
 *
 * @param status the HTTP status
 * @param subCode five digits of the service's register, or 0 for none
 * @param sentence what happened, without the sub-code
 * @param fault whether the server is to blame, so that its operators should hear of it
 */
public record HttpError(int status, int subCode, String sentence, boolean fault) {
    /** An operation the entity does not permit. The older Java client never returns from a call answered with it. */
    public static final int INVALID_OPERATION = 40301;

    static final int BAD_REQUEST = 40000;
    static final int UNAUTHORIZED = 40100;
    private static final int FORBIDDEN = 40300;
    private static final int NOT_FOUND = 40400;
    private static final int STORE_LOCK_LOST = 40500;
    private static final int CONFLICT = 40900;
    private static final int GONE = 41000;
    private static final int INTERNAL = 50000;
    private static final int BUSY = 50004;

    private static final int TOO_MANY_REQUESTS = 429;

    /** A status of 500 is the server's fault. */
    public HttpError(int status, int subCode, String sentence) {
        this(status, subCode, sentence, status == 500);
    }

    /** What the broker refused. */
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

    /** A credential that was not accepted: 401 with its own sub-code (HTTP reference 1.5). */
    public static HttpError of(AuthenticationException refused) {
        return new HttpError(401, refused.subCode(), refused.rejection().description());
    }

    /** A request that is wrong in itself: 400. */
    public static HttpError badRequest(String sentence) {
        return new HttpError(400, BAD_REQUEST, sentence);
    }

    /** What is asked for is not there: 404. */
    public static HttpError notFound(String sentence) {
        return new HttpError(404, NOT_FOUND, sentence);
    }

    /** What was there is no more: 410. */
    public static HttpError gone(String sentence) {
        return new HttpError(410, GONE, sentence);
    }

    /** A valid credential that does not permit this: 401, as the service answers it (HTTP reference 1.5, step 6). */
    public static HttpError unauthorized(String sentence) {
        return new HttpError(401, UNAUTHORIZED, sentence);
    }

    /** More than may wait or be held at a time: 503. */
    public static HttpError busy(String sentence) {
        return new HttpError(503, BUSY, sentence);
    }

    /** A mistake of the server, of which the client is told no more: 500. */
    public static HttpError internal() {
        return new HttpError(500, INTERNAL, "Internal Server Error. " + ErrorCode.INTERNAL.text());
    }

    /** The method is not one of those the resource has: 405. */
    public static HttpError methodNotAllowed(String method) {
        return new HttpError(405, 0, "The specified HTTP verb (" + method + ") is not valid for the resource.");
    }

    /** The text that SDKs search for sub-codes. */
    public String detail() {
        return subCode == 0 ? sentence : "SubCode=" + subCode + ". " + sentence;
    }

    private static HttpError error(int status, int subCode, Rejection rejection) {
        String description = rejection.description();
        return new HttpError(
                status,
                subCode,
                description.isBlank() ? rejection.code().text() : description,
                status == 500 && rejection.code() != ErrorCode.NO_MATCHING_SUBSCRIPTION); // nobody wants the message
    }
}
