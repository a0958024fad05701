package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.server.tls.ClusterCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The node ports of a cluster (CL-80, CL-81). The nodes are tried in turn until one of them answers. It uses the oldest HTTP
 * client of the JDK, which starts fastest, and no connection is kept open.
 *
 * @param addresses the node ports, at least one
 * @param timeoutMs the time limit in milliseconds for connecting to one node and for each read
 * @param tls makes connections with TLS and the certificate of an operator, or null for connections without TLS (CL-70)
 */
record NodePorts(
        List<NodeAddress> addresses,
        int timeoutMs,
        @Nullable SSLSocketFactory tls) {
    private static final int ANSWER_BYTES_MAX = 1 << 20;
    private static final int REASON_CHARACTERS_MAX = 400;
    private static final String VERIFY = "/cluster/verify";
    private static final int OK = 200;
    private static final byte[] NO_BODY = {};
    private static final String NOT_LEADING = "does not lead";
    private static final long ELECTION_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_MS = 100;

    /** Longer than the leader works on an order. */
    private static final int ORDER_MS = 60_000;

    /** The nodes refused the request, or did not answer. The message is for the user. */
    static final class NodeException extends Exception {
        private static final long serialVersionUID = 1L;

        NodeException(String message) {
            super(message);
        }
    }

    /** A response of a node. */
    private record Answer(int status, String body) {}

    /** Makes node ports without TLS. */
    NodePorts(List<NodeAddress> addresses, int timeoutMs) {
        this(addresses, timeoutMs, null);
    }

    /** Returns whether the node answers without TLS that a client which connects to it is served. */
    static boolean isServing(NodeAddress address, int timeoutMs) {
        try {
            return new NodePorts(List.of(address), timeoutMs).ask(address, "GET", "/health").status == OK;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the state of the cluster. The nodes are tried in turn for the name of the leader. The state comes from the leader,
     * because only a leader knows how far the others are.
     *
     * @throws NodeException if no node answers
     */
    ClusterState state() throws NodeException {
        return state(new ArrayList<>());
    }

    /**
     * Returns the state of the cluster.
     *
     * @param leaderless receives the answers of nodes that know no leader; without a leader these are all answers
     * @throws NodeException if no node answers
     */
    ClusterState state(List<ClusterState> leaderless) throws NodeException {
        StringJoiner reasons = new StringJoiner("; ");
        for (NodeAddress address : addresses) {
            try {
                Answer answer = ask(address, "GET", "/cluster");
                if (answer.status == OK) {
                    ClusterState state = ClusterState.parse(answer.body);
                    if (state.leader() != null) {
                        return ofLeader(state);
                    }
                    leaderless.add(state);
                } else {
                    reasons.add(address + " answered " + answer.status + reason(answer));
                }
            } catch (IOException | IllegalArgumentException e) {
                reasons.add(address + ": " + words(e));
            }
        }
        if (!leaderless.isEmpty()) {
            return leaderless.get(leaderless.size() - 1);
        }
        throw new NodeException("No node answered. " + reasons
                + ". Is the cluster running, and are these its node ports (--node or --cluster-nodes)?");
    }

    /** Returns the state as the leader sees it, or the given one if the leader does not answer. */
    private ClusterState ofLeader(ClusterState state) {
        NodeAddress leader = state.otherLeader();
        if (leader != null) {
            try {
                Answer answer = ask(leader, "GET", "/cluster");
                if (answer.status == OK) {
                    ClusterState own = ClusterState.parse(answer.body);
                    return own.leader() == null ? state : own;
                }
            } catch (IOException | IllegalArgumentException e) {
                // The leader has just ended; the other node does not know it yet.
            }
        }
        return state;
    }

    /**
     * Sends an order that concerns one node to the leader; other nodes are tried if it is unknown (CL-17, CL-55).
     *
     * @param order lead, add or remove
     * @param node  the node that the order is about
     * @throws NodeException if the nodes refuse; the message has their reasons
     */
    String order(String order, String node) throws NodeException, InterruptedException {
        return order("/cluster/" + order + "?node=" + URLEncoder.encode(node, StandardCharsets.UTF_8), NO_BODY);
    }

    /**
     * Sends a configuration file to the leader (CL-32).
     *
     * @return sentences about the changes
     * @throws NodeException if the nodes refuse; the message has their reasons
     */
    String apply(byte[] file) throws NodeException, InterruptedException {
        return order("/cluster/apply", file);
    }

    /**
     * Raises the level of the cluster (CL-61).
     *
     * @return sentences with the level before and after
     * @throws NodeException if the nodes refuse, or do not answer; the message has their reasons
     */
    String upgrade() throws NodeException, InterruptedException {
        return order("/cluster/upgrade", NO_BODY);
    }

    private String order(String path, byte[] body) throws NodeException, InterruptedException {
        long begunNanos = System.nanoTime();
        while (true) {
            try {
                return orderOnce(path, body);
            } catch (NodeException e) {
                // A node that has just been elected leads when it has applied everything before.
                if (!String.valueOf(e.getMessage()).contains(NOT_LEADING)
                        || System.nanoTime() - begunNanos > ELECTION_NANOS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
    }

    private String orderOnce(String path, byte[] body) throws NodeException {
        StringJoiner reasons = new StringJoiner("; ");
        for (NodeAddress address : leaderFirst()) {
            try {
                Answer answer = ask(address, "POST", path, body, Math.max(timeoutMs, ORDER_MS));
                if (answer.status / 100 == 2) {
                    return answer.body;
                }
                reasons.add(address + " answered " + answer.status + reason(answer));
                if (!answer.body.contains(NOT_LEADING)) {
                    break; // the leader has refused
                }
            } catch (IOException e) {
                reasons.add(address + ": " + words(e));
            }
        }
        throw new NodeException(reasons.toString());
    }

    /** Returns the leader's node port, if it is known, and then those of the options. */
    private List<NodeAddress> leaderFirst() throws NodeException {
        NodeAddress leader = state().leaderAddress();
        List<NodeAddress> all = new ArrayList<>(addresses);
        if (leader != null) {
            all.remove(leader);
            all.add(0, leader);
        }
        return all;
    }

    /** A comparison of the nodes that a node has begun. */
    record Verifying(NodeAddress address, VerifyState state) {}

    /**
     * Begins a comparison of all nodes, or joins the one that runs (CL-85).
     *
     * @throws NodeException if no node leads, or the nodes refuse
     */
    Verifying verify() throws NodeException {
        StringJoiner reasons = new StringJoiner("; ");
        for (NodeAddress address : leaderFirst()) {
            try {
                Answer answer = ask(address, "POST", VERIFY);
                if (answer.status == OK) {
                    return new Verifying(address, VerifyState.parse(answer.body));
                }
                reasons.add(address + " answered " + answer.status + reason(answer));
            } catch (IOException | IllegalArgumentException e) {
                reasons.add(address + ": " + words(e));
            }
        }
        throw new NodeException("The nodes cannot be compared. " + reasons + ".");
    }

    /**
     * Returns the state of a comparison.
     *
     * @throws NodeException if the node does not answer, or has begun another one
     */
    VerifyState verification(Verifying verifying) throws NodeException {
        NodeAddress address = verifying.address();
        try {
            Answer answer = ask(address, "GET", VERIFY);
            VerifyState state = answer.status == OK ? VerifyState.parse(answer.body) : null;
            if (state != null && state.id().equals(verifying.state().id())) {
                return state;
            }
            throw new NodeException("The comparison has ended without a result: " + address + " answered "
                    + answer.status + (state == null ? reason(answer) : " with another one")
                    + ". Run this command again.");
        } catch (IOException | IllegalArgumentException e) {
            throw new NodeException("The node that compares the others does not answer. " + address + ": " + words(e)
                    + ". Run this command again.");
        }
    }

    private Answer ask(NodeAddress address, String method, String path) throws IOException {
        return ask(address, method, path, NO_BODY, timeoutMs);
    }

    private Answer ask(NodeAddress address, String method, String path, byte[] sent, int answerMs) throws IOException {
        SSLSocketFactory sockets = tls;
        HttpURLConnection connection =
                (HttpURLConnection) URI.create((sockets == null ? "http://" : "https://") + address + path)
                        .toURL()
                        .openConnection(Proxy.NO_PROXY);
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets); // the host name is checked by default
        }
        try {
            connection.setConnectTimeout(timeoutMs);
            connection.setReadTimeout(answerMs);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod(method);
            // A node may restart on the same port, so a kept connection may belong to a process that has ended.
            connection.setRequestProperty("Connection", "close");
            if (sent.length > 0) {
                connection.setDoOutput(true);
                connection.setFixedLengthStreamingMode(sent.length);
                connection.getOutputStream().write(sent);
            }
            int status = connection.getResponseCode();
            try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Answer(status, text(body));
            }
        } finally {
            connection.disconnect();
        }
    }

    private static String text(@Nullable InputStream body) throws IOException {
        return body == null ? "" : new String(body.readNBytes(ANSWER_BYTES_MAX), StandardCharsets.UTF_8);
    }

    private static String reason(Answer answer) {
        String text = ClientText.oneLine(answer.body).strip();
        text = text.endsWith(".") ? text.substring(0, text.length() - 1) : text; // the sentence continues
        return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), REASON_CHARACTERS_MAX));
    }

    private static String words(Exception e) {
        if (e instanceof SSLException) {
            return tlsWords(e);
        }
        return e instanceof ConnectException
                ? "connection refused"
                : e instanceof SocketTimeoutException ? "no answer in time" : String.valueOf(e.getMessage());
    }

    private static String tlsWords(Exception e) {
        String text = ClientText.oneLine(String.valueOf(e.getMessage()));
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("unrecognized ssl message")) {
            return "it answers without TLS. Remove " + ClusterCertificates.OPTION + ", or start the nodes with it";
        }
        if (lower.contains("no subject alternative") || lower.contains("no name matching")) {
            return "its certificate is not for this host. Use the host that is in --cluster-nodes of the servers";
        }
        if (lower.contains("certification path")
                || lower.contains("certpath")
                || lower.contains("unknown_ca")
                || lower.contains("certificate_unknown")) {
            return "its certificate and the own one are not of the same authority (" + text + ")";
        }
        return text;
    }
}
