package dev.jitney.model;

/**
 * The catalogue of everything a client can be told went wrong (semantics reference 0.3).
 *
 * <p>The AMQP condition, the HTTP status and the retry hint follow from the constant, so no edge invents its own. The
 * {@linkplain #number() number} of a constant never changes and is never reused.
 */
public enum ErrorCode {
    TIMEOUT(1, "com.microsoft:timeout", 408, true, "The operation did not complete within the allotted timeout."),
    SERVER_BUSY(2, "com.microsoft:server-busy", 503, true, "The server is busy; try again later."),
    INTERNAL(3, "amqp:internal-error", 500, true, "The server failed to process the request."),
    ENTITY_NOT_FOUND(4, "amqp:not-found", 404, false, "The messaging entity could not be found."),
    ENTITY_EXISTS(5, "com.microsoft:entity-already-exists", 409, false, "The messaging entity already exists."),
    ENTITY_DISABLED(6, "com.microsoft:entity-disabled", 400, false, "The messaging entity is currently disabled."),
    INVALID_OPERATION(7, "amqp:not-allowed", 400, false, "The operation is not allowed."),
    ARGUMENT(8, "com.microsoft:argument-error", 400, false, "An argument is invalid."),
    OUT_OF_RANGE(9, "com.microsoft:argument-out-of-range", 400, false, "An argument is out of range."),
    UNAUTHORIZED(10, "amqp:unauthorized-access", 401, false, "The operation is not authorized."),
    AUTH_FAILED(11, "com.microsoft:auth-failed", 401, false, "The token is not valid."),
    MESSAGE_LOCK_LOST(
            12,
            "com.microsoft:message-lock-lost",
            410,
            false,
            "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the"
                    + " queue."),
    SESSION_LOCK_LOST(
            13,
            "com.microsoft:session-lock-lost",
            410,
            false,
            "The session lock has expired on the MessageSession. Accept a new MessageSession."),
    SESSION_CANNOT_BE_LOCKED(
            14,
            "com.microsoft:session-cannot-be-locked",
            410,
            false,
            "The requested session cannot be accepted. It may be locked by another receiver."),
    MESSAGE_NOT_FOUND(
            15,
            "com.microsoft:message-not-found",
            404,
            false,
            "Failed to lock one or more specified messages. Either the message is already locked or does not exist."),
    QUOTA_EXCEEDED(16, "amqp:resource-limit-exceeded", 403, false, "A quota has been exceeded."),
    MESSAGE_SIZE_EXCEEDED(
            17, "amqp:link:message-size-exceeded", 403, false, "The message exceeds the size allowed on the entity."),
    NO_MATCHING_SUBSCRIPTION(
            18, "com.microsoft:no-matching-subscription", 500, false, "No subscription matches the message."),
    PARTITION_NOT_OWNED(19, "com.microsoft:partition-not-owned", 410, true, "The partition is not available here."),
    STORE_LOCK_LOST(20, "com.microsoft:store-lock-lost", 410, false, "Another process owns the messaging store."),
    OPERATION_CANCELLED(21, "com.microsoft:operation-cancelled", 500, false, "The operation was cancelled."),
    NOT_IMPLEMENTED(22, "amqp:not-implemented", 501, false, "The operation is not implemented."),
    DETACH_FORCED(23, "amqp:link:detach-forced", 503, true, "The server closed the link."),
    CONNECTION_FORCED(24, "amqp:connection:forced", 503, true, "The server closed the connection."),
    INVALID_FIELD(25, "amqp:invalid-field", 400, false, "A field has an invalid value."),
    DECODE_ERROR(26, "amqp:decode-error", 400, false, "The data could not be decoded."),
    TRANSACTION_UNKNOWN(27, "amqp:transaction:unknown-id", 400, false, "The transaction is not declared."),
    TRANSACTION_ROLLBACK(28, "amqp:transaction:rollback", 400, false, "The transaction was rolled back."),
    TRANSACTION_TIMEOUT(29, "amqp:transaction:timeout", 400, false, "The transaction timed out."),
    FORWARDING_DESTINATION_NOT_FOUND(
            30, "com.microsoft:argument-error", 400, false, "The auto forwarding destination was not found."),

    /** Busy because the namespace's credits are used up; HTTP answers 429 instead (THR-6). */
    THROTTLED(31, "com.microsoft:server-busy", 503, true, "The namespace is being throttled; try again later.");

    private final int number;
    private final String amqpCondition;
    private final int httpStatus;
    private final boolean retryable;
    private final String text;

    ErrorCode(int number, String amqpCondition, int httpStatus, boolean retryable, String text) {
        this.number = number;
        this.amqpCondition = amqpCondition;
        this.httpStatus = httpStatus;
        this.retryable = retryable;
        this.text = text;
    }

    /** The lasting number of this error. */
    public int number() {
        return number;
    }

    /** The AMQP error condition, an ASCII symbol. */
    public String amqpCondition() {
        return amqpCondition;
    }

    /** The status of management responses; what HTTP answers follows from the constant too, in the HTTP gateway. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Whether the same request may succeed later without a change ("Tr" in the reference's table). */
    public boolean retryable() {
        return retryable;
    }

    /** The sentence used when nothing more precise is known. */
    public String text() {
        return text;
    }
}
