package dev.jitney.simulation.model.state;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.model.MessageView;
import dev.jitney.simulation.model.row.PropertyBytes;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.row.VisibleProperties;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stored message of an entity. */
public final class MessageCopy {
    public final long uid;
    public final StoredEntity entity;
    public final Lane lane;
    public final long number;
    public final RowBytes.Message row;

    /** The batch that has stored it. */
    final long bornIn;

    /** The properties in its content. */
    public final Map<String, String> content;

    public final VisibleProperties visible;

    /** Since when nobody has it, as far as is known. */
    public long freeMs;

    public int deliveryCount;
    public boolean deferred;
    public int changedBytes = -1;

    @Nullable
    public Lock lock;

    /** TTL-30: whether a message of its session has expired while this one was locked. */
    public boolean doomed;

    /** The batch that has changed it last. */
    public long changedIn;

    /** @param content the properties in its content, which may be shared */
    public MessageCopy(
            long uid,
            StoredEntity entity,
            Lane lane,
            long number,
            RowBytes.Message row,
            Map<String, String> content,
            long bornIn) {
        this.uid = uid;
        this.entity = entity;
        this.lane = lane;
        this.number = number;
        this.row = row;
        this.content = content;
        this.visible = PropertyBytes.visible(content, row.overrides().values());
        this.bornIn = bornIn;
        this.changedIn = bornIn;
        this.deliveryCount = row.deliveryCount();
    }

    /** Whether its time to live is over; in the scheduled lane it has not begun. */
    public boolean isExpired(long nowMs) {
        return lane != Lane.SCHEDULED && row.expiresMs() <= nowMs;
    }

    /** Whether nobody has it and nobody has set it aside. */
    public boolean isAvailable() {
        return lock == null && !deferred;
    }

    /** What it counts towards the size of its entity besides the properties in its own row. */
    public long sizeBytes() {
        return changedBytes < 0 ? row.sizeBytes() : row.contentBytes() + changedBytes;
    }

    /** A client sees it. */
    public void requireSeen(MessageView view) {
        VisibleProperties seen = PropertyBytes.visible(view);
        check(visible.equals(seen), () -> "Expected a message that looks as " + visible + ", but got " + seen, this);
    }

    @Override
    public String toString() {
        String session = row.session() == null ? "" : " of " + row.session();
        String expiry = row.expiresMs() == Long.MAX_VALUE ? "" : " until " + row.expiresMs();
        return "message " + uid + " (" + entity.path + " " + lane + " " + number + session + expiry + ")";
    }
}
