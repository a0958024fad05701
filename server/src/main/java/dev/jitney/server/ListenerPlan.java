package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which port serves which protocols.
 *
 * <table>
 * <caption>From options to ports</caption>
 * <tr><th>asked for</th><th>ports</th></tr>
 * <tr><td>nothing</td><td>5672 and 5300 serve everything</td></tr>
 * <tr><td>{@code --port}</td><td>those given serve everything, but for what is off</td></tr>
 * <tr><td>one of the options for one protocol</td><td>each protocol has a port of its own; without {@code --port} those
 * without TLS get their usual ports unless they are off</td></tr>
 * </table>
 *
 * <p>A port that several options name serves what all of them say. Everything is AMQP and HTTP, and both inside TLS where
 * there is a certificate; not without TLS where others can connect with it, unless that is asked for.
 *
 * @param shared ports that tell their clients apart
 * @param amqp port of AMQP without TLS alone, 0 for any free one, or null for none
 * @param http port of HTTP without TLS alone, or null
 * @param amqps port of AMQP with TLS alone, or null
 * @param https port of HTTP with TLS alone, or null
 * @param leftOut protocols without TLS that no port serves because others connect with TLS and nobody asked for them, as
 *     options that would open them
 */
record ListenerPlan(
        List<SharedPort> shared,
        @Nullable Integer amqp,
        @Nullable Integer http,
        @Nullable Integer amqps,
        @Nullable Integer https,
        List<String> leftOut) {

    static final int DEFAULT_AMQP_PORT = 5672;
    static final int DEFAULT_HTTP_PORT = 5300;

    static ListenerPlan of(ServerOptions options) {
        PlainPort plainAmqp = options.plainAmqp();
        PlainPort plainHttp = options.plainHttp();
        boolean tls = options.tls() != null;
        boolean separate =
                plainAmqp.asked() || plainHttp.asked() || options.amqpsPort() != null || options.httpsPort() != null;
        List<Integer> ports = options.ports();
        boolean usual = ports == null && !separate;
        List<Integer> everything =
                usual ? List.of(DEFAULT_AMQP_PORT, DEFAULT_HTTP_PORT) : ports == null ? List.of() : ports;
        Plan plan = new Plan();
        boolean plain = !tls || Hosts.isLoopback(options.host());
        for (int port : everything) {
            plan.add(port, plain && !plainAmqp.isOff(), plain && !plainHttp.isOff(), tls, tls);
        }
        boolean alone = everything.isEmpty();
        plan.add(alone || plainAmqp.asked() ? plainAmqp.inForce(tls, options.host()) : null, true, false, false, false);
        plan.add(alone || plainHttp.asked() ? plainHttp.inForce(tls, options.host()) : null, false, true, false, false);
        plan.add(options.amqpsPort(), false, false, true, false);
        plan.add(options.httpsPort(), false, false, false, true);
        int first = everything.isEmpty() ? -1 : everything.get(0);
        List<String> leftOut = new ArrayList<>();
        if (!plain && usual) { // the others alone would separate the ports
            leftOut.add("--port " + everything.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (!plain && !plainAmqp.asked()) {
            leftOut.add("--amqp-port " + (first < 0 ? plainAmqp.number() : Integer.valueOf(first)));
        }
        if (!plain && !plainHttp.asked()) {
            leftOut.add("--http-port " + (first < 0 ? plainHttp.number() : Integer.valueOf(first)));
        }
        return plan.finish(leftOut);
    }

    /** Whether any port serves TLS. */
    boolean tls() {
        return amqps != null || https != null || shared.stream().anyMatch(SharedPort::tls);
    }

    /** Whether any port serves HTTP, with or without TLS. */
    boolean servesHttp() {
        return http != null || https != null || sharesHttp();
    }

    /** Whether a port serves HTTP and something else. */
    boolean sharesHttp() {
        return shared.stream().anyMatch(port -> port.http() || port.https());
    }

    /** Whether there is anything to listen on. */
    boolean isEmpty() {
        return shared.isEmpty() && amqp == null && !servesHttp() && amqps == null;
    }

    /** Ports in the order in which they were added, those with the same number as one. */
    private static final class Plan {
        private final Map<Integer, SharedPort> numbered = new LinkedHashMap<>();

        /** Those of any number. */
        private final List<SharedPort> free = new ArrayList<>();

        void add(@Nullable Integer number, boolean amqp, boolean http, boolean amqps, boolean https) {
            if (number == null || !amqp && !http && !amqps && !https) {
                return;
            }
            SharedPort port = new SharedPort(number, amqp, http, amqps, https);
            if (number == 0) {
                free.add(port);
            } else {
                numbered.merge(number, port, SharedPort::with);
            }
        }

        ListenerPlan finish(List<String> leftOut) {
            List<SharedPort> all = new ArrayList<>(numbered.values());
            all.addAll(free);
            Integer amqp = takeAlone(all, SharedPort::amqp);
            Integer http = takeAlone(all, SharedPort::http);
            Integer amqps = takeAlone(all, SharedPort::amqps);
            Integer https = takeAlone(all, SharedPort::https);
            return new ListenerPlan(List.copyOf(all), amqp, http, amqps, https, leftOut);
        }

        private static boolean isAlone(SharedPort port) {
            return (port.amqp() ? 1 : 0) + (port.http() ? 1 : 0) + (port.amqps() ? 1 : 0) + (port.https() ? 1 : 0) == 1;
        }

        /** Takes the first port out that serves one protocol alone. */
        private static @Nullable Integer takeAlone(List<SharedPort> all, Predicate<SharedPort> protocol) {
            for (SharedPort port : all) {
                if (isAlone(port) && protocol.test(port)) {
                    all.remove(port);
                    return port.port();
                }
            }
            return null;
        }
    }
}
