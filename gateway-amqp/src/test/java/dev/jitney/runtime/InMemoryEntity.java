package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.namespace.OperationMeter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The simplest entity for tests of a gateway: no time, no store, one lock around everything. */
public final class InMemoryEntity extends Entity {
    private final Meter meter = new OperationMeter(0);
    public static final long SESSION_LOCKED_UNTIL_MS = 1_700_000_030_000L;

    private final EntityDescription description;
    private final long maxMessageSizeBytes;
    private final Deque<MessageView> active = new ArrayDeque<>();
    private final Map<UUID, MessageView> locked = new LinkedHashMap<>();
    private final Map<Long, Attached> receivers = new LinkedHashMap<>();
    public final List<Command> commands = new ArrayList<>();
    private @Nullable Rejection settlementRefusal;
    private final List<Attached> waiting = new ArrayList<>();
    private final List<Runnable> heldAttaches = new ArrayList<>();
    private final List<Runnable> heldSends = new ArrayList<>();
    private boolean attachesHeld;
    private boolean sendsHeld;
    private final List<Runnable> heldSettlements = new ArrayList<>();
    private boolean settlementsHeld;
    private boolean settlesTogether = true;
    private long sequence;
    private long receiverIds;
    private boolean gone;

    private static final class Attached {
        long id;
        ReceiveMode mode;
        Executor executor;
        ReceiverListener listener;
        long count;
        long limit;
        boolean drain;
        String sessionId;
        ReplyListener accepting;
    }

    public InMemoryEntity(EntityDescription description, long maxMessageSizeBytes) {
        this.description = description;
        this.maxMessageSizeBytes = maxMessageSizeBytes;
    }

    @Override
    public String path() {
        return description.path();
    }

    @Override
    public EntityDescription description() {
        return description;
    }

    @Override
    public long maxMessageSizeBytes() {
        return maxMessageSizeBytes;
    }

    @Override
    public synchronized boolean isGone() {
        return gone;
    }

    /** Behaves as if the entity had been deleted. */
    public synchronized void delete() {
        gone = true;
    }

    public synchronized int activeCount() {
        return active.size();
    }

    public synchronized int lockedCount() {
        return locked.size();
    }

    /** Behaves as if the lock of the message delivered first had expired. */
    public synchronized void loseFirstLock() {
        locked.remove(locked.keySet().iterator().next());
    }

    /** Refuses all settlements from now on. */
    public synchronized void refuseSettlements(Rejection rejection) {
        settlementRefusal = rejection;
    }

    /** Behaves as if the entity were partitioned. */
    public synchronized void settleApart() {
        settlesTogether = false;
    }

    @Override
    public synchronized boolean settlesTogether() {
        return settlesTogether;
    }

    @Override
    public synchronized boolean isPartitioned() {
        return !settlesTogether;
    }

    /** Behaves as if all locks had expired. */
    public synchronized void loseLocks() {
        locked.clear();
    }

