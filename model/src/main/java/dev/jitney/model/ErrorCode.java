package dev.jitney.model;

/**
 * The catalogue of everything a client can be told went wrong (semantics reference 0.3).
 *
 * <p>The AMQP condition, the HTTP status and the retry hint follow from the constant, so no edge invents its own. The
 * {@linkplain #number() number} of a constant never changes and is never reused. {@code docs/reference/errors.md} is
 * generated from it.
 */
public enum ErrorCode {
    TIMEOUT(
            1,
            "com.microsoft:timeout",
            408,
            0,
            true,
            "The operation did not complete within the allotted timeout.",
            "Try again; what was asked for may have happened nevertheless."),
    SERVER_BUSY(
            2,
            "com.microsoft:server-busy",
            503,
            50004,
            true,
            "The server is busy; try again later.",
            "Wait ten seconds and try again; the SDKs do so by themselves. If it goes on, look at the load, the disk and the throttling credits."),
    INTERNAL(
            3,
            "amqp:internal-error",
            500,
            50000,
            true,
            "The server failed to process the request.",
            "Try again. If it happens again it is a bug: report it with the tracking id and the server's log."),
    ENTITY_NOT_FOUND(
            4,
            "amqp:not-found",
            404,
            40400,
            false,
            "The messaging entity could not be found.",
            "Check name and namespace, or create the entity."),
    ENTITY_EXISTS(
            5,
            "com.microsoft:entity-already-exists",
            409,
            40900,
            false,
            "The messaging entity already exists.",
            "Update the entity, or choose another name; names are compared without case, and queues and topics share them."),
    ENTITY_DISABLED(
            6,
            "com.microsoft:entity-disabled",
            400,
            40000,
            false,
            "The messaging entity is currently disabled.",
            "Set the entity's Status to Active."),
    INVALID_OPERATION(
            7,
            "amqp:not-allowed",
            400,
            40000,
            false,
            "The operation is not allowed.",
            "The text says what is not allowed and what is."),
    ARGUMENT(
            8,
            "com.microsoft:argument-error",
            400,
            40000,
            false,
            "An argument is invalid.",
            "Correct the value that the text names."),
    OUT_OF_RANGE(
            9,
            "com.microsoft:argument-out-of-range",
            400,
            40000,
            false,
            "An argument is out of range.",
            "Choose a value within the range that the text names."),
    UNAUTHORIZED(
            10,
            "amqp:unauthorized-access",
            401,
            40100,
            false,
            "The operation is not authorized.",
            "Use a shared access rule with the right that the operation needs: Manage, Send or Listen."),
    AUTH_FAILED(
            11,
            "com.microsoft:auth-failed",
            401,
            40103,
            false,
            "The token is not valid.",
            "Check rule name, key, audience and expiry of the token, and the clocks of both machines."),
    MESSAGE_LOCK_LOST(
            12,
            "com.microsoft:message-lock-lost",
            410,
            41000,
            false,
            "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.",
            "Receive the message again. Renew locks while working, or make LockDuration longer."),
    SESSION_LOCK_LOST(
            13,
            "com.microsoft:session-lock-lost",
            410,
            41000,
            false,
            "The session lock has expired on the MessageSession. Accept a new MessageSession.",
            "Accept the session again, and renew its lock while working."),
    SESSION_CANNOT_BE_LOCKED(
            14,
            "com.microsoft:session-cannot-be-locked",
            410,
            41000,
            false,
            "The requested session cannot be accepted. It may be locked by another receiver.",
            "Accept another session, or wait until the other receiver lets go of it."),
    MESSAGE_NOT_FOUND(
            15,
            "com.microsoft:message-not-found",
            404,
            40400,
            false,
            "Failed to lock one or more specified messages. Either the message is already locked or does not exist.",
            "Check the sequence numbers; the messages may have been settled or have expired."),
    QUOTA_EXCEEDED(
            16,
            "amqp:resource-limit-exceeded",
            403,
            40300,
            false,
            "A quota has been exceeded.",
            "Make room: receive messages, delete entities. Or raise the limit that the text names with --limit."),
    MESSAGE_SIZE_EXCEEDED(
            17,
            "amqp:link:message-size-exceeded",
            403,
            40300,
            false,
            "The message exceeds the size allowed on the entity.",
            "Send smaller messages or batches, or raise --limit maxMessageSizeBytes."),
    NO_MATCHING_SUBSCRIPTION(
            18,
            "com.microsoft:no-matching-subscription",
            500,
            50000,
            false,
            "No subscription matches the message.",
            "Add a rule that matches, or turn FilteringMessagesBeforePublishing off."),
    PARTITION_NOT_OWNED(
            19,
            "com.microsoft:partition-not-owned",
            410,
            41000,
            true,
            "The partition is not available here.",
            "Try again."),
    STORE_LOCK_LOST(
            20,
            "com.microsoft:store-lock-lost",
            410,
            40500,
            false,
            "Another process owns the messaging store.",
            "Stop the other process, then connect again."),
    OPERATION_CANCELLED(
            21,
            "com.microsoft:operation-cancelled",
            500,
            50000,
            false,
            "The operation was cancelled.",
            "Ask again if the answer is still wanted."),
    NOT_IMPLEMENTED(
            22,
            "amqp:not-implemented",
            501,
            0,
            false,
            "The operation is not implemented.",
            "The text names what this version does not serve yet; do without it, or use a later version."),
    DETACH_FORCED(
            23,
            "amqp:link:detach-forced",
            503,
            50004,
            true,
            "The server closed the link.",
            "Attach again; the SDKs do so by themselves."),
    CONNECTION_FORCED(
            24,
            "amqp:connection:forced",
            503,
            50004,
            true,
            "The server closed the connection.",
            "Connect again; the SDKs do so by themselves."),
    INVALID_FIELD(
            25,
            "amqp:invalid-field",
            400,
            40000,
            false,
            "A field has an invalid value.",
            "Correct the field that the text names."),
    DECODE_ERROR(
            26,
            "amqp:decode-error",
            400,
            40000,
            false,
            "The data could not be decoded.",
            "Check what the client library writes; the data breaks the protocol."),
    TRANSACTION_UNKNOWN(
            27,
            "amqp:transaction:unknown-id",
            400,
            40000,
            false,
            "The transaction is not declared.",
            "Declare a transaction and do its work again; the old one has ended."),
    TRANSACTION_ROLLBACK(
            28,
            "amqp:transaction:rollback",
            400,
            40000,
            false,
            "The transaction was rolled back.",
            "Do the work again in a new transaction."),
    TRANSACTION_TIMEOUT(
            29,
            "amqp:transaction:timeout",
            400,
            40000,
            false,
            "The transaction timed out.",
            "Do the work again in a new transaction, and finish it sooner."),
    FORWARDING_DESTINATION_NOT_FOUND(
            30,
            "com.microsoft:argument-error",
            400,
            40400,
            false,
            "The auto forwarding destination was not found.",
            "Create the queue or topic first; a subscription or sub-queue cannot be a destination."),
    SQL_FILTERS_EXCEEDED(
            31,
            "amqp:resource-limit-exceeded",
            403,
            40501,
            false,
            "The topic has as many SQL filters as it may have.",
            "Delete rules, or raise --limit maxSqlFilters."),
    CORRELATION_FILTERS_EXCEEDED(
            32,
            "amqp:resource-limit-exceeded",
            403,
            40502,
            false,
            "The topic has as many correlation filters as it may have.",
            "Delete rules, or raise --limit maxCorrelationFilters."),
    SUBSCRIPTIONS_EXCEEDED(
            33,
            "amqp:resource-limit-exceeded",
            403,
            40503,
            false,
            "The topic has as many subscriptions as it may have.",
            "Delete subscriptions, or raise --limit maxSubscriptions."),

