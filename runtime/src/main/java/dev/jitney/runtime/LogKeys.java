package dev.jitney.runtime;

/** Names of the fields that log lines carry besides their text, the same in every module. */
public final class LogKeys {
    /** The id at the end of an error text that a client got. */
    public static final String TRACKING_ID = "trackingId";

    /** The name of the namespace. */
    public static final String NAMESPACE = "namespace";

    /** The path of the entity, or what the client took for one. */
    public static final String ENTITY = "entity";

    /** The container id by which an AMQP client knows its connection. */
    public static final String CONNECTION = "connection";

    /** The index of the shard and its store. */
    public static final String SHARD = "shard";

    private LogKeys() {}
}
