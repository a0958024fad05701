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

    /** The session it holds, or null. */
    @Nullable
    public String session;

    /** Whether it holds a session, or waits for one. */
    public final boolean ofSession;

    /** How much had gone wrong when it was made. */
    public final long disturbances;

    public boolean attached;
    public boolean closed;

    /** Whether its credit was taken back, because its entity was disabled, and it has wanted nothing since. */
    private boolean suspended;

    /** Whether its client has let it go, so that what it holds may be free. */
    public boolean leaving;

    /** How many requests there were before it was let go. */
    private long leftAt;

    /** How many requests there were before it wanted more. */
    private long wantedAt;

    /** Since when it has wanted messages without a break, by the latest clock there is; milliseconds since the epoch. */
    private long hungrySinceMs;

    /** Whether its client is asking for messages at this moment, so that what comes was fetched before. */
    private boolean asking;

    public long sessionUntilMs;
    public long limit;
    public long delivered;
    public final List<Lock> locks = new ArrayList<>();
    private @Nullable Receiver receiver;

    /** Judges deliveries. */
    public interface Judge {
        Timeline timeline();

        StoredEntity.Lookup entities();

        /** A message was delivered. */
        void delivered(Listener listener, MessageView view);

        /** The broker has ended a receiver. */
        void closed(Listener listener, Rejection reason);

        /** A client lets a receiver go. */
        void left(Listener listener);

        /** An entity was used now. */
        void used(String path);

        /** Whether the status of an entity may forbid something. */
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
    }

    /** What the client uses it by. */
    public void isServedBy(Receiver made) {
        receiver = made;
    }

    public Receiver receiver() {
        if (receiver == null) {
            throw new IllegalStateException("Expected a receiver.");
        }
        return receiver;
    }

    /** Whether it is attached and has not ended. */
    public boolean isOpen() {
        return attached && !closed && !leaving;
    }

    public String path() {
        return path;
    }

    public Lane lane() {
        return lane;
    }

    /** The session it holds, or null. */
    public @Nullable String session() {
        return session;
    }

    /** Raises what it wants in all and answers how much that is. */
    public long want(int more) {
        if (delivered >= limit) {
            hungrySinceMs = timeline.latestMs();
        }
        limit = Math.max(limit, delivered) + more;
        wantedAt = timeline.nextRequest();
        suspended = false;
        return limit;
    }

    /** Asks for messages by what {@link #want} has answered. */
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

    /** Whether it has wanted messages without a break since some time before that. */
    public boolean isHungrySince(long timeMs) {
        return hungrySinceMs < timeMs;
    }

    /** The client lets it go. */
    public void leave() {
        leaving = true;
        leftAt = timeline.nextRequest();
        judge.left(this);
    }

    /** Whether what it holds may be free already: it was let go before the batch that is being told was written. */
    public boolean mayHaveLeft(int store) {
        return leaving && leftAt < timeline.shard(store).heard();
    }

    @Override
    public void onDelivered(MessageView message) {
        guard(() -> judge.delivered(this, message));
    }

    @Override
    public void onDrained(long deliveryLimit) {
        guard(() -> {
            requireOpen();
            delivered = Math.max(delivered, deliveryLimit);
            judge.used(path);
        });
    }

    @Override
    public void onSuspended(Rejection reason) {
        guard(() -> {
            requireOpen();
            check(
                    session != null && judge.mayBeClosed(path),
                    "Expected the holder of a session to be served (SUSP-5)",
                    this);
            suspended = true;
        });
    }

    @Override
    public void onClosed(Rejection reason) {
        guard(() -> {
            requireOpen();
            closed = true;
            judge.closed(this, reason);
        });
    }

    public void requireOpen() {
        if (closed) {
            throw new Violation("Expected nothing after the end of the receiver on " + path + ".");
        }
    }

    @Override
    public String toString() {
        return mode + " receiver of " + path + (lane == Lane.MAIN ? "" : " " + lane) + " that wants " + limit;
    }

    /** Whether it may have lost its session. */
    public boolean isSessionLost() {
        StoredEntity home = home();
        long nowMs = home == null ? 0 : timeline.shard(home.store).nowMs();
        return sessionUntilMs <= nowMs || leaving || closed || judge.isToBeDeleted(path);
    }

    /** Whether it fetches from all fragments of a partitioned entity; who holds a session gets all from one. */
    public boolean isFetching() {
        return !ofSession && entities.isPartitioned(path);
    }

    /** Where what it holds comes from; null if that has gone. */
    @Nullable
    public StoredEntity home() {
        return entities.ofSession(path, session);
    }

    /** Whether it takes messages for good. */
    public boolean takesForGood() {
        return mode == ReceiveMode.RECEIVE_AND_DELETE;
    }

    /** Whether it waits, and has said so before some other request. */
    public boolean isHungryBefore(long request) {
        return isHungry() && wantedAt < request;
    }

    /** Whether it waits for messages that are there. */
    public boolean isHungry() {
        return isOpen() && !suspended && delivered < limit;
    }
}
