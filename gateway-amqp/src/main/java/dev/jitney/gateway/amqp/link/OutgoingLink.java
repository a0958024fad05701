package dev.jitney.gateway.amqp.link;

import dev.jitney.codec.LockTokens;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.amqp.delivery.DeliveryWindow;
import dev.jitney.gateway.amqp.delivery.Outcomes;
import dev.jitney.gateway.amqp.delivery.PendingCompletions;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.transaction.DeclaredTransactions;
import dev.jitney.gateway.amqp.transaction.PendingSettlements;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * A client that receives from an entity.
 *
 * <p>The client's credit is passed on to the shard in portions: never more than {@link DeliveryWindow} allows may be on
 * its way, so that a client with a large credit and a slow socket does not fill the heap.
 */
class OutgoingLink extends LinkOutput implements ReceiverListener, PendingCompletions.Link {
    private final Entity entity;
    private final EntityAddress address;
    private final ReceiveMode mode;
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();
    private final Queue<MessageView> waiting = new ArrayDeque<>();
    private final DeliveryWindow window = new DeliveryWindow();

    /** What the client has accepted in the octets being read, to be completed together. */
    private final List<UnsettledDeliveries.Entry> accepted = new ArrayList<>();

    /** Bytes of messages that came and have not left, and of those that have left, which the account still holds. */
    private long heldBytes;

    private long writtenBytes;

    /** Whether the shard gives it nothing more until it sets its credit again; set on the thread of the shard. */
    private volatile boolean paused;

    private boolean acceptedSettled;
    private @Nullable Receiver receiver;

    /** Deliveries the shard counts for this receiver: those that came, and those a drain skipped. */
    private long shardCount;

    private long shardLimit;
    private boolean drainAsked;
    private boolean drainDone;
    private boolean opened;
    private long tags;

    OutgoingLink(
            LinkContext context, Sender sender, LinkWire wire, Entity entity, EntityAddress address, ReceiveMode mode) {
        super(context, sender, wire);
        this.entity = entity;
        this.address = address;
        this.mode = mode;
    }

    /** Asks the entity; the attach is answered when that answers. */
    final void attach() {
        receiver = ask(context().loop().replies(this::attached, this::notAttached));
    }

    /** Becomes a receiver of the entity. */
    Receiver ask(ReplyListener reply) {
        return entity.attach(context().receivers(), address.subQueue(), mode, this, reply);
    }

    private void attached(Reply reply) {
        if (isGone() || isOver()) { // detached, or not permitted any more, before the entity had answered
            refuse(context().errors().of(ErrorCode.OPERATION_CANCELLED, "The link was closed before it was open."));
        } else {
            opened = true;
            admitted(reply);
        }
        context().loop().wantFlush();
    }

    /** The entity has agreed: answers the attach. */
    void admitted(Reply reply) {
        open();
    }

    private void notAttached(Rejection rejection) {
        receiver = null;
        refuse(context().access().refusals().attach(told(rejection), address));
        context().loop().wantFlush();
    }

    /** The refusal of an attach, in the words for the client. */
    Rejection told(Rejection rejection) {
        return rejection;
    }

    final Entity entity() {
        return entity;
    }

    final EntityAddress address() {
        return address;
    }

    final ReceiveMode mode() {
        return mode;
    }

    /** The receiver it is at its entity; null when it is none any more. */
    final @Nullable Receiver receiver() {
        return receiver;
    }

    @Override
    public final boolean onDelivering(long bytes) {
        MemoryAccount account = context().memory().account();
        account.hold(MemoryPurpose.DELIVERIES, bytes);
        if (account.room() >= 0) {
            return true;
        }
        paused = true;
        if (bytes == 0) {
            context()
                    .loop()
                    .executor()
                    .execute(() -> context().loop().guarded(this::pump)); // no delivery follows that would do it
        }
        return false;
    }

    @Override
    public final void onNotDelivered(long bytes) {
        context().memory().account().hold(MemoryPurpose.DELIVERIES, -bytes);
    }

    private static long bytesOf(Iterable<MessageView> messages) {
        long bytes = 0;
        for (MessageView message : messages) {
            bytes += message.content().sizeBytes();
        }
        return bytes;
    }

    @Override
    public final void onDelivered(MessageView message) {
        onDelivered(List.of(message));
    }

    @Override
    public final void onDelivered(List<MessageView> messages) {
        context().loop().guarded(() -> {
            shardCount += messages.size();
            if (isGone()) {
                onNotDelivered(bytesOf(messages));
                release(messages);
                return;
            }
            heldBytes += bytesOf(messages);
            for (MessageView message : messages) {
                window.delivered(message.content().sizeBytes());
                waiting.add(message);
            }
            if (drainAsked && shardCount >= shardLimit) {
                drainAsked = false; // the whole portion came; ask for the next one
            }
            pump();
        });
    }

    @Override
    public final void onDrained(long deliveryLimit) {
        context().loop().guarded(() -> {
            if (deliveryLimit < shardLimit || !drainAsked) {
                return; // about a portion that has been extended since
            }
            drainAsked = false;
            drainDone = true;
            shardCount =
                    deliveryLimit; // more than asked for if credit was taken back while deliveries were on their way
            shardLimit = deliveryLimit;
            pump();
        });
    }

