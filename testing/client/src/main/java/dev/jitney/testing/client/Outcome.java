package dev.jitney.testing.client;

import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * The broker's outcome of a send or of a settlement.
 *
 * @param condition the AMQP error condition of a refusal, or null
 * @param description its text, or null
 */
public record Outcome(
        Kind kind, @Nullable String condition, @Nullable String description) {
    private static final Outcome ACCEPTED = new Outcome(Kind.ACCEPTED, null, null);

    /** The kind of outcome. */
    public enum Kind {
        ACCEPTED,
        REJECTED,
        MODIFIED,
        RELEASED
    }

    static Outcome of(@Nullable DeliveryState state) {
        if (state instanceof TransactionalState transactional) {
            return of(transactional.getOutcome() instanceof DeliveryState outcome ? outcome : null);
        }
        if (state == Accepted.getInstance()) {
            return ACCEPTED;
        }
        if (state instanceof Rejected rejected) {
            ErrorCondition error = rejected.getError();
            return error == null
                    ? new Outcome(Kind.REJECTED, null, null)
                    : new Outcome(Kind.REJECTED, error.getCondition().toString(), error.getDescription());
        }
        return new Outcome(state instanceof Modified ? Kind.MODIFIED : Kind.RELEASED, null, null);
    }

    /** Returns whether a send was accepted. */
    public boolean accepted() {
        return kind == Kind.ACCEPTED;
    }

    /** Returns whether a settlement was refused. A successful dead-lettering has the outcome rejected without an error. */
    public boolean failed() {
        return condition != null;
    }
}
