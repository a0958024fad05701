package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * The tables of a messaging store. Keys are byte strings in unsigned order. {@code docs/formats.md} specifies the
 * formats.
 *
 * <p>An id identifies the table on disk and is never reused.
 */
public enum Table {
    /** Data of the store itself. */
    META(0, false),
    /** Entity descriptions. */
    ENTITIES(1, false),
    /** One row per fragment: last sequence number, counters, times. Rewritten with nearly every batch. */
    FRAGMENTS(2, false),
    /** Messages. A key is put once and deleted once, never put again. */
    MESSAGES(3, true),
    /** Changes of a message after it was stored. */
    MESSAGE_STATES(4, false),
    /** Scheduled messages by due time. A key is put once and deleted once. */
    TIMERS(5, true),
    /** Smallest expiry per block of sequence numbers. */
    EXPIRY_BLOCKS(6, false),
    /** Rules of subscriptions. */
    RULES(7, false),
    /** Bodies that several subscriptions of a topic share. A key is put once and deleted once. */
    BODIES(8, true),
    /** The number of deleted copies of a shared body. */
    BODY_RELEASES(9, false),
    /** Deleted subscriptions whose messages are not deleted yet. */
    REMAINS(10, false),
    /** Ids of accepted messages, for duplicate detection. Most lookups find no key. */
    DUPLICATE_IDS(11, false),
    /** Sessions that have messages or state. */
    SESSIONS(13, false),
    /** Sessions with active messages, by their position in the queue. */
    SESSION_HEADS(14, false),
    /** Messages of the main lane by session. A key is put once and deleted once. */
    SESSION_MESSAGES(15, true),
    /** Session states set by applications. */
    SESSION_STATES(16, false),
    /** The outboxes: messages in transfer to other entities. A key is put once and deleted once. */
    TRANSFERS(17, true),
    /** The last transfer that an entity has stored from another one. */
    TRANSFER_MARKS(18, false),
    /** Uptimes and downtimes of the store's shard; only written while it has temporary entities. */
    UPTIME(19, false),
    /** Fragments of partitioned entities. Each is a separate entity in this store. */
    PARTS(20, false);

    private static final @Nullable Table[] BY_ID = byId();

    private final int id;
    private final boolean writtenOnce;

    Table(int id, boolean writtenOnce) {
        this.id = id;
        this.writtenOnce = writtenOnce;
    }

    /** Returns the id of the table on disk and between nodes: 0 to 63, never used for another table. */
    public int id() {
        return id;
    }

    /** Returns the table of an id, or null if this version has none. */
    public static @Nullable Table of(int id) {
        return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
    }

    private static @Nullable Table[] byId() {
        @Nullable Table[] tables = new Table[64];
        for (Table table : values()) {
            tables[table.id] = table;
        }
        return tables;
    }

    /**
     * Returns whether every key is put at most once and deleted at most once, so that an engine may use cheaper
     * deletes.
     */
    public boolean writtenOnce() {
        return writtenOnce;
    }
}
