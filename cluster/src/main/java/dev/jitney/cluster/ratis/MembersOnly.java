package dev.jitney.cluster.ratis;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Refuses all calls from the network except those of Ratis' protocol between members that are for this identity.
 *
 * <p>Ratis offers services for clients and administrators on the same port; they are closed to everyone (CL-71). And it does not check
 * whom a request is for: a node with a new disk at the old address would vote and acknowledge in the name of the identity that
 * has lost everything (CL-50).
 */
final class MembersOnly implements ServerInterceptor {
    private static final String MEMBERS = "ratis.grpc.RaftServerProtocolService";

    private final ByteString identity;

    /** @param identity the identity of this node */
    MembersOnly(String identity) {
        this.identity = RaftPeerId.valueOf(identity).toByteString();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!MEMBERS.equals(call.getMethodDescriptor().getServiceName())) {
            call.close(
                    Status.PERMISSION_DENIED.withDescription("This port serves members of the cluster only."),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return new ForThisIdentity<>(call, next.startCall(call, headers));
    }

    /** Returns the header of a request between members, or null for anything else. */
    private static @Nullable RaftRpcRequestProto header(Object message) {
        if (message instanceof AppendEntriesRequestProto append) {
            return append.getServerRequest();
        }
        if (message instanceof RequestVoteRequestProto vote) {
            return vote.getServerRequest();
        }
        if (message instanceof InstallSnapshotRequestProto install) {
            return install.getServerRequest();
        }
        if (message instanceof StartLeaderElectionRequestProto election) {
            return election.getServerRequest();
        }
        return message instanceof ReadIndexRequestProto read ? read.getServerRequest() : null;
    }

    /** Passes messages on until one is for another identity; then the call ends. */
    private final class ForThisIdentity<Q, R>
            extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, R> call;
        private boolean refused;

        ForThisIdentity(ServerCall<Q, R> call, ServerCall.Listener<Q> next) {
            super(next);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            if (refused) {
                return;
            }
            RaftRpcRequestProto header = header(message);
            if (header != null && identity.equals(header.getReplyId())) {
                super.onMessage(message);
                return;
            }
            refused = true;
            call.close(
                    Status.FAILED_PRECONDITION.withDescription(
                            "The request is for another member, or for an" + " identity that this node had before."),
                    new Metadata());
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}
