package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * The tables of a messaging store. Keys are byte strings in unsigned order; formats are in {@code docs/formats.md}.
 *
 * <p>An id names the table on disk and is never reused.
 */
public enum Table {
    /** What the store knows of itself. */
    META(0, false),
    /** Entity descriptions. */
    ENTITIES(1, false),
    /** One row per fragment: next sequence number, counters, times. Rewritten with nearly every batch. */
    FRAGMENTS(2, false),
    /** Messages. A key is put once and deleted once, never put again. */
    MESSAGES(3, true),
    /** What changed about a message after it was stored. */
    MESSAGE_STATES(4, false),
    /** Scheduled messages by due time. A key is put once and deleted once. */
    TIMERS(5, true),
    /** Smallest expiry per block of sequence numbers. */
    EXPIRY_BLOCKS(6, false),
    /** Rules of subscriptions. */
    RULES(7, false),
    /** Bodies that several subscriptions of a topic share. A key is put once and deleted once. */
    BODIES(8, true),
    /** How many copies of a shared body are gone. */
    BODY_RELEASES(9, false),
    /** Deleted subscriptions whose messages are still to go. */
    REMAINS(10, false),
    /** Ids of messages taken, for duplicate detection. Most keys that are asked for are not there. */
    DUPLICATE_IDS(11, false),
    /** Sessions that have messages or state. */
    SESSIONS(13, false),
    /** Sessions with active messages by the first of them. */
    SESSION_HEADS(14, false),
    /** Messages of the main lane by session. A key is put once and deleted once. */
    SESSION_MESSAGES(15, true),
    /** What applications keep with sessions. */
    SESSION_STATES(16, false),
    /** The outboxes: messages on their way to other entities. A key is put once and deleted once. */
    TRANSFERS(17, true),
    /** The last transfer an entity has taken from another one. */
    TRANSFER_MARKS(18, false),
    /** When the shard of this store was in use; only while it has entities that go away when they are idle. */
    UPTIME(19, false),
    /** Fragments of partitioned entities, each an entity of its own in this store. */
    PARTS(20, false);

    private static final @Nullable Table[] BY_ID = byId();

    private final int id;
    private final boolean writtenOnce;

    Table(int id, boolean writtenOnce) {
        this.id = id;
        this.writtenOnce = writtenOnce;
    }

    /** What names the table on disk and between nodes: 0 to 63, never used for another table. */
    public int id() {
        return id;
    }

    /** The table with an id, or null if this version knows none. */
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
     * Whether every key is put at most once and deleted at most once, so that an engine may use cheaper deletes.
     */
    public boolean writtenOnce() {
        return writtenOnce;
    }
}
