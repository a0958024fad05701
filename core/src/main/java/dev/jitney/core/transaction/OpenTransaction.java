package dev.jitney.core.transaction;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has gathered and nobody else sees yet: messages to be sent, settlements and cancels to be carried
 * out, entity by entity. Volatile (STATE-4): a restart rolls it back.
 */
public final class OpenTransaction {
    /** TX-8. */
    public static final int MESSAGES_MAX = 100;

    /** Settlements and cancels, which nothing else bounds; far more than messages can be sent. */
    static final int OTHER_OPERATIONS_MAX = 10_000;

    private final long id;
    private final long viaEntityId;
    private final long startedAtMs;
    private final Map<Long, Share> shares = new LinkedHashMap<>();
    private int messageCount;
    private long messageBytes;
    private int otherOperations;
    private @Nullable Rejection spoiled;

    /** What it wants of one entity. */
    static final class Share {
        final List<IncomingMessage> messages = new ArrayList<>();

        /** For each message the number reserved for it, or 0. */
        final List<Long> reservedNumbers = new ArrayList<>();

        final List<Long> cancelled = new ArrayList<>();
        final List<Command.Settlement> settlements = new ArrayList<>();

        /** In order; of one session the last one counts. */
        final List<Command.SetSessionState> states = new ArrayList<>();

        /** Whether it does nothing but send; then what the entity refuses is left to the outbox. */
        boolean onlySends() {
            return settlements.isEmpty()
                    && states.isEmpty()
                    && cancelled.isEmpty()
                    && reservedNumbers.stream().allMatch(number -> number == 0);
        }
    }

    /**
     * @param id above 0, never used twice while the process runs
     * @param viaEntityId the queue or topic of its first operation; what goes elsewhere goes through its outbox
     * @param startedAtMs when its first operation was made (TX-9), milliseconds since the epoch
     */
    public OpenTransaction(long id, long viaEntityId, long startedAtMs) {
        this.id = id;
        this.viaEntityId = viaEntityId;
        this.startedAtMs = startedAtMs;
    }

    public long id() {
        return id;
    }

    long viaEntityId() {
        return viaEntityId;
    }

    public long startedAtMs() {
        return startedAtMs;
    }

    /** Bytes of messages and session states it keeps in memory. */
    public long messageBytes() {
        return messageBytes;
    }

    int messageCount() {
        return messageCount;
    }

    int otherOperations() {
        return otherOperations;
    }

    /** An operation has failed, so that it can only be rolled back (TX-16). */
    public void spoil(Rejection reason) {
        if (spoiled == null) {
            spoiled = reason;
        }
    }

    /** Why it can only be rolled back, or null if it can be committed. */
    public @Nullable Rejection spoiled() {
        return spoiled;
    }

    /** The refusal of its commit. */
    Rejection rolledBack(Rejection reason) {
        return new Rejection(
                ErrorCode.TRANSACTION_ROLLBACK,
                "The transaction was rolled back, because one of its operations was refused: " + reason.description());
    }

    /** What it wants of an entity, null if nothing. */
    @Nullable
    Share share(long entityId) {
        return shares.get(entityId);
    }

    Map<Long, Share> shares() {
        return shares;
    }

    private Share shareOf(long entityId) {
        return shares.computeIfAbsent(entityId, key -> new Share());
    }

    /** @param reservedNumbers for each message the number it got, or 0 */
    void keep(long entityId, List<IncomingMessage> messages, long[] reservedNumbers) {
        Share share = shareOf(entityId);
        for (int i = 0; i < messages.size(); i++) {
            share.messages.add(messages.get(i));
            share.reservedNumbers.add(reservedNumbers[i]);
            messageBytes += messages.get(i).encodedSizeBytes();
        }
        messageCount += messages.size();
    }

    void keep(long entityId, Command.CancelScheduledMessages cancel) {
        shareOf(entityId).cancelled.addAll(cancel.sequenceNumbers());
        otherOperations += cancel.sequenceNumbers().size();
    }

    void keep(long entityId, Command.SetSessionState set) {
        shareOf(entityId).states.add(set);
        otherOperations++;
        messageBytes += sizeOf(set);
    }

    private static int sizeOf(Command.SetSessionState set) {
        byte[] state = set.state();
        return state == null ? 0 : state.length;
    }

    void keep(long entityId, Command.Settlement settlement) {
        shareOf(entityId).settlements.add(settlement);
        otherOperations += settlement.lockTokens().size();
    }
}
