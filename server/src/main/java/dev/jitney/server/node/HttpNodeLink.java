package dev.jitney.server.node;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.NodeAwayException;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.server.tls.ClusterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/** Sends requests to the node ports of other nodes, as {@link NodePort} answers them. */
public final class HttpNodeLink implements NodeLink {
    private static final int CONNECT_MS = 2_000;
    private static final int ANSWER_MS = 10_000;

    /** The requests whose work takes long, and their time limit. */
    private static final Set<String> LONG = Set.of("checkpoint", "join", "checksum");

    private static final int LONG_ANSWER_MS = 120_000;
    private static final int REASON_BYTES_MAX = 4 * 1024;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int UPGRADE_REQUIRED = 426;

    private final @Nullable ClusterIdentity tls;
    private final LinkFaults faults;

    /** Makes a link without TLS. */
    public HttpNodeLink() {
        this(null, new LinkFaults());
    }

    /**
     * @param tls    the certificate of this node and the authority of the cluster, or null for connections without TLS
     * @param faults receives the faults of TLS
     */
    public HttpNodeLink(@Nullable ClusterIdentity tls, LinkFaults faults) {
        this.tls = tls;
        this.faults = faults;
    }

    @Override
    public byte[] ask(ClusterMember to, String request, byte[] body) throws IOException {
        HttpURLConnection connection = open(to, NodeRequests.NODE + request);
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(LONG.contains(request) ? LONG_ANSWER_MS : ANSWER_MS);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try {
            connection.getOutputStream().write(body);
            connection.getOutputStream().close();
            int status = connection.getResponseCode();
            if (status == OK) {
                faults.answered(to);
                return read(connection.getInputStream(), ANSWER_BYTES_MAX);
            }
            String reason = reason(to, connection.getErrorStream());
            if (status == UPGRADE_REQUIRED) {
                reason = "Node '" + to.name() + "' accepts TLS only, and this node uses none. Start all nodes with"
                        + " --cluster-tls.";
            }
            if (status == UPGRADE_REQUIRED || status == FORBIDDEN) {
                faults.note(to, reason);
            }
            throw new IOException(reason);
        } catch (IOException e) {
            connection.disconnect();
            if (isAway(e)) {
                throw new NodeAwayException(e.getMessage() + " (" + e.getClass().getSimpleName() + ")", e);
            }
            String fault = LinkFaults.words(to, e, tls != null);
            if (fault == null) {
                throw e;
            }
            faults.note(to, fault);
            throw new IOException(fault, e);
        }
    }

    /** Returns whether no connection could be made. The message of the JDK is all that distinguishes the two time limits. */
    private static boolean isAway(IOException thrown) {
        return thrown instanceof ConnectException
                || thrown instanceof NoRouteToHostException
                || thrown instanceof UnknownHostException
                || thrown instanceof SocketTimeoutException
                        && String.valueOf(thrown.getMessage())
                                .toLowerCase(Locale.ROOT)
                                .startsWith("connect");
    }

    private HttpURLConnection open(ClusterMember to, String path) throws IOException {
        ClusterIdentity own = tls;
        HttpURLConnection connection = (HttpURLConnection)
                URI.create((own == null ? "http://" : "https://") + to.host() + ":" + to.nodePort() + path)
                        .toURL()
                        .openConnection();
        if (own != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(own.sockets().getSocketFactory()); // the host name is checked by default
        }
        return connection;
    }

    @Override
    public boolean awaitEnd(ClusterMember of, BooleanSupplier wanted) throws IOException {
        return Presence.awaitEnd(of, tls, wanted);
    }

    private static String reason(ClusterMember to, @Nullable InputStream error) throws IOException {
        String text = error == null ? "" : new String(read(error, REASON_BYTES_MAX), StandardCharsets.UTF_8);
        return "Node '" + to.name() + "' refuses: " + (text.isBlank() ? "no reason given" : text);
    }

    private static byte[] read(InputStream from, int bytesMax) throws IOException {
        try (InputStream in = from) {
            byte[] bytes = in.readNBytes(bytesMax + 1);
            if (bytes.length > bytesMax) {
                throw new IOException("Expected an answer of at most " + bytesMax + " bytes, but it is longer.");
            }
            return bytes;
        }
    }
}
