package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.transaction.ControlMessage;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transactions.TxnCapability;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The link of a client that declares and discharges transactions (wire reference 8.1, 8.2). When the link ends, its
 * transactions end too (TX-10).
 */
final class CoordinatorLink extends LinkInput {
    private static final long CONTROL_MESSAGE_BYTES_MAX = 16 * 1024;

    CoordinatorLink(LinkContext context, Receiver receiver, LinkWire wire) {
        super(context, receiver, wire, CONTROL_MESSAGE_BYTES_MAX);
    }

    @Override
    void describe(Receiver answer) {
        Coordinator coordinator = new Coordinator();
        coordinator.setCapabilities(TxnCapability.LOCAL_TXN);
        answer.setTarget(coordinator);
    }

    @Override
    void received(byte @Nullable [] payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state) {
        context().completions().run();
        if (ticket.isSettled()) {
            close(context()
                    .errors()
                    .of(
                            ErrorCode.INVALID_OPERATION,
                            "Expected an unsettled control message to the coordinator, but got a settled one: the"
                                    + " outcome of the delivery is the answer."));
            return;
        }
        ControlMessage asked = payload == null ? null : ControlMessage.read(payload);
        if (asked == null) {
            ticket.reject(new Rejection(
                    ErrorCode.DECODE_ERROR,
                    "Expected a message with a declare or a discharge as its value, but got another message."));
            return;
        }
        switch (asked.kind()) {
            case DECLARE -> declare(asked, ticket);
            case DISCHARGE ->
                context()
                        .transactions()
                        .discharge(
                                asked.transactionId(),
                                asked.fail(),
                                context()
                                        .loop()
                                        .replies(done -> ticket.settle(Accepted.getInstance()), ticket::reject));
        }
    }

    private void declare(ControlMessage declare, Ticket ticket) {
        if (declare.global()) {
            ticket.reject(new Rejection(
                    ErrorCode.NOT_IMPLEMENTED,
                    "Distributed transactions are not supported. Declare the transaction without a global"
                            + " id.")); // TX-22
            return;
        }
        try {
            ticket.settle(new Declared().setTxnId(context().transactions().declare(wire())));
        } catch (BrokerException refused) {
            ticket.reject(refused.rejection());
        }
    }

    @Override
    void ended() {
        context().transactions().gone(wire());
    }

    /**
     * Returns true: control messages need no rights. The operations in a transaction are authorized by their own links.
     */
    @Override
    public boolean authorized(long nowMs) {
        return true;
    }
}
