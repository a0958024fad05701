package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.ClientOutcome;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.gateway.amqp.node.NodeAccess;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.Terminus;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * The link of a client that receives the answers of a node. Answers wait for the client's credit (wire reference 2.1).
 */
final class ResponseLink extends LinkOutput {
    private static final int WAITING_MAX = 1_000;

    private final ResponseLinks responses;
    private final String nodeKey;
    private final boolean settled;
    private final NodeAccess access;
    private final Queue<Response> waiting = new ArrayDeque<>();

    /** The requests with possibly large answers. They run when the client grants credit for their answers. */
    private final Queue<Request> requests = new ArrayDeque<>();

    /** The number of answers of running requests for which credit is reserved. */
    private int expected;

    private long heldBytes;
    private long tags;
    private boolean opened;

    /** An answer with the memory that the connection's account holds for it. */
    private record Response(ProtonBuffer encoded, long heldBytes) {}

    /** Work that waits for credit, and the action to run if the link ends first. */
    private record Request(Runnable work, Runnable dropped) {}

    ResponseLink(
            LinkContext context,
            Sender sender,
            LinkWire wire,
            ResponseLinks responses,
            String nodeKey,
            NodeAccess access) {
        super(context, sender, wire);
        this.responses = responses;
        this.nodeKey = nodeKey;
        this.access = access;
        settled = wire.remoteAttach().hasSenderSettleMode()
                && wire.remoteAttach().getSenderSettleMode() == SenderSettleMode.SETTLED;
    }

    void accept() {
        opened = true;
        responses.add(this);
        open();
    }

    String nodeKey() {
        return nodeKey;
    }

    /** Returns the address at which the client receives its answers, or null. */
    @Nullable
    String replyAddress() {
        Terminus target = wire().remoteAttach().getTarget();
        return target instanceof Target plain ? plain.getAddress() : null;
    }

    /**
     * Runs a request with a possibly large answer as soon as there is credit for the answer. Until then it uses only
     * the memory of its own bytes.
     *
     * @param dropped called instead if the link ends first: no client would receive the answer, and received and
     *                deleted messages would be lost
     */
    void whenCredit(Runnable work, Runnable dropped) {
        requests.add(new Request(work, dropped));
        startRequests();
    }

    /** Releases the reserved credit of a request that was started here and whose answer leaves on another link. */
    void expectNoMore() {
        expected--;
    }

    private void startRequests() {
        while (!requests.isEmpty() && credit() > waiting.size() + expected) {
            expected++;
            requests.remove().work().run();
        }
    }

    /**
     * Sends an answer, now or when there is credit for it.
     *
     * @param bytes memory that the connection's account holds for the answer; released when the answer is written
     * @param wasExpected whether {@link #whenCredit} started the request
     */
    void respond(ProtonBuffer response, long bytes, boolean wasExpected) {
        expected -= wasExpected ? 1 : 0;
        heldBytes += bytes;
        waiting.add(new Response(response, bytes));
        if (waiting.size() > WAITING_MAX) {
            close(
                    context()
                            .errors()
                            .of(
                                    ErrorCode.QUOTA_EXCEEDED,
                                    "Too many responses wait for credit on the link. Grant credit before you send more requests."));
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
            Response response = waiting.remove();
            byte[] tag = ByteBuffer.allocate(Long.BYTES).putLong(tags++).array();
            send(
                    new PendingDelivery(tag, settled, ProtonBuffers.bytes(response.encoded()))
                            .costing(response.heldBytes()),
                    null);
        }
        if (draining() && waiting.isEmpty() && isIdle() && !isGone()) {
            answerDrain();
        }
        startRequests();
        context().loop().wantFlush();
    }

    @Override
    void written(PendingDelivery delivery) {
        giveBack(delivery.memoryBytes());
    }

    private void giveBack(long bytes) {
        heldBytes -= bytes;
        context().memory().account().hold(MemoryPurpose.RESPONSES, -bytes);
    }

    /** Settles a response, whatever outcome the client sends. */
    @Override
    public void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome) {
        if (outcome.settled()) {
            context().deliveries().forget(deliveries);
        } else {
            DeliveryState state = outcome.state();
            context().deliveries().settle(deliveries, state == null ? Accepted.getInstance() : state);
            context().loop().wantFlush();
        }
    }

    @Override
    public boolean authorized(long nowMs) {
        return access.authorized(nowMs);
    }

    @Override
    public @Nullable String goneEntity() {
        return access.goneEntity();
    }

    @Override
    void released() {
        responses.remove(this);
        waiting.clear();
        giveBack(heldBytes);
        List<Request> left = List.copyOf(requests);
        requests.clear();
        left.forEach(request -> request.dropped().run());
    }
}
