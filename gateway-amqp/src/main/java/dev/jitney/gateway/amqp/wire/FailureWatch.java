package dev.jitney.gateway.amqp.wire;

import java.util.function.Consumer;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;

/**
 * Hears that the engine gives up, while the close it is going to write can still be given a better error than its own.
 * It stands before the engine's performative handler, which does not pass failures on.
 */
public final class FailureWatch implements EngineHandler {
    private final Consumer<Throwable> onFailing;

    public FailureWatch(Consumer<Throwable> onFailing) {
        this.onFailing = onFailing;
    }

    @Override
    public void engineFailed(EngineHandlerContext context, EngineFailedException failure) {
        onFailing.accept(failure.getCause() == null ? failure : failure.getCause());
        context.fireFailed(failure);
    }
}
