package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.nio.ByteBuffer;
import java.util.function.LongPredicate;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** A client that sends requests to a node; the answers leave on a {@link ResponseLink} (wire reference 2.1). */
final class RequestLink extends LinkInput {
    private final String nodeKey;
    private final RequestNode node;
    private final LongPredicate authorized;

    /** @param nodeKey the node's address in comparison form */
    RequestLink(
            AmqpConnection connection,
            Receiver receiver,
            LinkWire wire,
            long maxRequestSizeBytes,
            String nodeKey,
            RequestNode node,
            LongPredicate authorized) {
        super(connection, receiver, wire, maxRequestSizeBytes);
        this.nodeKey = nodeKey;
        this.node = node;
        this.authorized = authorized;
    }

    @Override
    void received(byte @Nullable [] payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state) {
        connection().completeAccepted();
        if (payload == null) {
            ticket.reject(new Rejection(ErrorCode.DECODE_ERROR, "Expected a request, but the transfer is empty."));
            return;
        }
        CommandTarget target = CommandTarget.ENTITY;
        if (state instanceof TransactionalState transactional) {
            target = connection().transactions().target(transactional);
            ticket.settle(DeclaredTransactions.wrap(transactional, Accepted.getInstance()));
        } else {
            ticket.settle(Accepted.getInstance());
        }
        int sizeBytes = payload.length;
        connection().inFlight(sizeBytes); // the client gets credit again before it is answered
        node.handle(ProtonBuffers.wrap(ByteBuffer.wrap(payload)), target, (replyTo, response) -> {
            connection().inFlight(-sizeBytes);
            ResponseLink link = connection().responseLinks().find(nodeKey, replyTo, wire().session());
            if (link != null) {
                link.respond(response);
            }
            connection().wantFlush();
        });
    }

    @Override
    public boolean authorized(long nowMs) {
        return authorized.test(nowMs);
    }
}
