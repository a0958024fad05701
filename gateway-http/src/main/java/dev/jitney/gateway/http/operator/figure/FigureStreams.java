package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The streams of live figures. All streams of a namespace get the same events, which are made once. For one event loop.
 *
 * <p>Each event has the sums of the namespace, and the entities that have changed since the event before, those with the largest change
 * first. Entities have at most {@value #CHANGED_MAX} places and {@value #CHANGED_BYTES} bytes in an event; the others are counted.
 */
final class FigureStreams {
    static final int STREAMS_MAX = 64;
    static final int NAMESPACE_STREAMS_MAX = 16;
    static final int CHANGED_MAX = 50;
    static final int CHANGED_BYTES = 48 * 1024;
    private static final long OLDER_THAN_SECONDS = 3_600;

    private final FigureHistory history;
    private final ToIntFunction<Namespace> connections;
    private final Executor nextTurn;
    private final Map<Namespace, Feed> feeds = new IdentityHashMap<>();
    private int count;

    /** A stream to one client. */
    interface Stream {
        /** Returns why the stream may not continue, or null if it may. */
        @Nullable
        String ending();

        /** Returns whether the client has not read the events before, so that another one would have to be kept for it. */
        boolean isBehind();

        void send(Buffer event);

        /** Sends a last event, and ends the stream. */
        void end(Buffer event);

        /** Closes the connection at once. */
        void cut();
    }

    /** The streams of one namespace, and the figures of the last event. */
    private static final class Feed {
        final List<Stream> streams = new ArrayList<>();

        /** Null until the first pass over the entities has ended. */
        @Nullable
        Map<Entity, FigureSample> last;
    }

    /**
     * @param connections returns the number of connections to a namespace
     * @param nextTurn runs a task on the event loop after others
     */
    FigureStreams(FigureHistory history, ToIntFunction<Namespace> connections, Executor nextTurn) {
        this.nextTurn = nextTurn;
        this.history = history;
        this.connections = connections;
    }

    /** Returns the number of streams. */
    int count() {
        return count;
    }

    /**
     * Checks that there is a place for one more stream.
     *
     * @throws RefusedException with 503 if not
     */
    void requirePlace(Namespace namespace) throws RefusedException {
        Feed feed = feeds.get(namespace);
        if (count >= STREAMS_MAX) {
            throw new RefusedException(HttpError.busy("Expected at most " + STREAMS_MAX
                    + " streams of figures in this process. Close one, or read GET /overview instead."));
        }
        if (feed != null && feed.streams.size() >= NAMESPACE_STREAMS_MAX) {
            throw new RefusedException(HttpError.busy("Expected at most " + NAMESPACE_STREAMS_MAX
                    + " streams of figures of this namespace. Close one, or read GET /overview instead."));
        }
    }

    /** Adds a stream, and sends it the sums soon. Its response begins with them, so its client misses no later change. */
    void add(Namespace namespace, Stream stream) {
        Feed known = feeds.get(namespace);
        Feed feed = known == null ? new Feed() : known;
        feeds.put(namespace, feed);
        feed.streams.add(stream);
        count++;
        Map<Entity, FigureSample> now = new IdentityHashMap<>();
        BiConsumer<Entity, FigureSample> each = known == null ? now::put : (entity, figures) -> {};
        Overview.make(namespace, history, OLDER_THAN_SECONDS, each, turnsOf(namespace, feed), overview -> {
            if (known == null) {
                feed.last = now;
            }
            if (feed.streams.contains(stream)) {
                stream.send(
                        event("figures", document(namespace, overview, new LargestEntities(CHANGED_MAX), Map.of())));
            }
        });
    }

    /** Returns the turns of a pass for a feed, which ends when the last stream of the feed ends. */
    private Executor turnsOf(Namespace namespace, Feed feed) {
        return task -> nextTurn.execute(() -> {
            if (feeds.get(namespace) == feed) {
                task.run();
            }
        });
    }

    /** Removes a stream that has ended. */
    void remove(Namespace namespace, Stream stream) {
        Feed feed = feeds.get(namespace);
        if (feed != null && feed.streams.remove(stream)) {
            count--;
            if (feed.streams.isEmpty()) {
                feeds.remove(namespace);
            }
        }
    }

    /** Sends the next events. */
    void tick() {
        for (Namespace namespace : List.copyOf(feeds.keySet())) {
            tick(namespace);
        }
    }

    private void tick(Namespace namespace) {
        Feed feed = feeds.get(namespace);
        Map<Entity, FigureSample> before = feed == null ? null : feed.last;
        if (feed == null || before == null) {
            return;
        }
        Map<Entity, FigureSample> now = new IdentityHashMap<>();
        LargestEntities changed = new LargestEntities(CHANGED_MAX);
        Overview.make(
                namespace,
                history,
                OLDER_THAN_SECONDS,
                (entity, figures) -> {
                    now.put(entity, figures);
                    long change = change(before.get(entity), figures);
                    if (change > 0) {
                        changed.offer(entity, change);
                    }
                },
                turnsOf(namespace, feed),
                overview -> {
                    feed.last = now;
                    send(feed, namespace, document(namespace, overview, changed, now));
                });
    }

    private static void send(Feed feed, Namespace namespace, JsonObject document) {
        Buffer event = event("figures", document);
        for (Stream stream : List.copyOf(feed.streams)) {
            String ending = namespace.isGone() ? "The namespace was deleted." : stream.ending();
            if (stream.isBehind()) {
                stream.cut();
            } else if (ending != null) {
                stream.end(event("end", new JsonObject().put("reason", ending)));
            } else {
                stream.send(event);
            }
        }
    }

    /** Returns by how many messages an entity has changed; a new entity has changed by at least one. */
    private static long change(@Nullable FigureSample before, FigureSample now) {
        return before == null
                ? 1 + now.active() + now.deadLetter()
                : Math.abs(now.active() - before.active())
                        + Math.abs(now.deadLetter() - before.deadLetter())
                        + now.incomingSince(before)
                        + now.outgoingSince(before);
    }

    private JsonObject document(
            Namespace namespace, Overview overview, LargestEntities changed, Map<Entity, FigureSample> now) {
        JsonArray entities = new JsonArray();
        int bytes = 0;
        for (LargestEntities.Ranked ranked : changed.list()) {
            FigureSample figures = now.get(ranked.entity());
            if (figures == null) {
                continue;
            }
            JsonObject entity = history.rates(ranked.entity())
                    .addTo(new JsonObject()
                            .put("path", ranked.entity().path())
                            .put("active", figures.active())
                            .put("deadLetter", figures.deadLetter()));
            bytes += entity.toBuffer().length();
            if (bytes > CHANGED_BYTES) {
                break;
            }
            entities.add(entity);
        }
        return overview.totals(namespace)
                .put("connections", connections.applyAsInt(namespace))
                .put("attention", overview.attentionCounts())
                .put("changed", entities)
                .put("changedOthers", changed.count() - entities.size());
    }

    private static Buffer event(String name, JsonObject document) {
        return Buffer.buffer("event: " + name + "\ndata: " + document.encode() + "\n\n");
    }
}
