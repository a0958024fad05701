package dev.jitney.gateway.http.operator.message;

import dev.jitney.core.Command;
import dev.jitney.core.MessageAct;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The deletion, dead-lettering or unlocking of a message. */
record StateChange(
        Executor executor,
        Entity entity,
        SubQueue subQueue,
        MessageAct act,
        @Nullable String reason,
        @Nullable String reasonDescription)
        implements MessageAction {

    @Override
    public void perform(long sequenceNumber, Outcome outcome) {
        entity.submit(
                new Command.ChangeMessage(subQueue, sequenceNumber, act, reason, reasonDescription), executor, outcome);
    }
}
