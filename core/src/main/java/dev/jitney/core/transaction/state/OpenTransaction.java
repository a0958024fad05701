package dev.jitney.core.transaction.state;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.transaction.TransactionView;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pending operations of a transaction, which no other client sees: messages to send, settlements and cancellations to
 * execute, by entity. Volatile: a restart rolls the transaction back (STATE-4). For the shard's thread.
 *
 * <p>The shard calls {@link #keep} for an operation that was decided and not refused, and {@link #spoil} for a refused
 * one.
 */
public final class OpenTransaction implements TransactionView {
    private final long id;
    private final long viaEntityId;
    private final long startedAtMs;
    private final Map<Long, Share> shares = new LinkedHashMap<>();
    private int messageCount;
    private long messageBytes;
    private int otherOperations;
    private @Nullable Rejection spoiled;

    /** The operations on one entity. */
    private static final class Share implements TransactionView.Share {
        private final List<IncomingMessage> messages = new ArrayList<>();
        private final List<Long> reservedNumbers = new ArrayList<>();
        private final Set<Long> cancelled = new LinkedHashSet<>();
        private final List<Command.Settlement> settlements = new ArrayList<>();
        private final List<Command.SetSessionState> states = new ArrayList<>();

        @Override
        public List<IncomingMessage> messages() {
            return Collections.unmodifiableList(messages);
        }

        @Override
        public List<Long> reservedNumbers() {
            return Collections.unmodifiableList(reservedNumbers);
        }

        @Override
        public List<Long> cancelled() {
            return List.copyOf(cancelled);
        }

        @Override
        public boolean cancels(long sequenceNumber) {
            return cancelled.contains(sequenceNumber);
        }

        @Override
        public List<Command.Settlement> settlements() {
            return Collections.unmodifiableList(settlements);
        }

        @Override
        public List<Command.SetSessionState> states() {
            return Collections.unmodifiableList(states);
        }

        @Override
        public boolean onlySends() {
            return settlements.isEmpty()
                    && states.isEmpty()
                    && cancelled.isEmpty()
                    && reservedNumbers.stream().allMatch(number -> number == 0);
        }
    }

    /**
     * Creates a transaction without operations.
     *
     * @param id above 0, unique for the life of the process
     * @param viaEntityId the queue or topic of its first operation; messages to other entities go through its outbox
     * @param startedAtMs time of its first operation (TX-9), milliseconds since the epoch
     */
    public OpenTransaction(long id, long viaEntityId, long startedAtMs) {
        this.id = id;
        this.viaEntityId = viaEntityId;
        this.startedAtMs = startedAtMs;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long viaEntityId() {
        return viaEntityId;
    }

    public long startedAtMs() {
        return startedAtMs;
    }

    /** Returns the bytes of messages and session states that it holds in memory. */
    public long messageBytes() {
        return messageBytes;
    }

    @Override
    public int messageCount() {
        return messageCount;
    }

    @Override
    public int otherOperations() {
        return otherOperations;
    }

    /** Notes that an operation has failed, so that the transaction can only be rolled back (TX-16). */
    public void spoil(Rejection reason) {
        if (spoiled == null) {
            spoiled = reason;
        }
    }

    @Override
    public @Nullable Rejection spoiled() {
        return spoiled;
    }

    @Override
    public TransactionView.@Nullable Share share(long entityId) {
        return shares.get(entityId);
    }

    @Override
    public Map<Long, ? extends TransactionView.Share> shares() {
        return Collections.unmodifiableMap(shares);
    }

    private Share shareOf(long entityId) {
        return shares.computeIfAbsent(entityId, key -> new Share());
    }

    /**
     * Adds an operation on an entity that was decided and not refused, with its reply.
     *
     * @return whether it is part of the transaction (TX-2)
     */
    public boolean keep(long entityId, Command command, Reply reply) {
        return switch (command.kind()) {
            case SEND_MESSAGES -> {
                if (reply instanceof Reply.Sent sent) {
                    keepMessages(entityId, ((Command.SendMessages) command).messages(), sent.sequenceNumbers());
                }
                yield true;
            }
            case CANCEL_SCHEDULED_MESSAGES -> {
                keepCancel(entityId, (Command.CancelScheduledMessages) command);
                yield true;
            }
            case COMPLETE_MESSAGES, ABANDON_MESSAGES, RELEASE_MESSAGES, DEFER_MESSAGES, DEAD_LETTER_MESSAGES -> {
                keepSettlement(entityId, (Command.Settlement) command);
                yield true;
            }
            case SET_SESSION_STATE -> {
                keepState(entityId, (Command.SetSessionState) command);
                yield true;
            }
            case RENEW_LOCKS,
                    RECEIVE_DEFERRED_MESSAGES,
                    PEEK_MESSAGES,
                    SEARCH_MESSAGES,
                    EXPLAIN_SEND,
                    CHANGE_MESSAGE,
                    GET_LOCKED_MESSAGE,
                    BATCH_DELETE_MESSAGES,
                    ATTACH_RECEIVER,
                    SET_CREDIT,
                    DETACH_RECEIVER,
                    ACCEPT_SESSION,
                    RENEW_SESSION_LOCK,
                    GET_SESSION_STATE,
                    LIST_SESSIONS,
                    BROWSE_SESSIONS,
                    READ_SESSION,
                    CHANGE_SESSION,
                    SET_SESSION_LISTENERS,
                    TWO_PHASE,
                    GET_COUNTS -> false;
        };
    }

    /**
     * Adds messages.
     *
     * @param reservedNumbers for each message the number that was reserved, or 0
     */
    private void keepMessages(long entityId, List<IncomingMessage> messages, long[] reservedNumbers) {
        Share share = shareOf(entityId);
        for (int i = 0; i < messages.size(); i++) {
            share.messages.add(messages.get(i));
            share.reservedNumbers.add(reservedNumbers[i]);
            messageBytes += messages.get(i).memoryBytes();
        }
        messageCount += messages.size();
    }

    private void keepCancel(long entityId, Command.CancelScheduledMessages cancel) {
        shareOf(entityId).cancelled.addAll(cancel.sequenceNumbers());
        otherOperations += cancel.sequenceNumbers().size();
    }

    private void keepState(long entityId, Command.SetSessionState set) {
        shareOf(entityId).states.add(set);
        otherOperations++;
        messageBytes += sizeOf(set);
    }

    private static int sizeOf(Command.SetSessionState set) {
        byte[] state = set.state();
        return state == null ? 0 : state.length;
    }

    private void keepSettlement(long entityId, Command.Settlement settlement) {
        shareOf(entityId).settlements.add(settlement);
        otherOperations += settlement.lockTokens().size();
        messageBytes += settlement.propertyBytes();
    }
}
