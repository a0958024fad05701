package dev.jitney.cluster.node;

import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.GroupListReplyProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;

/** A program on the network that is no member. */
final class Outsider {
    private Outsider() {}

    /** Requests the groups of a node, as Ratis' own tools do, and returns the status of the refusal. */
    static String refusal(String address) {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address).usePlaintext().build();
        try {
            GroupListReplyProto reply = AdminProtocolServiceGrpc.newBlockingStub(channel)
                    .groupList(GroupListRequestProto.newBuilder()
                            .setRpcRequest(RaftRpcRequestProto.newBuilder()
                                    .setCallId(UUID.randomUUID().getMostSignificantBits()))
                            .build());
            return "answered: " + reply;
        } catch (StatusRuntimeException e) {
            return e.getStatus().toString();
        } finally {
            channel.shutdownNow();
        }
    }
}
