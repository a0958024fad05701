package dev.jitney.gateway.amqp.shared;

import dev.jitney.gateway.amqp.shared.AmqpFigures.NamespaceFigures;
import dev.jitney.runtime.memory.MemoryFigures;
import io.netty.util.internal.PlatformDependent;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link AmqpFigures}. Any thread may call it. */
public final class GatewayMeter {
    private final LongAdder receivedBytes = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();

    /** The number of namespaces above which unused counters are removed. */
    private static final int NAMES_MAX = 1_000;

    /** The counters of each current namespace, and of some deleted ones. */
    private final Map<String, NamespaceMeter> namespaces = new ConcurrentHashMap<>();

    /** The counters of one namespace. */
    public static final class NamespaceMeter {
        final OpenSockets connections = new OpenSockets(socket -> socket.shutDown(
                "Too many connections without a token are open. Authenticate sooner, or try again later."));
        public final LongAdder opened = new LongAdder();
        public final LongAdder links = new LongAdder();
        public final LongAdder refusedCredentials = new LongAdder();
    }

    public void received(int bytes) {
        receivedBytes.add(bytes);
    }

    public void sent(int bytes) {
        sentBytes.add(bytes);
    }

    public NamespaceMeter of(String namespace) {
        NamespaceMeter known = namespaces.get(namespace);
        if (known != null) {
            return known;
        }
        if (namespaces.size()
                >= NAMES_MAX) { // an unused counter belongs to a deleted namespace, or can start again from 0
            namespaces.values().removeIf(meter -> meter.connections.size() == 0 && meter.links.sum() == 0);
        }
        return namespaces.computeIfAbsent(namespace, name -> new NamespaceMeter());
    }

    /** Returns the open connections of a namespace. */
    public int connections(String namespace) {
        NamespaceMeter known = namespaces.get(namespace);
        return known == null ? 0 : known.connections.size();
    }

    AmqpFigures figures(OpenSockets sockets, MemoryFigures memory) {
        Map<String, NamespaceFigures> out = new TreeMap<>();
        namespaces.forEach((name, meter) -> out.put(
                name,
                new NamespaceFigures(
                        meter.connections.size(),
                        meter.opened.sum(),
                        meter.connections.refused(),
                        meter.links.intValue(),
                        meter.refusedCredentials.sum())));
        return new AmqpFigures(
                sockets.size(),
                sockets.refused(),
                receivedBytes.sum(),
                sentBytes.sum(),
                PlatformDependent.usedDirectMemory(),
                memory,
                out);
    }
}
