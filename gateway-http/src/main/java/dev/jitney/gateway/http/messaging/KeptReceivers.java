package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import io.vertx.core.Vertx;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The receivers that one connection keeps from request to request: those of partitioned entities, because they may have
 * fetched more than was asked for (PART-61). A connection keeps a few, and each for a minute; what they have fetched is
 * there for others at once when they end. For the event loop of the connection.
 */
final class KeptReceivers {
    private static final int KEPT_MAX = 8;
    private static final long KEPT_MS = 60_000;

    private final Vertx vertx;
    private final Map<Key, Kept> kept = new LinkedHashMap<>();
    private boolean gone;

    private record Key(Entity entity, SubQueue subQueue) {}

    private record Kept(KeptReceiver receiver, long timer) {}

    KeptReceivers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** One for a request: the one that was kept, or a new one. */
    KeptReceiver take(Place place, Executor executor) {
        Kept there = kept.remove(key(place));
        if (there != null) {
            vertx.cancelTimer(there.timer);
            if (there.receiver.isUsable()) {
                return there.receiver;
            }
            there.receiver.end();
        }
        return new KeptReceiver(place, executor);
    }

    /** Takes one back that has done what it was asked for. */
    void giveBack(Place place, KeptReceiver receiver) {
        receiver.leave();
        Key key = key(place);
        if (gone || !place.entity().isPartitioned() || !receiver.isUsable() || kept.containsKey(key)) {
            receiver.end();
            return;
        }
        if (kept.size() >= KEPT_MAX) {
            Iterator<Kept> eldest = kept.values().iterator();
            end(eldest.next());
            eldest.remove();
        }
        kept.put(key, new Kept(receiver, vertx.setTimer(KEPT_MS, over -> {
            kept.remove(key);
            receiver.end();
        })));
    }

    /** The connection has gone. */
    void end() {
        gone = true;
        kept.values().forEach(this::end);
        kept.clear();
    }

    private void end(Kept one) {
        vertx.cancelTimer(one.timer);
        one.receiver.end();
    }

    private static Key key(Place place) {
        return new Key(place.entity(), place.address().subQueue());
    }
}
