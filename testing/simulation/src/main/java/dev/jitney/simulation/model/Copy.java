package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stored message of a shelf. */
final class Copy {
    final long uid;
    final Shelf shelf;
    final Lane lane;
    final long number;
    final RowBytes.Message row;

    /** The batch that has stored it. */
    final long bornIn;

    /** The properties in its content. */
    final Map<String, String> content;

    final Look look;

    /** Since when nobody has it, as far as is known. */
    long freeMs;

    int deliveryCount;
    boolean deferred;
    int changedBytes = -1;

    @Nullable
    Lock lock;

    /** TTL-30: whether a message of its session has expired while this one was locked. */
    boolean doomed;

    /** The batch that has changed it last. */
    long changedIn;

    /** @param content the properties in its content, which may be shared */
    Copy(
            long uid,
            Shelf shelf,
            Lane lane,
            long number,
            RowBytes.Message row,
            Map<String, String> content,
            long bornIn) {
        this.uid = uid;
        this.shelf = shelf;
        this.lane = lane;
        this.number = number;
        this.row = row;
        this.content = content;
        this.look = LookBytes.look(content, row.overrides().values());
        this.bornIn = bornIn;
        this.changedIn = bornIn;
        this.deliveryCount = row.deliveryCount();
    }

    /** Whether its time to live is over; in the scheduled lane it has not begun. */
    boolean isExpired(long nowMs) {
        return lane != Lane.SCHEDULED && row.expiresMs() <= nowMs;
    }

    /** Whether nobody has it and nobody has set it aside. */
    boolean isAvailable() {
        return lock == null && !deferred;
    }

    /** What it counts towards the size of its shelf besides the properties in its own row. */
    long sizeBytes() {
        return changedBytes < 0 ? row.sizeBytes() : row.contentBytes() + changedBytes;
    }

    @Override
    public String toString() {
        String session = row.session() == null ? "" : " of " + row.session();
        String expiry = row.expiresMs() == Long.MAX_VALUE ? "" : " until " + row.expiresMs();
        return "message " + uid + " (" + shelf.path + " " + lane + " " + number + session + expiry + ")";
    }
}