    @Override
    public final void onClosed(Rejection reason) {
        context().loop().guarded(() -> {
            receiver = null;
            if (!ended()) {
                lost(reason);
            }
        });
    }

    @Override
    public final void onSuspended(Rejection reason) {
        context().loop().guarded(() -> {
            Receiver holder = receiver;
            if (holder != null) {
                completeAccepted();
                receiver = null; // what it holds is not given back with the link
                suspended(holder);
                lost(reason);
            }
        });
    }

    /** The link is to go, but the receiver stays. */
    void suspended(Receiver holder) {
        holder.detach();
    }

    /** The receiver has ended; returns whether the link had gone before. */
    boolean ended() {
        return false;
    }

    /** The entity has ended the receiver: tells the client. */
    void lost(Rejection reason) {
        String why = reason.description();
        close(context().errors().of(ErrorCode.DETACH_FORCED, "The link was closed by the server: " + why));
    }

    @Override
    final void onCredit() {
        drainDone = false;
    }

    @Override
    final void pump() {
        if (!opened || isGone()) {
            return;
        }
        while (!waiting.isEmpty() && context().deliveries().mayTrackMore() && canSend()) {
            transmit(waiting.remove());
        }
        if (credit() == 0 && !waiting.isEmpty() && mode == ReceiveMode.PEEK_LOCK) {
            writtenBytes += bytesOf(waiting);
            release(waiting); // the client took its credit back
            waiting.clear();
        }
        giveBack();
        grant();
        context().loop().wantFlush();
    }

    private void transmit(MessageView message) {
        boolean settled = mode == ReceiveMode.RECEIVE_AND_DELETE;
        UUID token = message.lockToken();
        byte[] tag = LockTokens.toDeliveryTag(token == null ? new UUID(message.sequenceNumber(), tags++) : token);
        send(
                new PendingDelivery(
                                tag,
                                settled,
                                encoder.encodeHead(message),
                                message.content().body())
                        .costing(message.content().sizeBytes()),
                token);
    }

    @Override
    void written(PendingDelivery delivery) {
        writtenBytes += delivery.memoryBytes();
    }

    /** Tells the account what has left. */
    private void giveBack() {
        if (writtenBytes > 0) {
            heldBytes -= writtenBytes;
            onNotDelivered(writtenBytes);
            writtenBytes = 0;
        }
    }

    /** Whether the connection may hold more messages; if not, {@link #pump} is called when it may. */
    private boolean hasMemory() {
        MemoryAccount account = context().memory().account();
        boolean room = account.room() >= 0;
        if (!room) {
            account.await(0);
        }
        return room;
    }

    /** Tells the shard how far it may go. */
    private void grant() {
        Receiver to = receiver;
        if (to == null) {
            return;
        }
        boolean resuming = paused;
        if (resuming && !hasMemory()) {
            return;
        }
        long wanted = Math.max(0, credit() - waiting.size());
        if (draining() && (wanted == 0 || drainDone)) {
            if (!waiting.isEmpty() || !isIdle()) {
                return;
            }
            drainDone = false;
            answerDrain();
            wanted = 0;
        }
        long room = context().loop().isWritable() && context().deliveries().mayTrackMore()
                ? window.room(waiting.size())
                : 0;
        long portion = shardCount + Math.min(wanted, room);
        // What was granted stays granted while the client still wants it.
        long target = Math.max(portion, Math.min(shardLimit, shardCount + wanted));
        if (resuming) {
            paused = false;
        }
        if (draining()) {
            if ((!drainAsked || resuming) && target > shardCount) {
                drainAsked = true;
                shardLimit = target;
                to.setCredit(target, true);
            }
        } else if (target < shardLimit
                || resuming
                || (target > shardLimit && (target == shardCount + wanted || window.low(shardLimit - shardCount)))) {
            drainAsked = false;
            shardLimit = target;
            to.setCredit(target, false);
        }
    }

    private void release(Iterable<MessageView> messages) {
        List<UUID> tokens = new ArrayList<>();
        for (MessageView message : messages) {
            if (message.lockToken() != null) {
                tokens.add(message.lockToken());
            }
        }
        if (!tokens.isEmpty()) {
            entity.submit(new Command.ReleaseMessages(tokens), context().loop().executor(), ReplyListener.IGNORE);
        }
    }

    @Override
    public void onOutcome(List<UnsettledDeliveries.Entry> deliveries, @Nullable DeliveryState state, boolean settled) {
        if (state instanceof Accepted && entity.settlesTogether()) {
            accept(deliveries, settled);
            return;
        }
        completeAccepted();
        if (state instanceof TransactionalState transactional) {
            settleIn(transactional, deliveries, settled);
            return;
        }
        Outcomes.Settlement settlement = state == null ? null : Outcomes.of(state);
        if (settlement != null) {
            settle(deliveries, settlement, settled);
        } else if (settled) {
            context().deliveries().forget(deliveries); // gives the delivery up without an outcome; its lock runs out
        } else {
            deliveries.forEach(UnsettledDeliveries::unclaim);
        }
    }

