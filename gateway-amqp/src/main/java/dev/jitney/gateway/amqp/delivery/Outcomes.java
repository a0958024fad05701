package dev.jitney.gateway.amqp.delivery;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.wire.EncodedValues;
import dev.jitney.model.EncodedValue;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** The meaning of an outcome on a peek-locked delivery (wire reference 5.2, RECV-6). */
public final class Outcomes {
    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    /**
     * The answer to a rejected outcome. Answers carry only the class of the outcome; they are shared so that ranges can
     * form.
     */
    private static final DeliveryState DEAD_LETTERED = new Rejected();

    private static final DeliveryState ABANDONED = new Modified();
    private static final DeliveryState DEFERRED = new Modified(false, true);

    /** The settlement of an accepted delivery. */
    public static final Settlement COMPLETION = new Settlement(Command.CompleteMessages::new, Accepted.getInstance());

    private Outcomes() {}

    /**
     * One settlement.
     *
     * @param command makes the command for a number of locks
     * @param acknowledgement answer after success
     */
    public record Settlement(Function<List<UUID>, Command> command, DeliveryState acknowledgement) {
        /**
         * Returns whether a client may take a refusal for a success, because both answers are of the class that it
         * requested. The Java SDKs do so with a dead-lettering.
         */
        public boolean hidesRefusals() {
            return acknowledgement == DEAD_LETTERED;
        }
    }

    /**
     * Returns the settlement for an outcome, or null if the outcome requests none ({@code received}) or is unknown.
     *
     * @throws MessageFormatException if the outcome sets a property to a value that properties cannot have (MSG-6)
     */
    public static @Nullable Settlement of(DeliveryState state) throws MessageFormatException {
        if (state instanceof Accepted) {
            return COMPLETION;
        }
        if (state instanceof Released) {
            return new Settlement(Command.ReleaseMessages::new, Released.getInstance());
        }
        if (state instanceof Modified modified) {
            Map<String, EncodedValue> properties = EncodedValues.ofMap(modified.getMessageAnnotations());
            return modified.isUndeliverableHere()
                    ? new Settlement(tokens -> new Command.DeferMessages(tokens, properties), DEFERRED)
                    : new Settlement(tokens -> new Command.AbandonMessages(tokens, properties), ABANDONED);
        }
        if (state instanceof Rejected rejected) {
            ErrorCondition error = rejected.getError();
            Map<Symbol, Object> info = error == null ? null : error.getInfo();
            String reason = text(info, REASON);
            String description = text(info, DESCRIPTION);
            Map<String, EncodedValue> properties = EncodedValues.ofMap(info, REASON, DESCRIPTION);
            return new Settlement(
                    tokens -> new Command.DeadLetterMessages(tokens, reason, description, properties), DEAD_LETTERED);
        }
        return null;
    }

    /** Returns a text from the map. Clients send symbols or strings as keys (5.2). */
    private static @Nullable String text(@Nullable Map<?, ?> info, String name) {
        if (info == null) {
            return null;
        }
        for (Map.Entry<?, ?> entry : info.entrySet()) {
            if (entry.getValue() != null && name.equals(String.valueOf(entry.getKey()))) {
                return entry.getValue().toString();
            }
        }
        return null;
    }
}
