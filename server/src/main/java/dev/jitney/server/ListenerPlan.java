package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.server.config.PlainPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of protocols to ports.
 *
 * <table>
 * <caption>From options to ports</caption>
 * <tr><th>options</th><th>ports</th></tr>
 * <tr><td>none</td><td>5672 and 5300 serve all protocols</td></tr>
 * <tr><td>{@code --port}</td><td>the given ports serve all protocols, except those that are off</td></tr>
 * <tr><td>an option for one protocol</td><td>each protocol has a port of its own; without {@code --port}, protocols
 * without TLS get their usual ports unless they are off</td></tr>
 * </table>
 *
 * <p>A port that several options name serves the protocols of all of them. All protocols means AMQP and HTTP, and both
 * over TLS if there is a certificate. If other machines can connect with TLS, a port serves protocols without TLS only
 * on request.
 *
 * @param shared ports that detect the protocol of each client
 * @param amqp port of AMQP without TLS alone, 0 for any free port, or null for none
 * @param http port of HTTP without TLS alone, or null
 * @param amqps port of AMQP with TLS alone, or null
 * @param https port of HTTP with TLS alone, or null
 * @param leftOut protocols without TLS that are off by default because other machines can connect with TLS, as the
 *     options that would open them
 */
record ListenerPlan(
        List<SharedPort> shared,
        @Nullable Integer amqp,
        @Nullable Integer http,
        @Nullable Integer amqps,
        @Nullable Integer https,
        List<String> leftOut) {

    /** No ports. */
    static final ListenerPlan NONE = new ListenerPlan(List.of(), null, null, null, null, List.of());

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
        plan.add(
                alone || plainAmqp.asked() ? plainAmqp.inForce(tls, options.isExposed()) : null,
                true,
                false,
                false,
                false);
        plan.add(
                alone || plainHttp.asked() ? plainHttp.inForce(tls, options.isExposed()) : null,
                false,
                true,
                false,
                false);
        plan.add(options.amqpsPort(), false, false, true, false);
        plan.add(options.httpsPort(), false, false, false, true);
        int first = everything.isEmpty() ? -1 : everything.get(0);
        List<String> leftOut = new ArrayList<>();
        if (!plain && usual) { // the other options alone would separate the ports
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

    /** Returns all planned ports, first those with several protocols. */
    List<SharedPort> all() {
        List<SharedPort> all = new ArrayList<>(shared);
        alone(all, amqp, port -> new SharedPort(port, true, false, false, false));
        alone(all, amqps, port -> new SharedPort(port, false, false, true, false));
        alone(all, http, port -> new SharedPort(port, false, true, false, false));
        alone(all, https, port -> new SharedPort(port, false, false, false, true));
        return all;
    }

    /** Returns the protocols of all ports together, as a port, or null if there are no ports. */
    @Nullable
    SharedPort everything() {
        SharedPort all = null;
        for (SharedPort port : all()) {
            all = all == null ? port : all.with(port);
        }
        return all;
    }

    private static void alone(List<SharedPort> all, @Nullable Integer port, IntFunction<SharedPort> protocol) {
        if (port != null) {
            all.add(protocol.apply(port));
        }
    }

    /** Returns whether any port serves TLS. */
    boolean tls() {
        return amqps != null || https != null || shared.stream().anyMatch(SharedPort::tls);
    }

    /** Returns whether any port serves HTTP, with or without TLS. */
    boolean servesHttp() {
        return http != null || https != null || sharesHttp();
    }

    /** Returns whether a port serves HTTP together with another protocol. */
    boolean sharesHttp() {
        return shared.stream().anyMatch(port -> port.http() || port.https());
    }

    /** Returns whether there is no port at all. */
    boolean isEmpty() {
        return shared.isEmpty() && amqp == null && !servesHttp() && amqps == null;
    }

    /** The ports in the order in which they were added; ports with the same number are merged. */
    private static final class Plan {
        private final Map<Integer, SharedPort> numbered = new LinkedHashMap<>();

        /** The ports without a fixed number. */
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

        /** Removes and returns the first port that serves only this protocol. */
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
