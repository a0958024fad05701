package dev.jitney.simulation.model;

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
    final Ledger ledger;
    final String path;
    final Lane lane;
    final ReceiveMode mode;

    /** The session it holds, or null. */
    @Nullable
    String session;

    /** Whether it holds a session, or waits for one. */
    final boolean ofSession;

    /** How much had gone wrong when it was made. */
    final long disturbances;

    boolean attached;
    boolean closed;

    /** Whether its credit was taken back, because its entity was disabled, and it has wanted nothing since. */
    private boolean suspended;

    /** Whether its client has let it go, so that what it holds may be free. */
    boolean leaving;

    /** How many requests there were before it was let go. */
    private long leftAt;

    /** How many requests there were before it wanted more. */
    private long wantedAt;

    /** Since when it has wanted messages without a break, by the latest clock there is; milliseconds since the epoch. */
    private long hungrySinceMs;

    /** Whether its client is asking for messages at this moment, so that what comes was fetched before. */
    private boolean asking;

    long sessionUntilMs;
    long limit;
    long delivered;
    final List<Lock> locks = new ArrayList<>();
    private @Nullable Receiver receiver;

    Listener(Ledger ledger, String path, Lane lane, ReceiveMode mode, boolean ofSession) {
        this.ledger = ledger;
        this.path = path;
        this.lane = lane;
        this.mode = mode;
        this.ofSession = ofSession;
        this.disturbances = ledger.disturbances();
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
            hungrySinceMs = ledger.latestMs();
        }
        limit = Math.max(limit, delivered) + more;
        wantedAt = ledger.nextRequest();
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

    boolean isAsking() {
        return asking;
    }

    /** Whether it has wanted messages without a break since some time before that. */
    boolean isHungrySince(long timeMs) {
        return hungrySinceMs < timeMs;
    }

    /** The client lets it go. */
    public void leave() {
        leaving = true;
        leftAt = ledger.nextRequest();
        ledger.deliveries().left(this);
    }

    /** Whether what it holds may be free already: it was let go before the batch that is being told was written. */
    boolean mayHaveLeft(int store) {
        return leaving && leftAt < ledger.shard(store).heard();
    }

    @Override
    public void onDelivered(MessageView message) {
        ledger.guard(() -> ledger.deliveries().delivered(this, message));
    }

    @Override
    public void onDrained(long deliveryLimit) {
        ledger.guard(() -> {
            requireOpen();
            delivered = Math.max(delivered, deliveryLimit);
            ledger.idling().used(path);
        });
    }

    @Override
    public void onSuspended(Rejection reason) {
        ledger.guard(() -> {
            requireOpen();
            ledger.check(
                    session != null && ledger.mayBeClosed(path),
                    "Expected the holder of a session to be served (SUSP-5)",
                    this);
            suspended = true;
        });
    }

    @Override
    public void onClosed(Rejection reason) {
        ledger.guard(() -> {
            requireOpen();
            closed = true;
            ledger.deliveries().closed(this, reason);
        });
    }

    void requireOpen() {
        if (closed) {
            throw new Violation("Expected nothing after the end of the receiver on " + path + ".");
        }
    }

    @Override
    public String toString() {
        return mode + " receiver of " + path + (lane == Lane.MAIN ? "" : " " + lane) + " that wants " + limit;
    }

    /** Whether it may have lost its session. */
    boolean isSessionLost() {
        return sessionUntilMs <= ledger.nowMs(path, session) || leaving || closed || ledger.isToBeDeleted(path);
    }

    /** Whether it fetches from all fragments of a partitioned entity; who holds a session gets all from one. */
    boolean isFetching() {
        return !ofSession && ledger.shelves().isPartitioned(path);
    }

    /** Where what it holds comes from; null if that has gone. */
    @Nullable
    Shelf home() {
        return ledger.shelves().ofSession(path, session);
    }

    /** Whether it takes messages for good. */
    boolean takesForGood() {
        return mode == ReceiveMode.RECEIVE_AND_DELETE;
    }

    /** Whether it waits, and has said so before some other request. */
    boolean isHungryBefore(long request) {
        return isHungry() && wantedAt < request;
    }

    /** Whether it waits for messages that are there. */
    boolean isHungry() {
        return isOpen() && !suspended && delivered < limit;
    }
}
