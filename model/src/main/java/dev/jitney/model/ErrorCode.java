package dev.jitney.model;

/**
 * The catalog of all errors that clients can receive (semantics reference 0.3).
 *
 * <p>Each constant determines the AMQP condition, the HTTP status and whether a retry makes sense, so that all protocols
 * agree. The {@linkplain #number() number} of a constant never changes and is never reused.
 * {@code docs/reference/errors.md} is generated from this catalog.
 */
public enum ErrorCode {
    TIMEOUT(
            1,
            "com.microsoft:timeout",
            408,
            0,
            true,
            "The operation did not complete within the allotted timeout.",
            "Retry, but note that the operation may have completed in spite of the timeout."),
    SERVER_BUSY(
            2,
            "com.microsoft:server-busy",
            503,
            50004,
            true,
            "The server is busy. Try again later.",
            "Wait ten seconds and retry; the SDKs retry automatically. If the error persists, check the load and the disk"
                    + " of the server, and the throttling credits."),
    INTERNAL(
            3,
            "amqp:internal-error",
            500,
            50000,
            true,
            "The server failed to process the request.",
            "Retry. If the error persists, report a bug with the tracking id and the server's log."),
    ENTITY_NOT_FOUND(
            4,
            "amqp:not-found",
            404,
            40400,
            false,
            "The messaging entity could not be found.",
            "Check the name of the entity and the namespace, or create the entity."),
    ENTITY_EXISTS(
            5,
            "com.microsoft:entity-already-exists",
            409,
            40900,
            false,
            "The messaging entity already exists.",
            "Update the existing entity, or choose another name. Names are not case-sensitive, and a queue and a"
                    + " topic cannot have the same name."),
    ENTITY_DISABLED(
            6,
            "com.microsoft:entity-disabled",
            400,
            40000,
            false,
            "The messaging entity is currently disabled.",
            "Set the Status of the entity to Active."),
    INVALID_OPERATION(
            7,
            "amqp:not-allowed",
            400,
            40000,
            false,
            "The operation is not allowed.",
            "Use an operation that the entity allows; the error text names the reason."),
    ARGUMENT(
            8,
            "com.microsoft:argument-error",
            400,
            40000,
            false,
            "An argument is invalid.",
            "Correct the value that the error text names."),
    OUT_OF_RANGE(
            9,
            "com.microsoft:argument-out-of-range",
            400,
            40000,
            false,
            "An argument is out of range.",
            "Choose a value within the range that the error text names."),
    UNAUTHORIZED(
            10,
            "amqp:unauthorized-access",
            401,
            40100,
            false,
            "The operation is not authorized.",
            "Use a shared access rule that has the required right: Manage, Send or Listen."),
    AUTH_FAILED(
            11,
            "com.microsoft:auth-failed",
            401,
            40103,
            false,
            "The token is not valid.",
            "Check the rule name, key, audience and expiry of the token, and the clocks of client and server."),
    MESSAGE_LOCK_LOST(
            12,
            "com.microsoft:message-lock-lost",
            410,
            41000,
            false,
            "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the"
                    + " queue.",
            "Receive the message again. Renew the lock during long processing, or increase LockDuration."),
    SESSION_LOCK_LOST(
            13,
            "com.microsoft:session-lock-lost",
            410,
            41000,
            false,
            "The session lock has expired on the MessageSession. Accept a new MessageSession.",
            "Accept the session again. Renew the session lock during long processing."),
    SESSION_CANNOT_BE_LOCKED(
            14,
            "com.microsoft:session-cannot-be-locked",
            410,
            41000,
            false,
            "The requested session cannot be accepted. It may be locked by another receiver.",
            "Accept another session, or retry after the other receiver has closed the session."),
    MESSAGE_NOT_FOUND(
            15,
            "com.microsoft:message-not-found",
            404,
            40400,
            false,
            "Failed to lock one or more specified messages. Either the message is already locked or does not exist.",
            "Check the sequence numbers. The messages may have been settled, or may have expired."),
    QUOTA_EXCEEDED(
            16,
            "amqp:resource-limit-exceeded",
            403,
            40300,
            false,
            "A quota has been exceeded.",
            "Receive messages or delete entities, depending on the quota. Or raise the limit that the error text"
                    + " names with --limit."),
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
            "Add a matching rule to a subscription, or use a topic without FilteringMessagesBeforePublishing."),
    PARTITION_NOT_OWNED(
            19,
            "com.microsoft:partition-not-owned",
            410,
            41000,
            true,
            "The partition is not available on this server.",
            "Retry."),
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
            "The operation was canceled.",
            "Repeat the operation if you still need its result."),
    NOT_IMPLEMENTED(
            22,
            "amqp:not-implemented",
            501,
            0,
            false,
            "The operation is not implemented.",
            "Do not use the feature that the error text names, or use a version of Jitney that has it."),
    DETACH_FORCED(
            23,
            "amqp:link:detach-forced",
            503,
            50004,
            true,
            "The server closed the link.",
            "Attach the link again; the SDKs reconnect automatically."),
    CONNECTION_FORCED(
            24,
            "amqp:connection:forced",
            503,
            50004,
            true,
            "The server closed the connection.",
            "Connect again; the SDKs reconnect automatically."),
    INVALID_FIELD(
            25,
            "amqp:invalid-field",
            400,
            40000,
            false,
            "A field has an invalid value.",
            "Correct the field that the error text names."),
    DECODE_ERROR(
            26,
            "amqp:decode-error",
            400,
            40000,
            false,
            "The data could not be decoded.",
            "Check the client library: the data that it sent violates the protocol."),
    TRANSACTION_UNKNOWN(
            27,
            "amqp:transaction:unknown-id",
            400,
            40000,
            false,
            "The transaction is not declared.",
            "The transaction has ended. Declare a new transaction and repeat its operations."),
    TRANSACTION_ROLLBACK(
            28,
            "amqp:transaction:rollback",
            400,
            40000,
            false,
            "The transaction was rolled back.",
            "Repeat the operations in a new transaction."),
    TRANSACTION_TIMEOUT(
            29,
            "amqp:transaction:timeout",
            400,
            40000,
            false,
            "The transaction timed out.",
            "Repeat the operations in a new transaction, and finish it sooner."),
    FORWARDING_DESTINATION_NOT_FOUND(
            30,
            "com.microsoft:argument-error",
            400,
            40400,
            false,
            "The auto forwarding destination was not found.",
            "Create the queue or topic first. Subscriptions and sub-queues cannot be destinations."),
    SQL_FILTERS_EXCEEDED(
            31,
            "amqp:resource-limit-exceeded",
            403,
            40501,
            false,
            "The topic has the maximum number of SQL filters.",
            "Delete rules, or raise --limit maxSqlFilters."),
    CORRELATION_FILTERS_EXCEEDED(
            32,
            "amqp:resource-limit-exceeded",
            403,
            40502,
            false,
            "The topic has the maximum number of correlation filters.",
            "Delete rules, or raise --limit maxCorrelationFilters."),
    SUBSCRIPTIONS_EXCEEDED(
            33,
            "amqp:resource-limit-exceeded",
            403,
            40503,
            false,
            "The topic has the maximum number of subscriptions.",
            "Delete subscriptions, or raise --limit maxSubscriptions."),

    /** The namespace has used its throttling credits; HTTP answers 429 instead (THR-6). */
    THROTTLED(
            34,
            "com.microsoft:server-busy",
            503,
            50004,
            true,
            "The namespace is being throttled. Try again later.",
            "Send fewer requests per second, or raise the credits per second with --throttling.");

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

    /** Returns the permanent number of this error. */
    public int number() {
        return number;
    }

    /** Returns the AMQP error condition, an ASCII symbol. */
    public String amqpCondition() {
        return amqpCondition;
    }

    /**
     * Returns the status of management responses over AMQP. The HTTP gateway derives its own status from the constant.
     */
    public int httpStatus() {
        return httpStatus;
    }

    /**
     * Returns the number that administration clients find as {@code SubCode=} in the detail of an error (HTTP reference
     * 2.10), or 0 if Service Bus has none. A gateway that knows the exact cause, for example an expired token, may use a
     * more precise number.
     */
    public int subCode() {
        return subCode;
    }

    /** Returns whether the same request may succeed later without a change ("Tr" in the reference's table). */
    public boolean retryable() {
        return retryable;
    }

    /** Returns the error text for cases without a more precise text. */
    public String text() {
        return text;
    }

    /** Returns the advice for users who receive this error. */
    public String advice() {
        return advice;
    }
}
