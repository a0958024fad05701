package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ports that clients can connect to, with the protocols of each.
 *
 * @param all bound ports; those with several protocols come first
 * @param health the bound port for health pages only, or null
 */
record OpenPorts(List<SharedPort> all, @Nullable Integer health) {

    /** No ports. */
    static final OpenPorts NONE = new OpenPorts(List.of());

    OpenPorts {
        all = List.copyOf(all);
    }

    OpenPorts(List<SharedPort> all) {
        this(all, null);
    }

    /** Returns the first port that serves a protocol, or null. */
    @Nullable
    Integer first(Predicate<SharedPort> protocol) {
        for (SharedPort port : all) {
            if (protocol.test(port)) {
                return port.port();
            }
        }
        return null;
    }

    /** Returns the port for AMQP of a client that uses HTTP on another port: the same one if it serves AMQP too or no other does. */
    int amqpPort(int port, boolean tls) {
        Predicate<SharedPort> protocol = tls ? SharedPort::amqps : SharedPort::amqp;
        Integer first = first(protocol);
        return first == null || all.stream().anyMatch(open -> open.port() == port && protocol.test(open))
                ? port
                : first;
    }

    /** Returns every port with its protocols: {@code amqp}, {@code http}, {@code amqps}, {@code https}. */
    Map<Integer, List<String>> protocols() {
        Map<Integer, List<String>> protocols = new LinkedHashMap<>();
        for (SharedPort port : all) {
            List<String> words = protocols.computeIfAbsent(port.port(), number -> new ArrayList<>());
            add(words, port.amqp(), "amqp");
            add(words, port.http(), "http");
            add(words, port.amqps(), "amqps");
            add(words, port.https(), "https");
        }
        return protocols;
    }

    private static void add(List<String> words, boolean served, String protocol) {
        if (served) {
            words.add(protocol);
        }
    }
}
