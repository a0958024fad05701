package dev.jitney.gateway.http.metrics;

import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The meter of a gateway's requests. Any thread may call it. */
public final class HttpMeter {
    private static final String OTHER = "other";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
    private static final double[] UPPER_BOUNDS = {0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 60};
    private static final int CLIENT_GONE = 499;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Counts by route. Their number is limited, because routes are the gateway's own. */
    private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();

    private final Map<String, RouteMeter> routes = new ConcurrentHashMap<>();

    private record Key(String route, String method, int status) {}

    /** Durations of one route. */
    private static final class RouteMeter {
        final LongAdder[] classes = new LongAdder[UPPER_BOUNDS.length + 1];
        final LongAdder nanos = new LongAdder();

        RouteMeter() {
            for (int i = 0; i < classes.length; i++) {
                classes[i] = new LongAdder();
            }
        }

        void record(long durationNanos) {
            int at = 0;
            while (at < UPPER_BOUNDS.length && durationNanos > UPPER_BOUNDS[at] * NANOS_PER_SECOND) {
                at++;
            }
            classes[at].increment();
            nanos.add(durationNanos);
        }
    }

    /** Starts the measurement of a request. It is the first handler. */
    public void begin(RoutingContext context) {
        long startNanos = System.nanoTime();
        context.addEndHandler(over -> ended(context, over.succeeded(), System.nanoTime() - startNanos));
        context.next();
    }

    private void ended(RoutingContext context, boolean answered, long durationNanos) {
        String method = context.request().method().name();
        String route = name(context.currentRoute());
        // A disconnected client received no response, regardless of the status.
        int status = answered ? context.response().getStatusCode() : CLIENT_GONE;
        requests.computeIfAbsent(
                        new Key(route, METHODS.contains(method) ? method : OTHER, status), key -> new LongAdder())
                .increment();
        routes.computeIfAbsent(route, key -> new RouteMeter()).record(durationNanos);
    }

    private static String name(@Nullable Route route) {
        String name = route == null ? null : route.getName();
        return name == null ? OTHER : name;
    }

    /**
     * Returns the current counters.
     *
     * @param connections open connections
     * @param refusedConnections connections and requests refused because the maximum was reached
     * @param displacedConnections connections closed to make room for others
     * @param heldBytes bytes in memory for the connections by purpose
     */
    public HttpFigures figures(
            int connections, long refusedConnections, long displacedConnections, Map<String, Long> heldBytes) {
        List<HttpFigures.Requests> counted = new ArrayList<>();
        requests.forEach(
                (key, count) -> counted.add(new HttpFigures.Requests(key.route, key.method, key.status, count.sum())));
        List<HttpFigures.Durations> durations = new ArrayList<>();
        routes.forEach((route, meter) -> {
            long[] counts = new long[meter.classes.length];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = meter.classes[i].sum();
            }
            durations.add(new HttpFigures.Durations(
                    route, UPPER_BOUNDS.clone(), counts, meter.nanos.sum() / (double) NANOS_PER_SECOND));
        });
        durations.sort(Comparator.comparing(HttpFigures.Durations::route));
        return new HttpFigures(connections, refusedConnections, displacedConnections, heldBytes, counted, durations);
    }
}
