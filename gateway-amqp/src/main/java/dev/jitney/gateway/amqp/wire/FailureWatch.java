package dev.jitney.gateway.amqp.wire;

import java.util.function.Consumer;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;

/**
 * A handler that is notified when the engine fails, while the close that the engine is about to write can still get a
 * more precise error. It stands before the engine's performative handler, which does not pass failures on.
 *
 * <p>It also stops the engine's state events. In protonj2 1.1.0 the end of the pipeline passes such an event on to
 * itself, so every shutdown would cause a stack overflow that takes some milliseconds on a shared event loop. No
 * handler of the engine uses this event.
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
        // Stopped here; see the comment of the class.
    }
}
