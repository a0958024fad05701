package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import dev.jitney.model.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.LongPredicate;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.Terminus;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/** A client that waits for the answers of a node. Answers wait for its credit (wire reference 2.1). */
final class ResponseLink extends LinkOutput {
    private static final int WAITING_MAX = 1_000;
    private static final long WAITING_BYTES_MAX = 16L << 20;

    private final String nodeKey;
    private final boolean settled;
    private final LongPredicate authorized;
    private final Queue<ProtonBuffer> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long tags;
    private boolean opened;

    ResponseLink(AmqpConnection connection, Sender sender, LinkWire wire, String nodeKey, LongPredicate authorized) {
        super(connection, sender, wire);
        this.nodeKey = nodeKey;
        this.authorized = authorized;
        settled = wire.remoteAttach().hasSenderSettleMode()
                && wire.remoteAttach().getSenderSettleMode() == SenderSettleMode.SETTLED;
    }

    void accept() {
        opened = true;
        connection().responseLinks().add(this);
        open();
    }

    String nodeKey() {
        return nodeKey;
    }

    /** The address the client receives its answers at, or null. */
    @Nullable
    String replyAddress() {
        Terminus target = wire().remoteAttach().getTarget();
        return target instanceof Target plain ? plain.getAddress() : null;
    }

    void respond(ProtonBuffer response) {
        waiting.add(response);
        waitingBytes += response.getReadableBytes();
        if (waiting.size() > WAITING_MAX || waitingBytes > WAITING_BYTES_MAX) {
            close(connection()
                    .errors()
                    .of(ErrorCode.QUOTA_EXCEEDED, "Too many responses wait for credit on the link."));
            return;
        }
        pump();
    }

    @Override
    void pump() {
        if (!opened) {
            return;
        }
        while (!waiting.isEmpty() && canSend()) {
            ProtonBuffer response = waiting.remove();
            waitingBytes -= response.getReadableBytes();
            byte[] tag = ByteBuffer.allocate(Long.BYTES).putLong(tags++).array();
            send(new PendingDelivery(tag, settled, ProtonBuffers.bytes(response)), null);
        }
        if (draining() && waiting.isEmpty() && isIdle() && !isGone()) {
            answerDrain();
        }
        connection().wantFlush();
    }

    /** Whatever the client makes of a response, it is done with. */
    @Override
    void onOutcome(List<UnsettledDeliveries.Entry> deliveries, @Nullable DeliveryState state, boolean settledByClient) {
        if (settledByClient) {
            connection().forget(deliveries);
        } else {
            connection().settle(deliveries, state == null ? Accepted.getInstance() : state);
        }
    }

    @Override
    public boolean authorized(long nowMs) {
        return authorized.test(nowMs);
    }

    @Override
    void released() {
        connection().responseLinks().remove(this);
        waiting.clear();
    }
}
