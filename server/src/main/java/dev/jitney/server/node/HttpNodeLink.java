package dev.jitney.server.node;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.NodeLink;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.BooleanSupplier;
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

    @Override
    public byte[] ask(ClusterMember to, String request, byte[] body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + to.host() + ":" + to.nodePort() + NodeRequests.NODE + request)
                        .toURL()
                        .openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(LONG.contains(request) ? LONG_ANSWER_MS : ANSWER_MS);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try {
            connection.getOutputStream().write(body);
            connection.getOutputStream().close();
            if (connection.getResponseCode() == OK) {
                return read(connection.getInputStream(), ANSWER_BYTES_MAX);
            }
            throw new IOException(reason(to, connection.getErrorStream()));
        } catch (IOException e) {
            connection.disconnect();
            throw e;
        }
    }

    @Override
    public boolean awaitEnd(ClusterMember of, BooleanSupplier wanted) throws IOException {
        return Presence.awaitEnd(of, wanted);
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
