package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All targets by name. They are created on request, because some are whole servers. */
public final class Targets {

    /** The factory of a target. */
    private interface Maker {
        FuzzTarget make() throws Exception;
    }

    /** The description of a target with its factory. */
    private record Entry(String about, Maker maker) {}

    private static final Map<String, Entry> ALL = new LinkedHashMap<>();

    static {
        add("message", "The encoding of one message, compared with another codec.", MessageTarget::new);
        add("batch", "The encoding of a batch of messages, compared with single messages.", BatchTarget::new);
        add("sql", "Texts of SQL filters and actions: parsed, compiled, evaluated.", SqlTarget::new);
        add("correlation", "Correlation filters, alone and in the index of a topic.", CorrelationTarget::new);
        add("row", "Rows of every table of the store, with keys and values.", RowTarget::new);
        add("row-batch", "Encoded batches of rows, as in the log or from another node.", RowBatchTarget::new);
        add("config", "The file Config.json, in the emulator's format and in ours.", ConfigTarget::new);
        add("backup", "The manifest of a backup, with the right checksum.", BackupManifestTarget::new);
        add("archive", "A file of an archive of commits, with the right checksums.", ArchiveFileTarget::new);
        add("token", "Shared access signatures: parsed, and accepted or refused.", TokenTarget::new);
        add("identity", "Tokens of an identity provider: verified, and accepted or refused.", IdentityTarget::new);
        add("atom", "Descriptions of entities in Atom XML: read, written and read again.", AtomTarget::new);
        add("http-batch", "JSON of batches and of broker properties, as HTTP clients send it.", HttpBatchTarget::new);
        add(
                "amqp-octets",
                "An AMQP connection from its first byte, including SASL, with the whole broker.",
                AmqpOctetsTarget::new);
        add("amqp-links", "Frames, requests and messages on open links, with the whole broker.", AmqpLinksTarget::new);
        add("http", "HTTP requests for messaging and administration, with the whole broker.", HttpTarget::new);
        add(
                "http-delivery",
                "Messages of AMQP senders, received over HTTP from the whole broker.",
                HttpDeliveryTarget::new);
        add("websocket", "Frames of a WebSocket with AMQP inside, with the whole broker.", WebSocketTarget::new);
        add("node-port", "HTTP requests at the port between the nodes of a cluster.", NodePortTarget::new);
        add("node-tls", "The first bytes of TLS at the port between the nodes of a cluster.", NodeTlsTarget::new);
    }

    private Targets() {}

    private static void add(String name, String about, Maker maker) {
        ALL.put(name, new Entry(about, maker));
    }

    /** Returns the names, in the order of a run. */
    public static Set<String> names() {
        return ALL.keySet();
    }

    /** Returns one sentence about the inputs of a target, or an empty text for an unknown name. */
    public static String about(String name) {
        Entry entry = ALL.get(name);
        return entry == null ? "" : entry.about();
    }

    /** Creates a target, or returns null for an unknown name. */
    public static @Nullable FuzzTarget make(String name) throws Exception {
        Entry entry = ALL.get(name);
        return entry == null ? null : entry.maker().make();
    }
}
