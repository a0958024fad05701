package dev.jitney.testing.client;

import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/** The settlement modes of a receiving link (AMQP 1.0, part 2, section 2.6.12). */
public enum Settling {
    /** The sender settles before it sends: receive-and-delete. */
    BEFORE_ARRIVAL(SenderSettleMode.SETTLED, ReceiverSettleMode.FIRST),
    /** The receiver settles, and the broker sends no response. */
    BY_RECEIVER(SenderSettleMode.UNSETTLED, ReceiverSettleMode.FIRST),
    /** The receiver sends an outcome, and the broker settles when it is stored. */
    CONFIRMED(SenderSettleMode.UNSETTLED, ReceiverSettleMode.SECOND);

    private final SenderSettleMode senderMode;
    private final ReceiverSettleMode receiverMode;

    Settling(SenderSettleMode senderMode, ReceiverSettleMode receiverMode) {
        this.senderMode = senderMode;
        this.receiverMode = receiverMode;
    }

    SenderSettleMode senderMode() {
        return senderMode;
    }

    ReceiverSettleMode receiverMode() {
        return receiverMode;
    }
}
