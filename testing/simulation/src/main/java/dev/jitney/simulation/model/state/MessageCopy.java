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

    /** The number of the batch that has stored the message. */
    final long bornIn;

    /** The properties in the content of the message. */
    public final Map<String, String> content;

    public final VisibleProperties visible;

    /** The time since which the message is unlocked, as far as known, in milliseconds since the epoch. */
    public long freeMs;

    public int deliveryCount;
    public boolean deferred;
    public int changedBytes = -1;

    @Nullable
    public Lock lock;

    /** True if a message of its session has expired while this one was locked (TTL-30). */
    public boolean doomed;

    /** The number of the batch that has last changed the message. */
    public long changedIn;

    /**
     * Creates a message.
     *
     * @param content the properties in its content, which may be shared
     */
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

    /** Returns whether the time to live has ended. In the scheduled lane it has not begun. */
    public boolean isExpired(long nowMs) {
        return lane != Lane.SCHEDULED && row.expiresMs() <= nowMs;
    }

    /** Returns whether the message is neither locked nor deferred. */
    public boolean isAvailable() {
        return lock == null && !deferred;
    }

    /** Returns the size of the message towards the quota of its entity, without the properties in its own row. */
    public long sizeBytes() {
        return changedBytes < 0 ? row.sizeBytes() : row.contentBytes() + changedBytes;
    }

    /** Checks the message that a client sees. */
    public void requireSeen(MessageView view) {
        VisibleProperties seen = PropertyBytes.visible(view);
        check(
                visible.equals(seen),
                () -> "Expected a message with the properties " + visible + ", but got " + seen,
                this);
    }

    @Override
    public String toString() {
        String session = row.session() == null ? "" : " of " + row.session();
        String expiry = row.expiresMs() == Long.MAX_VALUE ? "" : " until " + row.expiresMs();
        return "message " + uid + " (" + entity.path + " " + lane + " " + number + session + expiry + ")";
    }
}
