package dev.jitney.gateway.amqp.connection;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/** Makes the error conditions of one connection: every text ends with what finds it again in a log (GEN-1). */
final class Errors {
    private final Clock clock;
    private final String containerId;
    private String namespace = "";
    private long next;

    Errors(Clock clock, String containerId) {
        this.clock = clock;
        this.containerId = containerId;
    }

    void namespace(String name) {
        namespace = name;
    }

    ErrorCondition of(Rejection rejection) {
        return of(rejection.code().amqpCondition(), rejection.description());
    }

    ErrorCondition of(ErrorCode code, String description) {
        return of(code.amqpCondition(), description);
    }

    ErrorCondition of(String condition, String description) {
        return new ErrorCondition(Symbol.valueOf(condition), traced(description));
    }

    /** The text with TrackingId, SystemTracker and Timestamp at its end, unless it has them. */
    String traced(String description) {
        if (description.contains("TrackingId:")) {
            return description;
        }
        Instant now = Instant.ofEpochMilli(clock.nowMs()).truncatedTo(ChronoUnit.SECONDS);
        String text = description.isEmpty() ? "The operation failed." : description;
        return text + " TrackingId:" + containerId + "_B" + next++ + ", SystemTracker:" + namespace + ", Timestamp:" + now;
    }
}
