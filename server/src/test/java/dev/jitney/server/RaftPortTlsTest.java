package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.TestAuthority;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The replication port of a node with TLS, and programs that are no members. */
@Timeout(120)
class RaftPortTlsTest {
    private static final String HOST = "127.0.0.1";
    private static final String ANSWERED = "FAILED_PRECONDITION: The request is for another member";

    @TempDir
    Path dir;

    private TestAuthority authority;
    private ClusterMember member;
    private JitneyServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new TestAuthority(dir.resolve("ca"));
        member = member();
        server = server(authority.node("a", HOST)).start();
        await(() -> server.trouble() == null);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JitneyServer server(ClusterCertificates tls) {
        return JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .port(0)
                .certificatePollMs(20)
                .cluster(
                        new ClusterOptions(List.of(member), "a", tls, false, 1_000, ClusterOptions.LOG_BYTES_MIN, null))
                .build();
    }

    private static ClusterMember member() throws IOException {
        List<Integer> ports = FreePorts.of(2);
        return new ClusterMember("a", HOST, ports.get(0), ports.get(1));
    }

    @Test
    @DisplayName("CL-71: only the certificate of a node may ask for votes or append; without it, no request arrives")
    void onlyNodes() throws Exception {
        TestAuthority foreign = new TestAuthority(dir.resolve("foreign"));
        ClusterCertificates selfSigned = new ClusterCertificates(
                dir.resolve("foreign/ca.pem"), dir.resolve("foreign/ca-key.pem"), dir.resolve("foreign/ca.pem"));
        assertThat(askForVote(TestAuthority.keys(authority.node("b", HOST))))
                .as("a node of the cluster, in the name of an identity that does not exist")
                .startsWith(ANSWERED);
        assertThat(askForVote(null)).as("no certificate").startsWith("UNAVAILABLE");
        for (ClusterCertificates wrong :
                List.of(foreign.node("b", HOST), selfSigned, authority.operator(), authority.expired("old", HOST))) {
            assertThat(askForVote(TestAuthority.keys(wrong))).as("%s", wrong).startsWith("UNAVAILABLE");
        }
        ManagedChannel plain = NettyChannelBuilder.forTarget(member.raftAddress())
                .usePlaintext()
                .build();
        assertThat(vote(plain)).as("no TLS").startsWith("UNAVAILABLE");
        assertThat(server.trouble()).isNull();
    }

    @Test
    @DisplayName("CL-72: silent connections and handshakes are bounded in number and time, and keep no member out")
    void silentHandshakes() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket(HOST, member.raftPort());
                socket.setSoTimeout(30_000);
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1}); // a hello that never ends
                }
            }
            assertThat(askForVote(TestAuthority.keys(authority.node("b", HOST))))
                    .startsWith(ANSWERED);
            assertThat(ends(silent.get(0))).as("the oldest one").isTrue();
            long begun = System.nanoTime();
            assertThat(ends(silent.get(299))).as("the latest one").isTrue();
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(15));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        assertThat(askForVote(TestAuthority.keys(authority.node("b", HOST)))).startsWith(ANSWERED);
        assertThat(server.trouble()).isNull();
    }

    @Test
    @DisplayName(
            "CL-70: a node does not start with a certificate that others would refuse, and names option, file and fix")
    void startFaults() throws Exception {
        server.close();
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> server(authority.expired("c", HOST)).start())
                .withMessageContaining("--cluster-tls " + dir.resolve("ca/c.pem"))
                .withMessageContaining("The certificate expired on")
                .withMessageContaining("Renew it.");
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> JitneyServer.builder()
                        .dataDir(dir.resolve("other"))
                        .port(0)
                        .cluster(new ClusterOptions(
                                List.of(member),
                                "a",
                                authority.node("a", HOST),
                                true,
                                1_000,
                                ClusterOptions.LOG_BYTES_MIN,
                                null))
                        .build()
                        .start())
                .withMessageContaining("Expected either --cluster-tls or --cluster-plain, but got both");
    }

    @Test
    @DisplayName("CL-70: a renewed certificate is used on the replication port and the node port without a restart")
    void renewsWithoutRestart() throws Exception {
        X509Certificate before = shown(member.nodePort());
        assertThat(shown(member.raftPort())).isEqualTo(before);
        authority.renew("a");
        for (int port : List.of(member.nodePort(), member.raftPort())) {
            await(() -> !shown(port).equals(before));
        }
        assertThat(askForVote(TestAuthority.keys(authority.node("b", HOST)))).startsWith(ANSWERED);
        assertThat(server.trouble()).isNull();
    }

    private X509Certificate shown(int port) {
        try (SSLSocket socket = (SSLSocket) TestAuthority.unchecked(authority.node("b", HOST))
                .getSocketFactory()
                .createSocket(HOST, port)) {
            socket.setSoTimeout(30_000);
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Requests a vote in the name of a member, and returns the status of the refusal. */
    private String askForVote(@Nullable X509ExtendedKeyManager keys) throws Exception {
        SslContextBuilder tls = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(new TestAuthority.Anyone());
        if (keys != null) {
            tls.keyManager(keys);
        }
        return vote(NettyChannelBuilder.forTarget(member.raftAddress())
                .useTransportSecurity()
                .sslContext(tls.build())
                .build());
    }

    private static String vote(ManagedChannel channel) {
        ByteString nobody = ByteString.copyFromUtf8("b.000000000000");
        try {
            return "answered: "
                    + RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                            .requestVote(RequestVoteRequestProto.newBuilder()
                                    .setServerRequest(RaftRpcRequestProto.newBuilder()
                                            .setRequestorId(nobody)
                                            .setReplyId(nobody))
                                    .setCandidateTerm(1_000)
                                    .build());
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() + ": " + e.getStatus().getDescription();
        } finally {
            channel.shutdownNow();
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }
}