    /** Busy because the namespace's credits are used up; HTTP answers 429 instead (THR-6). */
    THROTTLED(
            34,
            "com.microsoft:server-busy",
            503,
            50004,
            true,
            "The namespace is being throttled; try again later.",
            "Slow down, or raise the credits per second with --throttling.");

    private final int number;
    private final String amqpCondition;
    private final int httpStatus;
    private final int subCode;
    private final boolean retryable;
    private final String text;
    private final String advice;

    ErrorCode(
            int number,
            String amqpCondition,
            int httpStatus,
            int subCode,
            boolean retryable,
            String text,
            String advice) {
        this.number = number;
        this.amqpCondition = amqpCondition;
        this.httpStatus = httpStatus;
        this.subCode = subCode;
        this.retryable = retryable;
        this.text = text;
        this.advice = advice;
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

    /**
     * The number that administration clients find as {@code SubCode=} in the detail of an error (HTTP reference 2.10), or 0
     * where the service has none. An edge that knows more, such as what is wrong with a token, may be more precise.
     */
    public int subCode() {
        return subCode;
    }

    /** Whether the same request may succeed later without a change ("Tr" in the reference's table). */
    public boolean retryable() {
        return retryable;
    }

    /** The sentence used when nothing more precise is known. */
    public String text() {
        return text;
    }

    /** What somebody who meets the error can do about it. */
    public String advice() {
        return advice;
    }
}
