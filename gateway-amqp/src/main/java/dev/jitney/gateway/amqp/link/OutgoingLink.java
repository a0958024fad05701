package dev.jitney.gateway.amqp.link;

import dev.jitney.codec.LockTokens;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.amqp.delivery.ClientOutcome;
import dev.jitney.gateway.amqp.delivery.DeliveryWindow;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.apache.qpid.protonj2.engine.Sender;
import org.jspecify.annotations.Nullable;

/**
 * The link of a client that receives from an entity.
 *
 * <p>The link passes the client's credit to the shard in portions. At most as many messages as {@link DeliveryWindow}
 * permits are in transit, so that a client with a large credit and a slow socket does not fill the heap.
 */
class OutgoingLink extends LinkOutput implements ReceiverListener {
    private final Entity entity;
    private final EntityAddress address;
    private final ReceiveMode mode;
    private final OutgoingMessageEncoder encoder;
    private final Queue<MessageView> waiting = new ArrayDeque<>();
    private final DeliveryWindow window = new DeliveryWindow();
    private final OutcomeHandler outcomes;

    /** The bytes of messages that arrived and are not written, and of written messages that the account still holds. */
    private long heldBytes;

    private long writtenBytes;

    /** True while the shard delivers nothing until the link sets its credit again. Set on the thread of the shard. */
    private volatile boolean paused;

    private @Nullable Receiver receiver;

    /** The deliveries that the shard counts for this receiver: those that arrived, and those that a drain skipped. */
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
        encoder = new OutgoingMessageEncoder(entity.isPartitioned());
        outcomes = new OutcomeHandler(this, entity, address, this::refused);
    }

    /** Attaches a receiver to the entity. The link answers the client's attach when the entity answers. */
    final void attach() {
        receiver = ask(context().loop().replies(this::attached, this::notAttached));
    }

    /** Creates the receiver at the entity. */
    Receiver ask(ReplyListener reply) {
        return entity.attach(context().receivers(), address.subQueue(), mode, this, reply);
    }

    private void attached(Reply reply) {
        if (isGone() || isOver()) { // detached, or no longer permitted, before the entity answered
            refuse(context()
                    .errors()
                    .of(ErrorCode.OPERATION_CANCELLED, "The link was closed before its attach was answered."));
        } else {
            opened = true;
            admitted(reply);
        }
        context().loop().wantFlush();
    }

    /** Answers the client's attach after the entity has accepted the receiver. */
    void admitted(Reply reply) {
        open();
    }

    private void notAttached(Rejection rejection) {
        receiver = null;
        refuse(context().access().refusals().attach(told(rejection), address));
        context().loop().wantFlush();
    }

    /** Translates the refusal of an attach for the client. */
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

    /** Returns the receiver at the entity, or null if it has ended. */
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
                    .execute(() -> context().loop().guarded(this::pump)); // no delivery follows that would run the pump
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
                drainAsked = false; // the whole portion arrived; request the next one
            }
            pump();
        });
    }

    @Override
    public final void onDrained(long deliveryLimit) {
        context().loop().guarded(() -> {
            if (deliveryLimit < shardLimit || !drainAsked) {
                return; // this concerns a portion that has been extended since
            }
            drainAsked = false;
            drainDone = true;
            shardCount = deliveryLimit; // more than requested if credit was withdrawn while deliveries were in transit
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
                outcomes.completeAccepted();
                receiver = null; // the link's end does not release the locks of the receiver
                suspended(holder);
                lost(reason);
            }
        });
    }

    /** Detaches the receiver of a link that is about to close. A subclass may keep the receiver. */
    void suspended(Receiver holder) {
        holder.detach();
    }

    /** Called when the receiver has ended. Returns whether the link had gone before. */
    boolean ended() {
        return false;
    }

    /** Closes the link after the entity has ended the receiver. */
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
            release(waiting); // the client withdrew its credit
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

    /** Releases the memory of written messages from the account. */
    private void giveBack() {
        if (writtenBytes > 0) {
            heldBytes -= writtenBytes;
            onNotDelivered(writtenBytes);
            writtenBytes = 0;
        }
    }

    /** Returns whether the connection may hold more messages. If not, {@link #pump} is called when it may. */
    private boolean hasMemory() {
        MemoryAccount account = context().memory().account();
        boolean room = account.room() >= 0;
        if (!room) {
            account.await(0);
        }
        return room;
    }

    /** Passes the credit for the next portion to the shard. */
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
        // Granted credit stays granted while the client's credit covers it.
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
    public void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome) {
        outcomes.onOutcome(deliveries, outcome);
    }

    /** Translates the refusal of a settlement for the client. */
    Rejection refused(Rejection rejection) {
        return rejection;
    }

    /** Answers outcomes with a refusal, unless the client settled them and needs no answer. */
    final void reject(List<UnsettledDeliveries.Entry> deliveries, Rejection rejection, boolean settled) {
        outcomes.reject(deliveries, rejection, settled);
    }

    @Override
    public final boolean authorized(long nowMs) {
        return context().access().authorization().permits(AccessRight.LISTEN, address, nowMs);
    }

    @Override
    public final @Nullable ClientLink describe(Entity of, EntityAddress asked) {
        boolean wanted = entity == of && (asked.subQueue() == SubQueue.MAIN || asked.subQueue() == address.subQueue());
        return wanted ? described(mode, address, sessionId()) : null;
    }

    /** Returns the session that was granted to the link, or null. */
    @Nullable
    String sessionId() {
        return null;
    }

    @Override
    public final boolean isWork() {
        return true;
    }

    @Override
    void released() {
        outcomes.completeAccepted(); // the session that the receiver holds ends with it
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
