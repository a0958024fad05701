package dev.jitney.gateway.amqp.delivery;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.delivery.Outcomes.Settlement;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The outcome in one disposition. It is read once for all deliveries that the disposition concerns, and so is the memory
 * of its properties: all commands share it. For the event loop.
 */
public final class ClientOutcome {
    /** The limits of a portion. The limit of the entity is higher, 4 MiB. */
    private static final long PORTION_BYTES_MAX = 1 << 20;

    private static final int PORTION_COUNT_MAX = 1_000;

    private final @Nullable DeliveryState state;
    private final @Nullable Settlement settlement;
    private final @Nullable Rejection invalid;
    private final boolean settled;
    private final long propertyBytes;

    /** The number of commands that were submitted and not answered. */
    private int commands;

    private ClientOutcome(
            @Nullable DeliveryState state,
            @Nullable Settlement settlement,
            @Nullable Rejection invalid,
            boolean settled) {
        this.state = state;
        this.settlement = settlement;
        this.invalid = invalid;
        this.settled = settled;
        propertyBytes = settlement == null || settlement == Outcomes.COMPLETION ? 0 : propertyBytes(settlement);
    }

    private static long propertyBytes(Settlement settlement) {
        return settlement.command().apply(List.of()) instanceof Command.Settlement command
                ? command.propertyBytes()
                : 0;
    }

    /**
     * Reads an outcome.
     *
     * @param state state of the disposition, which may be an outcome in a transaction
     * @param settled whether the client settled the deliveries and needs no answer
     */
    static ClientOutcome of(@Nullable DeliveryState state, boolean settled) {
        DeliveryState outcome = state;
        if (state instanceof TransactionalState transactional) {
            outcome = transactional.getOutcome() instanceof DeliveryState inner ? inner : null;
        }
        try {
            return new ClientOutcome(state, outcome == null ? null : Outcomes.of(outcome), null, settled);
        } catch (MessageFormatException refused) {
            return new ClientOutcome(state, null, refused.rejection(), settled);
        }
    }

    /** Returns the outcome of accepted deliveries. */
    public static ClientOutcome completion(boolean settled) {
        return new ClientOutcome(Accepted.getInstance(), Outcomes.COMPLETION, null, settled);
    }

    /** Returns whether the disposition neither settles deliveries nor requests anything. */
    boolean isEmpty() {
        return settlement == null && invalid == null && !settled;
    }

    /** Returns the state as the client sent it. */
    public @Nullable DeliveryState state() {
        return state;
    }

    /** Returns the requested settlement, in a transaction or not; null if the client requested none. */
    public @Nullable Settlement settlement() {
        return settlement;
    }

    /** Returns the reason why the outcome cannot take effect on any delivery, or null. */
    public @Nullable Rejection invalid() {
        return invalid;
    }

    /** Returns whether the client settled the deliveries and needs no answer. */
    public boolean settled() {
        return settled;
    }

    /**
     * Splits deliveries into portions for one command each, so that no command moves much content. Completed messages
     * are not moved, and any number of them is one portion.
     */
    public List<List<UnsettledDeliveries.Entry>> portions(List<UnsettledDeliveries.Entry> deliveries) {
        if (settlement == Outcomes.COMPLETION || deliveries.size() == 1) {
            return List.of(deliveries);
        }
        List<List<UnsettledDeliveries.Entry>> portions = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int to = 0; to < deliveries.size(); to++) {
            long more = deliveries.get(to).sizeBytes() + propertyBytes;
            if (to > from && (bytes + more > PORTION_BYTES_MAX || to - from == PORTION_COUNT_MAX)) {
                portions.add(deliveries.subList(from, to));
                from = to;
                bytes = 0;
            }
            bytes += more;
        }
        portions.add(deliveries.subList(from, deliveries.size()));
        return portions;
    }

    /** Counts the properties as in flight, from the first command that sets them until the answer to the last one. */
    public void submitted(ConnectionMemory memory) {
        if (propertyBytes > 0 && commands++ == 0) {
            memory.inFlight(propertyBytes);
        }
    }

    /** Notes the answer to a command. */
    public void answered(ConnectionMemory memory) {
        if (propertyBytes > 0 && --commands == 0) {
            memory.inFlight(-propertyBytes);
        }
    }
}
