package dev.jitney.gateway.amqp.message;

import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/** The error conditions of one connection. */
public final class Errors {
    private final String connection;
    private final Clock clock;
    private ErrorText text;

    /**
     * @param connection container id of the connection
     */
    public Errors(String connection, Clock clock) {
        this.connection = connection;
        this.clock = clock;
        text = new ErrorText("", path -> false, connection, clock);
    }

    /** Sets the namespace for later texts. */
    public void namespace(Namespace namespace) {
        text = new ErrorText(namespace.name(), path -> isTopic(namespace, path), connection, clock);
    }

    private static boolean isTopic(Namespace namespace, String path) {
        Entity entity = namespace.entity(path);
        return entity != null && entity.kind() == EntityKind.TOPIC;
    }

    public ErrorText text() {
        return text;
    }

    /**
     * @param path entity concerned, empty if there is none
     */
    public ErrorCondition of(Rejection rejection, String path) {
        return condition(rejection.code().amqpCondition(), describe(rejection, path));
    }

    public ErrorCondition of(ErrorCode code, String description) {
        return of(new Rejection(code, description), "");
    }

    /** Returns an error condition of the protocol itself, which has no {@link ErrorCode}. */
    public ErrorCondition of(String condition, String description) {
        return condition(condition, describe(new Rejection(ErrorCode.DECODE_ERROR, description), ""));
    }

    /** Returns the text with TrackingId, SystemTracker and Timestamp at its end, unless it already has them (GEN-1). */
    public String describe(Rejection rejection, String path) {
        return rejection.description().contains("TrackingId:")
                ? rejection.description()
                : text.describe(rejection, path);
    }

    private static ErrorCondition condition(String condition, String description) {
        return new ErrorCondition(Symbol.valueOf(condition), description);
    }
}
