package dev.jitney.codec;

/** The fields of a properties section in the specified order (AMQP 1.0 part 3, 3.2.4). */
public enum PropertyField {
    MESSAGE_ID,
    USER_ID,
    TO,
    SUBJECT,
    REPLY_TO,
    CORRELATION_ID,
    CONTENT_TYPE,
    CONTENT_ENCODING,
    ABSOLUTE_EXPIRY_TIME,
    CREATION_TIME,
    GROUP_ID,
    GROUP_SEQUENCE,
    REPLY_TO_GROUP_ID
}
