package dev.jitney.server.node;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.model.ClientText;
import java.io.IOException;
import java.net.SocketAddress;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The faults of TLS between this node and the others, in words. Each other node gets a line in the log once a minute at most, and all
 * connections of unknown programs together one. Any thread may call it.
 */
public final class LinkFaults {
    private static final Logger LOG = LoggerFactory.getLogger(LinkFaults.class);
    private static final long LOG_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The time after which a fault counts no more, unless it repeats: nodes ask each other once a second. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final int REASON_CHARACTERS_MAX = 400;
    /** The key of programs that are not known as nodes. No name of a node is empty. */
    private static final String UNKNOWN = "";

    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private final Map<String, Long> loggedNanos = new ConcurrentHashMap<>();

    private record Fault(String sentence, long nanos) {}

    /** Notes that a node has answered. */
    void answered(ClusterMember node) {
        faults.remove(node.name());
    }

    /** Notes that a node and this one do not accept each other's connections. */
    void note(ClusterMember node, String sentence) {
        faults.put(node.name(), new Fault(sentence, System.nanoTime()));
        log(node.name(), sentence);
    }

    /** Notes a connection to the node port without TLS. */
    void plain(@Nullable SocketAddress from) {
        log(
                UNKNOWN,
                "A program at " + from + " connects to the node port without TLS and is refused. If it is a node or a"
                        + " command, start it with --cluster-tls; other programs need https.");
    }

    /** Notes a connection to the node port whose handshake has failed. */
    void refused(@Nullable SocketAddress from, @Nullable Throwable cause) {
        String why = cause instanceof SSLException ? certificate(cause, "it shows") : null;
        if (why == null) {
            LOG.debug("The handshake with {} failed.", from, cause);
        } else {
            log(UNKNOWN, "A program at " + from + " is refused at the node port: " + why);
        }
    }

    private void log(String key, String sentence) {
        long now = System.nanoTime();
        Long before = loggedNanos.get(key);
        if (before == null || now - before > LOG_AGAIN_NANOS) {
            loggedNanos.put(key, now);
            LOG.warn("{} This message is logged once a minute at most.", sentence);
        }
    }

    /** Returns a sentence for each node with a fault, in the order of their names. */
    public List<String> current() {
        long now = System.nanoTime();
        List<String> all = new ArrayList<>();
        new TreeMap<>(faults).values().forEach(fault -> {
            if (now - fault.nanos < FRESH_NANOS) {
                all.add(fault.sentence);
            }
        });
        return all;
    }

    /**
     * Returns a sentence about the fault of a connection that this node has made, or null if it is not about TLS.
     *
     * @param node     the node at the other end
     * @param encrypts whether this node uses TLS
     */
    static @Nullable String words(ClusterMember node, IOException thrown, boolean encrypts) {
        if (!encrypts || !(thrown instanceof SSLException)) {
            return null;
        }
        String name = "Node '" + node.name() + "'";
        String text = all(thrown);
        if (text.contains("unrecognized ssl message") || text.contains("plaintext connection")) {
            return name + " answers without TLS, and this node uses it. Start all nodes with --cluster-tls.";
        }
        if (text.contains("no subject alternative") || text.contains("no name matching")) {
            return "The certificate of node '" + node.name() + "' is not for its host " + node.host()
                    + " in --cluster-nodes. Make one that is: jitney cluster certificates";
        }
        if (text.contains("fatal alert") || text.contains("certificate_")) {
            return name + " refuses the certificate of this node (" + reason(thrown)
                    + "). It must be valid, and of the authority that all nodes have in --cluster-tls.";
        }
        String certificate = certificate(thrown, "node '" + node.name() + "' shows");
        return certificate != null ? certificate : "TLS with node '" + node.name() + "' fails: " + reason(thrown) + ".";
    }

    /** Returns a sentence about the certificate of the other side, or null if the fault is not about it. */
    private static @Nullable String certificate(Throwable thrown, String who) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof CertificateExpiredException) {
                return "The certificate that " + who
                        + " has expired. Renew it: jitney cluster certificates --renew NAME";
            }
            if (at instanceof CertificateNotYetValidException) {
                return "The certificate that " + who + " is not valid yet. Check the clocks of the machines.";
            }
        }
        String text = all(thrown);
        return text.contains("certification path") || text.contains("validatorexception") || text.contains("certpath")
                ? "The certificate that " + who
                        + " is not of the authority in --cluster-tls. All nodes need certificates of one authority."
                : null;
    }

    private static String all(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            text.append(at).append('\n');
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    private static String reason(Throwable thrown) {
        String text = ClientText.oneLine(String.valueOf(thrown.getMessage())).strip();
        return text.substring(0, Math.min(text.length(), REASON_CHARACTERS_MAX));
    }
}
