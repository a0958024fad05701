package dev.jitney.fuzz.target;

import dev.jitney.fuzz.server.HttpClientEnd;
import dev.jitney.server.node.LinkFaults;
import dev.jitney.server.node.NodeHealth;
import dev.jitney.server.node.NodePages;
import dev.jitney.server.node.NodePort;
import dev.jitney.server.node.NodePortOptions;
import dev.jitney.server.tls.ClusterAuthority;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.ClusterIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The node port of a cluster, with TLS or without it. Counts the changes that requests cause. */
final class NodeFront implements ServerTarget.Front {
    private static final String HOST = "127.0.0.1";
    private static final String NODE = "a";
    private static final Duration DAY = Duration.ofDays(1);
    private static final int PATIENCE_MS = 15_000;
    private static final int STATUS_BYTES = 12;
    private static final byte[] GET_HEALTH =
            "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final AtomicInteger changes = new AtomicInteger();
    private final @Nullable SSLContext valid;
    private final NodePort port;

    private NodeFront(@Nullable ClusterIdentity tls) throws IOException {
        valid = tls == null ? null : tls.sockets();
        port = NodePort.open(
                NodePortOptions.on(HOST, 0).withTimes(2_000, 2_000, 2_000),
                tls,
                new LinkFaults(),
                new Pages(),
                (request, body) -> {
                    changes.incrementAndGet();
                    return body;
                },
                () -> null);
    }

    static NodeFront plain() throws IOException {
        return new NodeFront(null);
    }

    static NodeFront secure() throws Exception {
        Path directory = Files.createTempDirectory("jitney-fuzz");
        try {
            ClusterAuthority authority = ClusterAuthority.open(directory, DAY, Instant.now());
            authority.make(NODE, List.of(HOST), DAY, Instant.now());
            return new NodeFront(new ClusterCertificates(
                            authority.certificateOf(NODE), authority.keyOf(NODE), authority.certificateOf("ca"))
                    .ofNode(HOST, Instant.now().toEpochMilli()));
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    /** Sends bytes, and returns everything that the port answers before it closes the connection. */
    byte[] answer(byte[] octets) throws IOException {
        try (HttpClientEnd client = new HttpClientEnd(port.port())) {
            client.send(octets);
            if (!client.finish(PATIENCE_MS)) {
                throw new AssertionError("Expected the end of the connection, but it stays open.");
            }
            return client.take();
        }
    }

    /** Returns the number of requests that have changed something. */
    int changes() {
        return changes.get();
    }

    @Override
    public void check() throws IOException {
        SSLContext context = valid;
        byte[] status;
        if (context == null) {
            status = answer(GET_HEALTH);
        } else {
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(HOST, port.port())) {
                socket.setSoTimeout(PATIENCE_MS);
                socket.getOutputStream().write(GET_HEALTH);
                status = socket.getInputStream().readNBytes(STATUS_BYTES);
            }
        }
        if (!new String(status, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 200")) {
            throw new AssertionError("Expected that a valid client is served, but it is not.");
        }
    }

    @Override
    public void close() {
        port.close();
    }

    private final class Pages implements NodePages {
        @Override
        public NodeHealth health() {
            return NodeHealth.HEALTHY;
        }

        @Override
        public NodeHealth synced() {
            return NodeHealth.HEALTHY;
        }

        @Override
        public String cluster() {
            return "{}";
        }

        @Override
        public String metrics() {
            return "";
        }

        @Override
        public void lead(String node) throws IOException {
            changes.incrementAndGet();
            throw new IOException("There is no such node.");
        }

        @Override
        public boolean add(String node) throws IOException {
            throw new IOException("There is no such node.");
        }

        @Override
        public void remove(String node) throws IOException {
            throw new IOException("There is no such node.");
        }

        @Override
        public String apply(byte[] file) throws IOException {
            throw new IOException("Expected no file.");
        }

        @Override
        public String upgrade() {
            return "";
        }

        @Override
        public String verify(boolean begin) {
            changes.incrementAndGet();
            return "{}";
        }
    }
}
