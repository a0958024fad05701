package dev.jitney.cluster.ratis;

import java.util.EnumSet;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/**
 * Refuses all calls from the network except those of Ratis' protocol between members. Ratis offers services for clients and
 * administrators on the same port; nobody may use them (CL-71).
 */
final class MembersOnly implements GrpcServices.Customizer, ServerInterceptor {
    private static final String MEMBERS = "ratis.grpc.RaftServerProtocolService";

    @Override
    public NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.intercept(this);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (MEMBERS.equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers);
        }
        call.close(Status.PERMISSION_DENIED.withDescription("This port serves members of the cluster only."), headers);
        return new ServerCall.Listener<>() {};
    }
}
