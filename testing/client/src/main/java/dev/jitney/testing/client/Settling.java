package dev.jitney.testing.client;

import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/** Who settles the deliveries of a receiving link, and who hears of it (AMQP 1.0, part 2, section 2.6.12). */
public enum Settling {
    /** They come settled: received and deleted. */
    BEFORE_ARRIVAL(SenderSettleMode.SETTLED, ReceiverSettleMode.FIRST),
    /** The receiver settles, and the broker says nothing to it. */
    BY_RECEIVER(SenderSettleMode.UNSETTLED, ReceiverSettleMode.FIRST),
    /** The receiver asks for an outcome, and the broker settles when it is stored. */
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
