package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import io.vertx.core.Vertx;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes over all entities of a namespace for requests that need all of them, one pass at a time. A pass is divided into turns, between
 * which the event loop serves its connections, and each answer has a turn of its own. After a pass the event loop has a rest, in which it
 * serves other requests only, so that passes take at most a quarter of its time. Equal requests share the next pass, which begins after
 * all of them, so that it shows what they must see. For one event loop.
 *
 * @param <P> the kind of pass
 */
public final class SharedPasses<P extends SharedPasses.Pass> {
    /** The rest after a pass, in times of its duration. */
    static final int REST_FACTOR = 3;

    static final long TURN_PAUSE_MS = 1;

    private static final HttpError DISPLACED = HttpError.busy(
            "Too many requests wait, most of them from your client. Please wait 10 seconds and try again.");

    private final Later later;
    private final LongSupplier nanos;

    /** The passes that have not begun, by what they are for, in the order of their first requests. */
    private final Map<Object, Awaited<P>> awaited = new LinkedHashMap<>();

    private @Nullable Object lastClient;
    private boolean active;

    /** Work on all entities, in turns. */
    public interface Pass {
        /** Looks at some more entities, and returns whether there are others left. */
        boolean proceed();
    }

    /** Runs a task on the event loop after a time. */
    interface Later {
        void run(long ms, Runnable task);
    }

    private record Request<P>(Consumer<P> then, Consumer<Throwable> failed) {}

    /** The requests that wait for a pass. */
    private static final class Awaited<P> {
        final Object client;
        final Object key;
        final Supplier<P> fresh;
        final Set<Request<P>> requests = new LinkedHashSet<>();

        /** @param client the client of the first request */
        Awaited(Object client, Object key, Supplier<P> fresh) {
            this.client = client;
            this.key = key;
            this.fresh = fresh;
        }
    }

    /** Creates passes on the event loop of the gateway. */
    public SharedPasses(Vertx vertx) {
        this((ms, task) -> vertx.setTimer(ms, now -> task.run()), System::nanoTime);
    }

    /** @param nanos a monotonic clock */
    SharedPasses(Later later, LongSupplier nanos) {
        this.later = later;
        this.nanos = nanos;
    }

    /**
     * Continues with a request when a pass for it is over: now, if it is the only one and there are few entities.
     *
     * @param key equal for requests that can share a pass
     * @param fresh begins a pass
     */
    public void run(Exchange exchange, Object key, Supplier<P> fresh, Consumer<P> then) {
        exchange.yieldsBy(() -> exchange.refuse(DISPLACED));
        exchange.whenEnded(run(
                exchange.sharer(),
                key,
                fresh,
                pass -> {
                    if (!exchange.isOver()) {
                        exchange.guarded(() -> then.accept(pass));
                    }
                },
                exchange::fail));
    }

    /**
     * Continues with a request when a pass for it is over.
     *
     * @return ends the request, so that no pass is made for it alone
     */
    Runnable run(Object client, Object key, Supplier<P> fresh, Consumer<P> then, Consumer<Throwable> failed) {
        Awaited<P> shared = awaited.computeIfAbsent(key, first -> new Awaited<>(client, key, fresh));
        Request<P> request = new Request<>(then, failed);
        shared.requests.add(request);
        if (!active) {
            active = true;
            begin();
        }
        return () -> shared.requests.remove(request);
    }

    /** Begins the next pass, if possible for another client than the last. */
    private void begin() {
        awaited.values().removeIf(shared -> shared.requests.isEmpty());
        Awaited<P> next = null;
        for (Awaited<P> each : awaited.values()) {
            boolean ofOther = !each.client.equals(lastClient);
            if (next == null || ofOther) {
                next = each;
            }
            if (ofOther) {
                break;
            }
        }
        if (next == null) {
            active = false;
        } else {
            awaited.remove(next.key);
            lastClient = next.client;
            proceed(next, null, 0);
        }
    }

    /**
     * Runs a turn of a pass.
     *
     * @param begun null in the first turn
     * @param usedNanos duration of the turns before
     */
    private void proceed(Awaited<P> shared, @Nullable P begun, long usedNanos) {
        long turnNanos = nanos.getAsLong();
        P pass;
        boolean more;
        try {
            pass = begun == null ? shared.fresh.get() : begun;
            more = pass.proceed() && !shared.requests.isEmpty();
        } catch (RuntimeException e) {
            List.copyOf(shared.requests).forEach(request -> request.failed().accept(e));
            later.run(TURN_PAUSE_MS, this::begin);
            return;
        }
        long used = usedNanos + nanos.getAsLong() - turnNanos;
        if (more) {
            later.run(TURN_PAUSE_MS, () -> proceed(shared, pass, used));
        } else {
            answer(shared, pass, Math.max(TURN_PAUSE_MS, TimeUnit.NANOSECONDS.toMillis(REST_FACTOR * used)));
        }
    }

    private void answer(Awaited<P> shared, P pass, long restMs) {
        Iterator<Request<P>> requests = shared.requests.iterator();
        if (requests.hasNext()) {
            Request<P> request = requests.next();
            requests.remove();
            later.run(TURN_PAUSE_MS, () -> answer(shared, pass, restMs));
            request.then().accept(pass);
        } else {
            later.run(restMs, this::begin);
        }
    }
}
