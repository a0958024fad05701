package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server with a real log. The test speaks the protocol of the other members. */
@Timeout(60)
@DisplayName("A member")
class DurableAcknowledgmentsTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final int ENTRIES = 40;
    private static final int ENTRY_BYTES = 1 << 20;
    private static final int MAX_BYTES = 16 << 20;

    @TempDir
    Path directory;

    @Test
    @DisplayName("that led acknowledges its own entries to the next leader only when they are synced to disk (CL-1)")
    void acknowledgesItsOwnEntries() throws Exception {
        int port = FreePorts.of(1).get(0);
        CompletableFuture<Long> led = new CompletableFuture<>();
        Voter voter = new Voter();
        Server other = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(MAX_BYTES)
                .addService(voter)
                .build()
                .start();
        List<RaftMember> members = List.of(
                new RaftMember("a.01", "127.0.0.1:" + other.getPort()), new RaftMember("b.02", "127.0.0.1:" + port));
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try (RatisServer server = server(port, members, new NoEvents() {
            @Override
            public void leaderReady(long term) {
                led.complete(term);
            }
        })) {
            server.start();
            long term = led.get(30, TimeUnit.SECONDS);
            long last = server.lastEntry().index() + ENTRIES;
            voter.silent = true;
            for (int number = 1; number <= ENTRIES; number++) {
                for (byte[] part : entries(term, number)) {
                    server.append(part);
                }
            }
            while (server.lastEntry().index() < last) {
                Thread.onSpinWait();
            }

            AppendEntriesReplyProto reply = append(channel, term, last).get(30, TimeUnit.SECONDS);
            long synced = server.syncedIndex();

            assertThat(reply.getResult()).isEqualTo(AppendResult.SUCCESS);
            assertThat(reply.getMatchIndex()).isEqualTo(last);
            assertThat(synced).isEqualTo(last);
        } finally {
            channel.shutdownNow();
            other.shutdownNow();
        }
    }

    @Test
    @DisplayName(
            "that gets a request again with more entries, while it writes the first ones, acknowledges all when it has them (CL-1)")
    void acknowledgesOverlappingRequests() throws Exception {
        List<Integer> ports = FreePorts.of(2);
        int port = ports.get(1);
        List<RaftMember> members = List.of(
                new RaftMember("a.01", "127.0.0.1:" + ports.get(0)), new RaftMember("b.02", "127.0.0.1:" + port));
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try (RatisServer server = server(port, members, new NoEvents())) {
            server.start();
            Replies replies = new Replies(2);
            StreamObserver<AppendEntriesRequestProto> requests =
                    RaftServerProtocolServiceGrpc.newStub(channel).appendEntries(replies);
            requests.onNext(request(1, 10));
            requests.onNext(request(2, 11));

            List<AppendEntriesReplyProto> received = replies.all.get(30, TimeUnit.SECONDS);

            assertThat(received)
                    .extracting(AppendEntriesReplyProto::getResult)
                    .containsExactly(AppendResult.SUCCESS, AppendResult.SUCCESS);
            assertThat(received)
                    .extracting(AppendEntriesReplyProto::getMatchIndex)
                    .containsExactly(9L, 10L);
            assertThat(server.syncedIndex()).isEqualTo(10);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    @DisplayName("ends a call in which an acknowledgment waits for too long, so that the leader starts again (CL-45)")
    void endsACallThatWaits() throws Exception {
        Server member = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(MAX_BYTES)
                .addService(new Voter())
                .intercept(new DurableAcknowledgments(() -> -1, 20))
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", member.getPort())
                .usePlaintext()
                .build();
        try {
            Replies replies = new Replies(1);
            RaftServerProtocolServiceGrpc.newStub(channel)
                    .appendEntries(replies)
                    .onNext(request(1, 1));

            assertThat(replies.all)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("UNAVAILABLE");
        } finally {
            channel.shutdownNow();
            member.shutdownNow();
        }
    }

    private RatisServer server(int port, List<RaftMember> members, RatisEvents events) throws IOException {
        return new RatisServer(
                new RatisSettings(directory, "127.0.0.1", port, 1_000, 1L << 30),
                CLUSTER,
                "b.02",
                members,
                List.of(new StoreReplica(new InMemoryReplicaStore())),
                events);
    }

    /** Returns a request of the first leader with the first entries of the log. */
    private static AppendEntriesRequestProto request(long call, int count) {
        AppendEntriesRequestProto.Builder request = AppendEntriesRequestProto.newBuilder()
                .setServerRequest(from(call))
                .setLeaderTerm(1)
                .setLeaderCommit(-1);
        for (int index = 0; index < count; index++) {
            request.addEntries(LogEntryProto.newBuilder()
                    .setTerm(1)
                    .setIndex(index)
                    .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder()
                            .setClientId(ClientId.randomId().toByteString())
                            .setLogData(ByteString.copyFrom(new byte[ENTRY_BYTES]))));
        }
        return request.build();
    }

    private static RaftRpcRequestProto.Builder from(long call) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("a.01").toByteString())
                .setReplyId(RaftPeerId.valueOf("b.02").toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(RaftGroupId.valueOf(CLUSTER)))
                .setCallId(call);
    }

    /** Collects a number of replies of one call. */
    private static final class Replies implements StreamObserver<AppendEntriesReplyProto> {
        private final CompletableFuture<List<AppendEntriesReplyProto>> all = new CompletableFuture<>();
        private final List<AppendEntriesReplyProto> received = new ArrayList<>();
        private final int count;

        Replies(int count) {
            this.count = count;
        }

        @Override
        public void onNext(AppendEntriesReplyProto reply) {
            received.add(reply);
            if (received.size() == count) {
                all.complete(List.copyOf(received));
            }
        }

        @Override
        public void onError(Throwable cause) {
            all.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {}
    }

    /** Returns the parts of an entry that is as large as a large message. */
    private static List<byte[]> entries(long term, long number) {
        try (RowBatch rows = new RowBatch()) {
            rows.put(Table.MESSAGES, new byte[16], new byte[ENTRY_BYTES]);
            return Entry.encode(rows, 0, term, number, 1);
        }
    }

    /** Sends the last entry of the server to it, as the leader of the next term does. */
    private static CompletableFuture<AppendEntriesReplyProto> append(ManagedChannel channel, long term, long index) {
        CompletableFuture<AppendEntriesReplyProto> reply = new CompletableFuture<>();
        RaftServerProtocolServiceGrpc.newStub(channel)
                .appendEntries(new StreamObserver<>() {
                    @Override
                    public void onNext(AppendEntriesReplyProto received) {
                        reply.complete(received);
                    }

                    @Override
                    public void onError(Throwable cause) {
                        reply.completeExceptionally(cause);
                    }

                    @Override
                    public void onCompleted() {}
                })
                .onNext(AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(from(1))
                        .setLeaderTerm(term + 1)
                        .setLeaderCommit(-1)
                        .setPreviousLog(
                                TermIndexProto.newBuilder().setTerm(term).setIndex(index - 1))
                        .addEntries(LogEntryProto.newBuilder()
                                .setTerm(term)
                                .setIndex(index)
                                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder()
                                        .setClientId(ClientId.randomId().toByteString())
                                        .setLogData(ByteString.EMPTY)))
                        .build());
        return reply;
    }

    /** A member that votes for everyone and acknowledges everything, until it is silent. */
    private static final class Voter extends RaftServerProtocolServiceGrpc.RaftServerProtocolServiceImplBase {
        private volatile boolean silent;

        @Override
        public void requestVote(RequestVoteRequestProto request, StreamObserver<RequestVoteReplyProto> answers) {
            answers.onNext(RequestVoteReplyProto.newBuilder()
                    .setServerReply(replyTo(request.getServerRequest()))
                    .setTerm(request.getCandidateTerm())
                    .build());
            answers.onCompleted();
        }

        @Override
        public StreamObserver<AppendEntriesRequestProto> appendEntries(
                StreamObserver<AppendEntriesReplyProto> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(AppendEntriesRequestProto request) {
                    if (!silent) {
                        answers.onNext(acknowledgment(request));
                    }
                }

                @Override
                public void onError(Throwable cause) {}

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }

        private static AppendEntriesReplyProto acknowledgment(AppendEntriesRequestProto request) {
            int count = request.getEntriesCount();
            long last = count == 0 ? -1 : request.getEntries(count - 1).getIndex();
            return AppendEntriesReplyProto.newBuilder()
                    .setServerReply(replyTo(request.getServerRequest()))
                    .setTerm(request.getLeaderTerm())
                    .setResult(AppendResult.SUCCESS)
                    .setMatchIndex(last)
                    .setNextIndex(last + 1)
                    .setFollowerCommit(-1)
                    .setIsHearbeat(count == 0)
                    .build();
        }

        private static RaftRpcReplyProto.Builder replyTo(RaftRpcRequestProto request) {
            return RaftRpcReplyProto.newBuilder()
                    .setRequestorId(request.getRequestorId())
                    .setReplyId(request.getReplyId())
                    .setRaftGroupId(request.getRaftGroupId())
                    .setCallId(request.getCallId())
                    .setSuccess(true);
        }
    }
}
