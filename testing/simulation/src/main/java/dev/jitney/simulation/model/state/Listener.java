package dev.jitney.simulation.model.state;

import static dev.jitney.simulation.model.state.Checks.check;
import static dev.jitney.simulation.model.state.Checks.guard;

import dev.jitney.core.Lane;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A receiver as its client knows it. */
public final class Listener implements ReceiverListener {
    final Timeline timeline;
    private final Judge judge;
    private final StoredEntity.Lookup entities;
    public final String path;
    public final Lane lane;
    public final ReceiveMode mode;

    /** The session that the receiver holds, or null. */
    @Nullable
    public String session;

    /** True if the receiver holds a session or waits for one. */
    public final boolean ofSession;

    /** The number of faults before the receiver was created. */
    public final long disturbances;

    public boolean attached;
    public boolean closed;

    /**
     * True if the broker has revoked the credit because the entity was disabled, and the receiver has requested nothing
     * since.
     */
    private boolean suspended;

    /** True if the client has closed the receiver, so that its locks may be released. */
    public boolean leaving;

    /** The number of requests before the receiver was closed. */
    private long leftAt;

    /** The number of requests before the credit was last raised. */
    private long wantedAt;

    /**
     * The time since which the receiver has always had credit, by the latest clock or shard, in milliseconds since the
     * epoch.
     */
    private long hungrySinceMs;

    /** True if the client is setting its credit in the current call, so that messages delivered now were fetched before. */
    private boolean asking;

    public long sessionUntilMs;
    public long limit;
    public long delivered;
    public final List<Lock> locks = new ArrayList<>();
    private @Nullable Receiver receiver;

    /** The number of the process to which the receiver belongs. */
    private final long process;

    /** The judge of deliveries. */
    public interface Judge {
        Timeline timeline();

        StoredEntity.Lookup entities();

        /** Called when a message was delivered. */
        void delivered(Listener listener, MessageView view);

        /** Called when the broker has ended a receiver. */
        void closed(Listener listener, Rejection reason);

        /** Called when a client closes a receiver. */
        void left(Listener listener);

        /** Called when an entity was accessed. */
        void used(String path);

        /** Returns whether the status of an entity may forbid an operation. */
        boolean mayBeClosed(String path);

        boolean isToBeDeleted(String path);
    }

    public Listener(Judge judge, String path, Lane lane, ReceiveMode mode, boolean ofSession) {
        this.judge = judge;
        this.timeline = judge.timeline();
        this.entities = judge.entities();
        this.path = path;
        this.lane = lane;
        this.mode = mode;
        this.ofSession = ofSession;
        this.disturbances = timeline.disturbances();
        this.process = timeline.process();
    }

    /** Returns whether another process serves clients since the receiver was created. */
    private boolean isOutdated() {
        return process != timeline.process();
    }

    /** Sets the receiver of the broker. */
    public void isServedBy(Receiver made) {
        receiver = made;
    }

    public Receiver receiver() {
        if (receiver == null) {
            throw new IllegalStateException("Expected an attached receiver, but attach has not succeeded.");
        }
        return receiver;
    }

    /** Returns whether the receiver is attached and has not ended. */
    public boolean isOpen() {
        return attached && !closed && !leaving;
    }

    public String path() {
        return path;
    }

    public Lane lane() {
        return lane;
    }

    /** Returns the session that the receiver holds, or null. */
    public @Nullable String session() {
        return session;
    }

    /** Raises the credit and returns the new delivery limit. */
    public long want(int more) {
        if (delivered >= limit) {
            hungrySinceMs = timeline.latestMs();
        }
        limit = Math.max(limit, delivered) + more;
        wantedAt = timeline.nextRequest();
        suspended = false;
        return limit;
    }

    /** Sets the delivery limit that {@link #want} has returned. */
    public void ask(long inAll, boolean drain) {
        asking = true;
        try {
            receiver().setCredit(inAll, drain);
        } finally {
            asking = false;
        }
    }

    public boolean isAsking() {
        return asking;
    }

    /** Returns whether the receiver has always had credit since before a time. */
    public boolean isHungrySince(long timeMs) {
        return hungrySinceMs < timeMs;
    }

    /** Closes the receiver for the client. */
    public void leave() {
        leaving = true;
        leftAt = timeline.nextRequest();
        judge.left(this);
    }

    /**
     * Returns whether the locks of the receiver may be released: the client closed it before the reported batch was
     * written.
     */
    public boolean mayHaveLeft(int store) {
        return leaving && leftAt < timeline.shard(store).heard();
    }

    @Override
    public void onDelivered(MessageView message) {
        guard(() -> {
            timeline.requireLease(process, this);
            judge.delivered(this, message);
        });
    }

    @Override
    public void onDrained(long deliveryLimit) {
        guard(() -> {
            requireOpen();
            delivered = Math.max(delivered, deliveryLimit);
            if (!isOutdated()) {
                judge.used(path);
            }
        });
    }

    @Override
    public void onSuspended(Rejection reason) {
        guard(() -> {
            requireOpen();
            check(
                    session != null && judge.mayBeClosed(path),
                    "Expected no suspension of the holder of a session (SUSP-5)",
                    this);
            suspended = true;
        });
    }

    @Override
    public void onClosed(Rejection reason) {
        guard(() -> {
            requireOpen();
            closed = true;
            if (!isOutdated()) {
                judge.closed(this, reason);
            }
        });
    }

    public void requireOpen() {
        if (closed) {
            throw new Violation("Expected no event after the end of the receiver on " + path + ", but got one.");
        }
    }

    @Override
    public String toString() {
        return mode + " receiver of " + path + (lane == Lane.MAIN ? "" : " " + lane) + " with delivery limit " + limit;
    }

    /** Returns whether the receiver may have lost its session. */
    public boolean isSessionLost() {
        StoredEntity home = home();
        long nowMs = home == null ? 0 : timeline.shard(home.store).nowMs();
        return sessionUntilMs <= nowMs || leaving || closed || judge.isToBeDeleted(path);
    }

    /**
     * Returns whether the receiver fetches from all fragments of a partitioned entity. The holder of a session uses
     * only one fragment.
     */
    public boolean isFetching() {
        return !ofSession && entities.isPartitioned(path);
    }

    /** Returns the fragment from which the receiver gets messages; null if it was deleted. */
    @Nullable
    public StoredEntity home() {
        return entities.ofSession(path, session);
    }

    /** Returns whether the receiver is in receive-and-delete mode. */
    public boolean takesForGood() {
        return mode == ReceiveMode.RECEIVE_AND_DELETE;
    }

    /** Returns whether the receiver waits for messages and set its credit before a request was made. */
    public boolean isHungryBefore(long request) {
        return isHungry() && wantedAt < request;
    }

    /** Returns whether the receiver has credit for messages. */
    public boolean isHungry() {
        return isOpen() && !suspended && delivered < limit;
    }
}
