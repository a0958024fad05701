package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.Objects;
import java.util.concurrent.Executor;

/** An entity that is described and administered, and whose messages this version refuses in clear words. */
abstract class DescribedEntity extends ServedEntity {

    DescribedEntity(Shard shard, EntityRow row, ServedNamespace namespace) {
        super(shard, row, namespace);
    }

    private Rejection refusal() {
        if (!isKnown()) {
            return Rejection.of(ErrorCode.ENTITY_NOT_FOUND);
        }
        return Objects.requireNonNullElseGet(unserved(), () -> Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    @Override
    public void submit(Command command, Executor executor, ReplyListener listener) {
        if (command instanceof Command.GetCounts && isKnown()) {
            executor.execute(() -> listener.onReply(new Reply.Counts(counts())));
        } else {
            executor.execute(() -> listener.onRejected(refusal()));
        }
    }

    @Override
    public Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        executor.execute(() -> reply.onRejected(refusal()));
        return new Receiver(this, 0);
    }

    @Override
    void forget(long receiverId) {
        // Nothing is ever attached.
    }
}
