package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.namespace.OperationMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** An entity that records its commands and gives the answers that the test sets. */
public final class RecordingEntity extends Entity {
    private final Meter meter = new OperationMeter(0);
    private final List<Command> commands = new ArrayList<>();
    private Reply reply = Reply.Done.INSTANCE;
    private Rejection rejection;
    private RuntimeException failure;
    private int answers = 1;
    private EntityDescription description = QueueDescription.named("orders").build();
    private List<Rule> rules = List.of();
    private boolean partitioned;

    public RecordingEntity() {}

    /** Replaces the description of the entity. */
    public RecordingEntity describedAs(EntityDescription value) {
        description = value;
        return this;
    }

    public RecordingEntity withRules(List<Rule> value) {
        rules = value;
        return this;
    }

    /** Behaves as if the entity were partitioned. */
    public RecordingEntity partitioned() {
        partitioned = true;
        return this;
    }

    @Override
    public boolean isPartitioned() {
        return partitioned;
    }

    public RecordingEntity replying(Reply value) {
        reply = value;
        return this;
    }

    public RecordingEntity rejecting(Rejection value) {
        rejection = value;
        return this;
    }

    public RecordingEntity failing(RuntimeException value) {
        failure = value;
        return this;
    }

    /** Makes the entity answer each command the given number of times, against its contract. */
    public RecordingEntity answeringTimes(int value) {
        answers = value;
        return this;
    }

    public List<Command> commands() {
        return commands;
    }

    @Override
    public String path() {
        return description.path();
    }

    @Override
    public EntityDescription description() {
        return description;
    }

    @Override
    public List<Rule> rules() {
        return rules;
    }

    @Override
    public long maxMessageSizeBytes() {
        return 256 * 1024;
    }

    @Override
    public void replace(Replacement replacement, Executor executor, ReplyListener listener) {
        throw new UnsupportedOperationException("No test of this module replaces messages.");
    }

    @Override
    public TransferFailure transferFailure(@Nullable Rejection refusal) {
        throw new UnsupportedOperationException("No test of this module forwards messages.");
    }

    @Override
    public void submit(Command command, Executor executor, ReplyListener listener) {
        commands.add(command);
        if (failure != null) {
            throw failure;
        }
        for (int i = 0; i < answers; i++) {
            executor.execute(() -> {
                if (rejection != null) {
                    listener.onRejected(rejection);
                } else {
                    listener.onReply(reply);
                }
            });
        }
    }

    @Override
    public Receiver attach(
            ConnectionReceivers home,
            SubQueue subQueue,
            ReceiveMode mode,
            ReceiverListener listener,
            ReplyListener reply) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Receiver acceptSession(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        reply.onRejected(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
        return new Receiver(this, 0);
    }

    @Override
    public Meter meter() {
        return meter;
    }

    @Override
    protected void forget(long receiverId) {
        throw new UnsupportedOperationException();
    }
}