    /** Clients complete one message at a time, but many of these outcomes arrive in one piece. */
    private void accept(List<UnsettledDeliveries.Entry> deliveries, boolean settled) {
        if (settled != acceptedSettled) {
            completeAccepted();
            acceptedSettled = settled;
        }
        if (accepted.isEmpty()) {
            context().completions().add(this);
        }
        accepted.addAll(deliveries);
    }

    @Override
    public final void completeAccepted() {
        if (!accepted.isEmpty()) {
            List<UnsettledDeliveries.Entry> all = List.copyOf(accepted);
            accepted.clear();
            settle(all, Outcomes.COMPLETION, acceptedSettled);
        }
    }

    /** Each delivery is an operation of its own, so that every answer says what became of its delivery. */
    private void settleIn(
            TransactionalState transactional, List<UnsettledDeliveries.Entry> deliveries, boolean settled) {
        Outcomes.Settlement settlement =
                transactional.getOutcome() instanceof DeliveryState outcome ? Outcomes.of(outcome) : null;
        if (settled) {
            context().deliveries().forget(deliveries);
        } else if (settlement == null) {
            deliveries.forEach(UnsettledDeliveries::unclaim);
        }
        if (settlement == null) {
            return;
        }
        DeliveryState success = DeclaredTransactions.wrap(transactional, settlement.acknowledgement());
        PendingSettlements pending = context().transactions().settlements(transactional);
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            UUID token = delivery.lockToken();
            if (token == null) { // RECV-2: received for good, nothing is left to settle
                Rejection refusal = new Rejection(
                        ErrorCode.INVALID_OPERATION, "Messages that are received and deleted cannot be settled.");
                context().transactions().refused(transactional, refusal);
                reject(List.of(delivery), refusal, settled);
                continue;
            }
            context()
                    .transactions()
                    .submit(
                            transactional,
                            Work.on(entity, settlement.command().apply(List.of(token))),
                            context()
                                    .loop()
                                    .replies(
                                            done -> {
                                                if (!settled) {
                                                    pending.add(delivery);
                                                    answerUnsettled(delivery, success);
                                                }
                                            },
                                            rejection -> reject(List.of(delivery), refused(rejection), settled)));
        }
    }

    /** Answers an outcome that a rollback takes back: until the commit the delivery can be settled again. */
    private void answerUnsettled(UnsettledDeliveries.Entry delivery, DeliveryState state) {
        UnsettledDeliveries.unclaim(delivery);
        if (mayAnswer()) {
            frames().answer(wire().session(), Role.SENDER, delivery.deliveryId(), state);
            context().loop().wantFlush();
        }
    }

    private void settle(List<UnsettledDeliveries.Entry> deliveries, Outcomes.Settlement settlement, boolean settled) {
        List<UUID> tokens = new ArrayList<>(deliveries.size());
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            UUID token = delivery.lockToken();
            if (token != null) {
                tokens.add(token);
            }
        }
        if (settled) {
            context().deliveries().forget(deliveries);
        }
        entity.submit(
                settlement.command().apply(tokens),
                context().loop().executor(),
                context()
                        .loop()
                        .replies(
                                done -> acknowledge(deliveries, settlement.acknowledgement(), settled),
                                rejection -> notSettled(deliveries, settlement, settled, rejection),
                                settled));
    }

    private void notSettled(
            List<UnsettledDeliveries.Entry> deliveries,
            Outcomes.Settlement settlement,
            boolean settled,
            Rejection rejection) {
        if (deliveries.size() > 1) {
            // One lost lock must not take its neighbours with it.
            deliveries.forEach(one -> settle(List.of(one), settlement, settled));
        } else {
            reject(deliveries, refused(rejection), settled);
        }
    }

    /** Why a settlement was refused, in the words for the client. */
    Rejection refused(Rejection rejection) {
        return rejection;
    }

    /** Answers outcomes with a refusal, unless the client wants no answer. */
    final void reject(List<UnsettledDeliveries.Entry> deliveries, Rejection rejection, boolean settled) {
        ErrorCondition error = context().errors().of(rejection, address.path());
        acknowledge(deliveries, new Rejected().setError(error), settled);
    }

    private void acknowledge(List<UnsettledDeliveries.Entry> deliveries, DeliveryState state, boolean settled) {
        if (!settled && mayAnswer()) {
            context().deliveries().settle(deliveries, state);
            context().loop().wantFlush();
        }
    }

    @Override
    public final boolean authorized(long nowMs) {
        return context().access().authorization().permits(AccessRight.LISTEN, address, nowMs);
    }

    @Override
    public final boolean isWork() {
        return true;
    }

    @Override
    void released() {
        completeAccepted(); // the session it holds ends with it
        Receiver attached = receiver;
        receiver = null;
        if (attached != null) {
            attached.detach();
        }
        release(waiting);
        waiting.clear();
        writtenBytes = heldBytes;
        giveBack();
    }
}