    public synchronized <T extends Command> List<T> commandsOf(Class<T> type) {
        return commands.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public void replace(Replacement replacement, Executor executor, ReplyListener listener) {
        throw new UnsupportedOperationException("No test of this module replaces messages.");
    }

    @Override
    public TransferFailure transferFailure(@Nullable Rejection refusal) {
        throw new UnsupportedOperationException("No test of this module forwards messages.");
    }

    @Override
    public synchronized void submit(Command command, Executor executor, ReplyListener listener) {
        commands.add(command);
        Rejection rejection = null;
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                active.add(view(++sequence, 0, null, message.content()));
            }
        } else if (command instanceof Command.SetCredit credit) {
            Attached receiver = receivers.get(credit.receiverId());
            if (receiver != null) {
                receiver.limit = credit.deliveryLimit();
                receiver.drain = credit.drain();
            }
        } else if (!(command instanceof Command.RenewSessionLock)) {
            rejection = settlementRefusal == null ? settle(command) : settlementRefusal;
        }
        Reply reply = command instanceof Command.RenewSessionLock
                ? new Reply.LocksRenewed(new long[] {SESSION_LOCKED_UNTIL_MS})
                : Reply.Done.INSTANCE;
        Rejection refused = rejection;
        Runnable answer = () -> executor.execute(() -> {
            if (refused == null) {
                listener.onReply(reply);
            } else {
                listener.onRejected(refused);
            }
        });
        if (sendsHeld && command instanceof Command.SendMessages) {
            heldSends.add(answer);
        } else if (settlementsHeld && command instanceof Command.Settlement) {
            heldSettlements.add(answer);
        } else {
            answer.run();
        }
        deliver();
    }

    private Rejection settle(Command command) {
        List<UUID> tokens;
        boolean back = false;
        int failed = 0;
        if (command instanceof Command.CompleteMessages c) {
            tokens = c.lockTokens();
        } else if (command instanceof Command.DeadLetterMessages c) {
            tokens = c.lockTokens();
        } else if (command instanceof Command.DeferMessages c) {
            tokens = c.lockTokens();
        } else if (command instanceof Command.ReleaseMessages c) {
            tokens = c.lockTokens();
            back = true;
        } else if (command instanceof Command.AbandonMessages c) {
            tokens = c.lockTokens();
            back = true;
            failed = 1;
        } else {
            return new Rejection(ErrorCode.NOT_IMPLEMENTED, "not here");
        }
        if (!locked.keySet().containsAll(tokens)) {
            return Rejection.of(ErrorCode.MESSAGE_LOCK_LOST);
        }
        List<MessageView> returned = new ArrayList<>();
        for (UUID token : tokens) {
            MessageView message = locked.remove(token);
            if (back) {
                returned.add(view(message.sequenceNumber(), message.deliveryCount() + failed, null, message.content()));
            }
        }
        for (int i = returned.size() - 1; i >= 0; i--) {
            active.addFirst(returned.get(i));
        }
        return null;
    }

    private static MessageView view(long number, int count, UUID token, dev.jitney.model.MessageContent content) {
        return new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(number)
                        .enqueuedSequenceNumber(number)
                        .enqueuedTimeMs(1_000)
                        .deliveryCount(count)
                        .build(),
                MessageState.ACTIVE,
                token,
                token == null ? 0 : 2_000,
                content);
    }

    private void deliver() {
        for (Attached receiver : receivers.values()) {
            while (receiver.count < receiver.limit && !active.isEmpty()) {
                MessageView next = active.remove();
                if (receiver.mode == ReceiveMode.PEEK_LOCK) {
                    next = view(next.sequenceNumber(), next.deliveryCount(), UUID.randomUUID(), next.content());
                    locked.put(next.lockToken(), next);
                }
                receiver.count++;
                MessageView delivery = next;
                receiver.listener.onDelivering(delivery.content().sizeBytes());
                receiver.executor.execute(() -> receiver.listener.onDelivered(delivery));
            }
            if (receiver.drain) {
                receiver.drain = false;
                receiver.count = receiver.limit;
                long limit = receiver.limit;
                receiver.executor.execute(() -> receiver.listener.onDrained(limit));
            }
        }
    }

    @Override
    public synchronized Receiver attach(
            ConnectionReceivers home,
            SubQueue subQueue,
            ReceiveMode mode,
            ReceiverListener listener,
            ReplyListener reply) {
        Executor executor = home.executor();
        Attached receiver = new Attached();
        receiver.id = ++receiverIds;
        receiver.mode = mode;
        receiver.executor = executor;
        receiver.listener = listener;
        receivers.put(receiver.id, receiver);
        Runnable answer = () -> executor.execute(() -> reply.onReply(Reply.Done.INSTANCE));
        if (attachesHeld) {
            heldAttaches.add(answer);
        } else {
            answer.run();
        }
        return new Receiver(this, receiver.id);
    }

    /** Makes attaches wait for {@link #answerAttaches}. */
    public synchronized void holdAttaches() {
        attachesHeld = true;
    }

    public synchronized void answerAttaches() {
        attachesHeld = false;
        heldAttaches.forEach(Runnable::run);
        heldAttaches.clear();
    }

    /** Makes sends wait for {@link #answerSends}. */
    public synchronized void holdSends() {
        sendsHeld = true;
    }

    public synchronized void answerSends() {
        sendsHeld = false;
        heldSends.forEach(Runnable::run);
        heldSends.clear();
    }

    /** Makes the answers to settlements wait for {@link #answerSettlements}. */
    public synchronized void holdSettlements() {
        settlementsHeld = true;
    }

    public synchronized void answerSettlements() {
        settlementsHeld = false;
        heldSettlements.forEach(Runnable::run);
        heldSettlements.clear();
    }

    public synchronized int heldSendCount() {
        return heldSends.size();
    }

    /** Closes all receivers, as the deletion of the entity does. */
    public synchronized void closeReceivers(Rejection why) {
        for (Attached receiver : receivers.values()) {
            receiver.executor.execute(() -> receiver.listener.onClosed(why));
        }
        receivers.clear();
    }

    @Override
    public synchronized Receiver acceptSession(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        long id = ++receiverIds;
        commands.add(new Command.AcceptSession(id, sessionId, mode, waitMs));
        Attached receiver = new Attached();
        receiver.id = id;
        receiver.mode = mode;
        receiver.executor = executor;
        receiver.listener = listener;
        receiver.accepting = reply;
        if (sessionId == null) {
            waiting.add(receiver);
        } else if (receivers.values().stream().anyMatch(other -> sessionId.equals(other.sessionId))) {
            executor.execute(() -> reply.onRejected(Rejection.of(ErrorCode.SESSION_CANNOT_BE_LOCKED)));
        } else {
            grant(receiver, sessionId);
        }
        return new Receiver(this, id);
    }

    private void grant(Attached receiver, String sessionId) {
        receiver.sessionId = sessionId;
        receivers.put(receiver.id, receiver);
        receiver.executor.execute(
                () -> receiver.accepting.onReply(new Reply.SessionAccepted(sessionId, SESSION_LOCKED_UNTIL_MS)));
    }

    /** Grants a session to the receiver that has waited longest, as a message for a free session does. */
    public synchronized void offerSession(String sessionId) {
        grant(waiting.remove(0), sessionId);
    }

    /** Ends all waits with a timeout. */
    public synchronized void endWaits() {
        for (Attached receiver : waiting) {
            receiver.executor.execute(() -> receiver.accepting.onRejected(Rejection.of(ErrorCode.TIMEOUT)));
        }
        waiting.clear();
    }

    public synchronized int waitingCount() {
        return waiting.size();
    }

    @Override
    public Meter meter() {
        return meter;
    }

    @Override
    protected synchronized void forget(long receiverId) {
        receivers.remove(receiverId);
        waiting.removeIf(receiver -> receiver.id == receiverId);
    }

    public synchronized int receiverCount() {
        return receivers.size();
    }
}
