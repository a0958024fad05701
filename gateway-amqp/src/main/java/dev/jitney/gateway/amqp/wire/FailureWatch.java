package dev.jitney.gateway.amqp.wire;

import java.util.function.Consumer;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;

/**
 * Hears that the engine gives up, while the close it is going to write can still be given a better error than its own.
 * It stands before the engine's performative handler, which does not pass failures on.
 *
 * <p>It also keeps the engine's news of its own state to itself: in protonj2 1.1.0 the end of the pipeline passes that
 * event on to itself, so that every shutdown would run into a stack overflow of some milliseconds, on an event loop that
 * other connections share. No handler of the engine listens to it.
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

    @Override
    public void handleEngineStateChanged(EngineHandlerContext context) {
        // Ends here, see above.
    }
}
