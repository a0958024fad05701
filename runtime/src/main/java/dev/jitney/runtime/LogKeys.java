package dev.jitney.runtime;

/** Names of the fields that log lines carry besides their text, the same in every module. */
public final class LogKeys {
    /** The tracking id at the end of an error text sent to a client. */
    public static final String TRACKING_ID = "trackingId";

    /** The name of the namespace. */
    public static final String NAMESPACE = "namespace";

    /** The path of the entity, or the text that a client sent as a path. */
    public static final String ENTITY = "entity";

    /** The container id of the AMQP connection, which the client chose. */
    public static final String CONNECTION = "connection";

    /** The index of the shard and of its store. */
    public static final String SHARD = "shard";

    private LogKeys() {}
}
