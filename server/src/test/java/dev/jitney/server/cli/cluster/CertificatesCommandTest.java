package dev.jitney.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.server.node.LinkFaults;
import dev.jitney.server.node.NodeHealth;
import dev.jitney.server.node.NodePages;
import dev.jitney.server.node.NodePort;
import dev.jitney.server.node.NodePortOptions;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.ClusterIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code jitney cluster certificates}, and the other commands with its certificates. */
class CertificatesCommandTest {
    private static final String STATE = "{\"id\":\"7f3a\",\"term\":5,\"leader\":\"a\",\"node\":\"a\",\"members\":[]}";

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName(
            "CL-70: it makes an authority, a certificate for each node and one for operators, and prints the next step")
    void makes() {
        assertThat(run("certificates", "--out", certs(), "a=127.0.0.1", "b=broker-2", "--also", "b=10.0.0.2"))
                .as(text(err))
                .isZero();
        assertThat(text(out))
                .contains(
                        "Made the authority " + certs() + "/ca.pem, valid until 20",
                        "Made " + certs() + "/a.pem and " + certs() + "/a-key.pem for 127.0.0.1.",
                        "for broker-2, 10.0.0.2.",
                        "operator-key.pem for operators.",
                        "jitney server --cluster-node a --cluster-tls " + certs() + "/a.pem,",
                        "jitney cluster status --cluster-tls " + certs() + "/operator.pem,",
                        "ca-key.pem off the nodes");
    }

    @Test
    @DisplayName("CL-70: a second run adds nodes only, and --renew replaces the certificate of the node that it names")
    void again() throws IOException {
        run("certificates", "--out", certs(), "--cluster-nodes", "a=h1:7400,b=[fd00::2]:7400");
        String first = Files.readString(dir.resolve("certs/a.pem"));
        assertThat(run("certificates", "--out", certs(), "a=elsewhere", "c=h3")).isZero();
        assertThat(text(out))
                .contains("Uses the authority", "Left " + certs() + "/a.pem as it is.", "c-key.pem for h3.");
        assertThat(dir.resolve("certs/a.pem")).hasContent(first);
        assertThat(run("certificates", "--out", certs(), "--renew", "a", "--days", "30"))
                .isZero();
        assertThat(text(out)).contains("Renewed " + certs() + "/a.pem and");
        assertThat(Files.readString(dir.resolve("certs/a.pem"))).isNotEqualTo(first);
        assertThat(run("certificates", "--out", certs(), "--renew", "z")).isEqualTo(1);
        assertThat(text(err)).contains("z.pem: Expected a certificate to renew, but there is none.");
    }

    @Test
    @DisplayName("CL-84: options that cannot be used are refused with an example")
    void badOptions() {
        assertThat(run("certificates", "--out", certs())).isEqualTo(2);
        assertThat(text(err)).contains("Expected the nodes, but got none. Add them as NAME=HOST");
        for (String wrong : List.of("a", "a=", "=h", "a b=h", "a=under_score", "operator=h", "CA=h", "a=*.h")) {
            assertThat(run("certificates", "--out", certs(), wrong)).as(wrong).isEqualTo(2);
        }
        assertThat(run("certificates", "--out", certs(), "a=h", "--also", "b=h"))
                .isEqualTo(2);
        assertThat(text(err)).contains("--also: Expected the name of a node (a), but got 'b'.");
        assertThat(run("certificates", "--out", certs(), "a=h", "--days", "0")).isEqualTo(2);
        assertThat(dir.resolve("certs")).doesNotExist();
    }

    @Test
    @DisplayName(
            "CL-71, CL-84: commands use the certificate of operators, and say so if the option is missing or too much")
    void commands() throws Exception {
        run("certificates", "--out", certs(), "a=127.0.0.1");
        ClusterIdentity node = files("a").ofNode("127.0.0.1", System.currentTimeMillis());
        String operator = files("operator").toString();
        try (NodePort secure = open(node);
                NodePort plain = open(null)) {
            assertThat(run("status", "--node", at(secure), "--cluster-tls", operator))
                    .as(text(err))
                    .isZero();
            assertThat(text(out)).startsWith("Cluster 7f3a, leader a, term 5");
            assertThat(run("status", "--node", at(secure))).isEqualTo(1);
            assertThat(text(err)).contains("Expected TLS, because this node uses --cluster-tls");
            assertThat(run("status", "--node", at(plain), "--cluster-tls", operator))
                    .isEqualTo(1);
            assertThat(text(err)).contains("it answers without TLS. Remove --cluster-tls");
            assertThat(run("status", "--node", at(plain))).isZero();
            run("certificates", "--out", dir.resolve("foreign").toString(), "a=127.0.0.1");
            String foreign = operator.replace(certs(), dir.resolve("foreign").toString());
            assertThat(run("status", "--node", at(secure), "--cluster-tls", foreign))
                    .isEqualTo(1);
            assertThat(text(err)).contains("are not of the same authority");
            assertThat(run("status", "--node", at(secure), "--cluster-tls", operator.replace("operator-key", "a-key")))
                    .isEqualTo(1);
            assertThat(text(err)).contains("--cluster-tls " + certs(), "Expected the key of the first certificate");
            assertThat(run("status", "--node", at(secure), "--cluster-tls", "a.pem"))
                    .isEqualTo(2);
            assertThat(text(err)).contains("CERT,KEY,CA");
        }
    }

    private ClusterCertificates files(String name) {
        return new ClusterCertificates(
                dir.resolve("certs/" + name + ".pem"),
                dir.resolve("certs/" + name + "-key.pem"),
                dir.resolve("certs/ca.pem"));
    }

    private String certs() {
        return dir.resolve("certs").toString();
    }

    private static String at(NodePort port) {
        return "127.0.0.1:" + port.port();
    }

    private static NodePort open(@Nullable ClusterIdentity tls) throws IOException {
        NodePages pages = new NodePages() {
            @Override
            public NodeHealth health() {
                return NodeHealth.HEALTHY;
            }

            @Override
            public NodeHealth synced() {
                return health();
            }

            @Override
            public String cluster() {
                return STATE;
            }

            @Override
            public String metrics() {
                return "";
            }

            @Override
            public void lead(String node) {}

            @Override
            public boolean add(String node) {
                throw new IllegalStateException("Expected no order.");
            }

            @Override
            public void remove(String node) {
                throw new IllegalStateException("Expected no order.");
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
                return "{}";
            }
        };
        return NodePort.open(
                NodePortOptions.on("127.0.0.1", 0), tls, new LinkFaults(), pages, (request, body) -> body, () -> null);
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        CommandLine commands = ClusterCommands.cluster(
                new PrintStream(out, true, StandardCharsets.UTF_8), errors, () -> new String[] {"1"}, () -> {});
        commands.setErr(new PrintWriter(errors, true));
        return commands.execute(new ArrayList<>(List.of(arguments)).toArray(new String[0]));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
