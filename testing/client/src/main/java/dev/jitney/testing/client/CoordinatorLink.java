package dev.jitney.testing.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.impl.ProtonDeliveryTagGenerator;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declare;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transactions.Discharge;
import org.apache.qpid.protonj2.types.transactions.TxnCapability;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/** The link that starts and ends transactions. Use it only on the event loop of its connection. */
public final class CoordinatorLink {
    private final Sender sender;

    private CoordinatorLink(Sender sender) {
        this.sender = sender;
    }

    static CompletableFuture<CoordinatorLink> open(ClientConnection connection) {
        Sender sender = connection.session().sender("coordinator-" + System.nanoTime());
        CoordinatorLink link = new CoordinatorLink(sender);
        CompletableFuture<CoordinatorLink> opened = new CompletableFuture<>();
        sender.setSource(new Source());
        Coordinator coordinator = new Coordinator();
        coordinator.setCapabilities(TxnCapability.LOCAL_TXN);
        sender.setTarget(coordinator);
        sender.setSenderSettleMode(SenderSettleMode.UNSETTLED);
        sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        sender.setDeliveryTagGenerator(ProtonDeliveryTagGenerator.BUILTIN.POOLED.createGenerator());
        sender.deliveryStateUpdatedHandler(CoordinatorLink::answered);
        sender.creditStateUpdateHandler(updated -> opened.complete(link));
        sender.closeHandler(over -> {
            opened.completeExceptionally(ClientConnection.error(
                    over.getRemoteCondition(), "The broker closed the link to the coordinator."));
            sender.close();
        });
        sender.open();
        return opened;
    }

    /** Returns whether there is credit. */
    public boolean canSend() {
        return sender.isSendable();
    }

    /** Starts a transaction; only if {@link #canSend}. A refusal is not reported. */
    public void declare(Consumer<Binary> declared) {
        send(new Declare(), state -> {
            if (state instanceof Declared answer) {
                declared.accept(answer.getTxnId());
            }
        });
    }

    /** Ends a transaction; only if {@link #canSend}. */
    public void discharge(Binary transaction, boolean fail, Consumer<Outcome> ended) {
        send(new Discharge().setTxnId(transaction).setFail(fail), state -> ended.accept(Outcome.of(state)));
    }

    private void send(Object body, Consumer<DeliveryState> answer) {
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer encoded = ProtonBufferAllocator.defaultAllocator().allocate(64);
        encoder.writeObject(encoded, encoder.newEncoderState(), new AmqpValue<>(body));
        OutgoingDelivery delivery = sender.next();
        delivery.setLinkedResource(answer);
        delivery.writeBytes(encoded);
    }

    private static void answered(OutgoingDelivery delivery) {
        if (delivery.isRemotelySettled()) {
            Consumer<DeliveryState> answer = delivery.getLinkedResource();
            DeliveryState state = delivery.getRemoteState();
            delivery.settle();
            answer.accept(state);
        }
    }
}
