package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All targets by their names, made when they are asked for: some of them are whole servers. */
public final class Targets {

    /** Makes a target. */
    private interface Maker {
        FuzzTarget make() throws Exception;
    }

    /** What is told of a target, and how to get it. */
    private record Entry(String about, Maker maker) {}

    private static final Map<String, Entry> ALL = new LinkedHashMap<>();

    static {
        add("message", "The encoding of one message, compared with another codec.", MessageTarget::new);
        add("batch", "The encoding of a batch of messages.", BatchTarget::new);
        add("sql", "Texts of SQL filters and actions: parsed, compiled, evaluated.", SqlTarget::new);
        add("correlation", "Correlation filters, alone and in the index of a topic.", CorrelationTarget::new);
        add("row", "Rows of every table of the store, keys and values.", RowTarget::new);
        add("row-batch", "Encoded batches of rows, as from the log or another node.", RowBatchTarget::new);
        add("config", "The file Config.json, in the emulator's words and ours.", ConfigTarget::new);
        add("token", "Shared access signatures: parsed, believed or not.", TokenTarget::new);
        add("atom", "Descriptions of entities in Atom XML: read, written and read again.", AtomTarget::new);
        add("http-batch", "JSON of batches and of broker properties, as HTTP brings it.", HttpBatchTarget::new);
        add(
                "amqp-octets",
                "An AMQP connection from its first octet, SASL included, against the whole broker.",
                AmqpOctetsTarget::new);
        add(
                "amqp-links",
                "Frames, requests and messages on open links, against the whole broker.",
                AmqpLinksTarget::new);
        add("http", "HTTP requests, messaging and administration, against the whole broker.", HttpTarget::new);
        add(
                "http-delivery",
                "Messages of AMQP senders, received over HTTP from the whole broker.",
                HttpDeliveryTarget::new);
        add("websocket", "Frames of a WebSocket with AMQP inside, against the whole broker.", WebSocketTarget::new);
    }

    private Targets() {}

    private static void add(String name, String about, Maker maker) {
        ALL.put(name, new Entry(about, maker));
    }

    /** Their names, in the order they are run in. */
    public static Set<String> names() {
        return ALL.keySet();
    }

    /** One sentence on what is fed, or nothing if there is none of that name. */
    public static String about(String name) {
        Entry entry = ALL.get(name);
        return entry == null ? "" : entry.about();
    }

    /** A new one, or null if there is none of that name. */
    public static @Nullable FuzzTarget make(String name) throws Exception {
        Entry entry = ALL.get(name);
        return entry == null ? null : entry.maker().make();
    }
}
