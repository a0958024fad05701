package dev.jitney.runtime;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The audit trail of a namespace: its newest administrative actions, in its store. Ids ascend. Any thread may call it, and no
 * method blocks.
 */
public interface AuditTrail {
    /** The number of the newest entries that are kept at least. Older ones are deleted in groups. */
    int ENTRIES_MAX = 10_000;

    /** The maximum number of entries that one read returns. */
    int READ_MAX = 32;

    /** The results of actions. */
    enum Result {
        DONE,
        REFUSED,
        /** The entry counts other entries, which are missing. */
        LEFT_OUT
    }

    /**
     * An action and its author. Empty texts are absent.
     *
     * @param name a verb and its object, for example {@code create queue}
     * @param key the name of the authorization rule whose key the client used
     * @param client address and port of the client's socket
     * @param namespace the name of the namespace that the action concerns
     * @param entity the path of the entity
     * @param rule the name of the subscription rule or authorization rule
     */
    record Action(String name, String key, String client, String namespace, String entity, String rule) {}

    /**
     * One entry.
     *
     * @param id at least 1
     * @param timeMs milliseconds since the epoch
     * @param details the difference that the action made, the reason of a refusal, or the numbers of missing entries
     */
    record Entry(long id, long timeMs, Result result, Action action, String details) {}

    /**
     * Some entries.
     *
     * @param entries the newest one first
     * @param next the value of {@code before} for the next read, or 0 after the oldest entry
     */
    record Slice(List<Entry> entries, long next) {}

    /**
     * Appends an entry, as soon as the store has time for it. An entry that the store does not take is lost, and a later entry counts
     * the lost ones. Refused actions are left out if their client was not authenticated, or if there are many of them.
     *
     * @param result not {@link Result#LEFT_OUT}
     * @param details a text that the caller has shortened, like those of the action: an entry has {@value Documents#BYTES_MAX} bytes at
     *     most
     */
    void append(Result result, Action action, String details);

    /**
     * Appends an entry for an action that has read messages and changed nothing. It is left out, and counted, if there are many such
     * actions, so that reading cannot push changes out of the trail.
     *
     * @param details a text that the caller has shortened
     */
    void appendRead(Action action, String details);

    /**
     * Appends an entry for the beginning or the end of a session, which changed nothing. It is left out, and counted, if there are many of
     * them: a client with any key can log in as often as it likes, and cannot push changes out of the trail.
     */
    void appendSession(Action action);

    /**
     * Reads the newest entries before an id.
     *
     * @param before the id after the newest entry to read; {@link Long#MAX_VALUE} for the newest entry of all
     * @return fails with {@link BrokerException} if the store does not work
     */
    CompletionStage<Slice> read(long before);
}
