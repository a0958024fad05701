package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.node.NodeAccess;
import dev.jitney.gateway.amqp.node.RequestNode;
import dev.jitney.gateway.amqp.transaction.DeclaredTransactions;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The link of a client that sends requests to a node. The answers leave on a {@link ResponseLink} (wire reference 2.1).
 */
final class RequestLink extends LinkInput {
    private final ResponseLinks responses;
    private final String nodeKey;
    private final RequestNode node;
    private final NodeAccess access;

    /** True once the client has detached the link or closed its connection. Shards read it. */
    private volatile boolean over;

    /**
     * @param nodeKey node's address in comparison form
     */
    RequestLink(
            LinkContext context,
            Receiver receiver,
            LinkWire wire,
            long maxRequestSizeBytes,
            ResponseLinks responses,
            String nodeKey,
            RequestNode node,
            NodeAccess access) {
        super(context, receiver, wire, maxRequestSizeBytes);
        this.responses = responses;
        this.nodeKey = nodeKey;
        this.node = node;
        this.access = access;
    }

    @Override
    void received(byte @Nullable [] payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state) {
        context().completions().run();
        if (access.goneEntity() != null) {
            context().links().detachFromGoneEntities(); // the client tries again with new links
            return;
        }
        if (payload == null) {
            ticket.reject(new Rejection(ErrorCode.DECODE_ERROR, "Expected a request, but the transfer is empty."));
            return;
        }
        CommandTarget target = CommandTarget.ENTITY;
        if (state instanceof TransactionalState transactional) {
            target = context().transactions().target(transactional);
            ticket.settle(DeclaredTransactions.wrap(transactional, Accepted.getInstance()));
        } else {
            ticket.settle(Accepted.getInstance());
        }
        node.handle(
                ProtonBuffers.wrap(ByteBuffer.wrap(payload)),
                CommandTarget.ofClient(target, context().loop(), this::isOver),
                new Exchange(payload.length));
    }

    /**
     * The exchange of one request and its answer, from the arrival of the request until the answer is on the response
     * link, with the memory of both.
     */
    private final class Exchange implements RequestNode.Responder {
        private final int requestBytes;
        private long reservedBytes;
        private @Nullable ResponseLink expecting;

        Exchange(int requestBytes) {
            this.requestBytes = requestBytes;
            context().memory().inFlight(requestBytes); // the client gets credit again before it gets the answer
        }

        @Override
        public boolean whenRoom(@Nullable String replyTo, long answerBytes, Runnable work, Runnable late) {
            if (context().memory().isNeverRoomFor(answerBytes)) {
                return false;
            }
            ResponseLink link = responses.find(nodeKey, replyTo, wire().session());
            Runnable reserving = () -> context()
                    .memory()
                    .whenRoom(
                            answerBytes,
                            () -> {
                                reservedBytes = answerBytes;
                                work.run();
                            },
                            late);
            if (link == null) {
                reserving.run();
            } else {
                link.whenCredit(
                        () -> {
                            expecting = link;
                            reserving.run();
                        },
                        () -> context().memory().inFlight(-requestBytes));
            }
            return true;
        }

        @Override
        public void respond(@Nullable String replyTo, ProtonBuffer response) {
            context().memory().inFlight(-requestBytes);
            ResponseLink link = responses.find(nodeKey, replyTo, wire().session());
            long bytes = link == null ? 0 : response.getReadableBytes();
            context().memory().account().hold(MemoryPurpose.RESPONSES, bytes - reservedBytes);
            if (expecting != null && expecting != link) {
                expecting.expectNoMore();
            }
            if (link != null) {
                link.respond(response, bytes, expecting == link);
            }
            context().loop().wantFlush();
        }
    }

    @Override
    void ended() {
        over = true;
    }

    private boolean isOver() {
        return over;
    }

    @Override
    public boolean authorized(long nowMs) {
        return access.authorized(nowMs);
    }

    @Override
    public @Nullable String goneEntity() {
        return access.goneEntity();
    }
}
