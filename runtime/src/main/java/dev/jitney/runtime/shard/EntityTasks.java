package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.core.topic.decide.SendMatches;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The tasks for one entity of a shard that callers put into its mailbox. Any thread may make them. */
public final class EntityTasks {

    private EntityTasks() {}

    /** A command; its bytes of messages count in the mailbox. */
    public static ShardTask command(
            ShardCommands shard, long entityId, Command command, Executor executor, ReplyListener listener) {
        return new CommandTask(shard, entityId, command, executor, listener);
    }

    /** Attaches a receiver; {@code reply} is told before the receiver hears anything. */
    public static ShardTask attach(
            ShardCommands shard,
            long entityId,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        return new ShardTask() {
            @Override
            public void run() {
                shard.attach(entityId, command, executor, listener, reply);
            }

            @Override
            public void refuse(Rejection reason) {
                executor.execute(() -> reply.onRejected(reason));
            }
        };
    }

    /** Bytes of the messages or the session state in a command. */
    public static long bytesOf(Command command) {
        long bytes = 0;
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                bytes += message.encodedSizeBytes();
            }
        } else if (command instanceof Command.SetSessionState set) {
            byte[] state = set.state();
            bytes = state == null ? 0 : state.length;
        }
        return bytes;
    }

    /** Locks a session for a receiver and attaches it, as soon as there is one. */
    public static ShardTask accept(
            ShardCommands shard,
            long entityId,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        return new ShardTask() {
            @Override
            public void run() {
                shard.acceptSession(entityId, command, executor, listener, reply);
            }

            @Override
            public void refuse(Rejection reason) {
                executor.execute(() -> reply.onRejected(reason));
            }
        };
    }

    /** Ends a receiver. */
    public static ShardTask detach(ShardCommands shard, long entityId, Command.DetachReceiver command) {
        return new ShardTask() {
            @Override
            public void run() {
                shard.detach(entityId, command);
            }

            @Override
            public void refuse(Rejection reason) {
                // Nothing is attached to a shard that refuses.
            }
        };
    }

    /** A lock of the entity is kept that nobody has asked for, while a receiver may wait for its message (PART-60). */
    public static ShardTask recall(ShardCommands shard, long entityId) {
        return new ShardTask() {
            @Override
            public void run() {
                shard.recall(entityId);
            }

            @Override
            public void refuse(Rejection reason) {
                // Nothing is locked in a shard that refuses.
            }
        };
    }

    /** A lock that has ended need not be known any more as one that nobody has got. */
    public static ShardTask forget(ShardCommands shard, HostedEntity part, UUID token) {
        return new ShardTask() {
            @Override
            public void run() {
                shard.forgetUnclaimed(part, token);
            }

            @Override
            public void refuse(Rejection reason) {
                part.unclaimed().forget(token);
            }
        };
    }

    /** A command for an entity. */
    private static final class CommandTask implements ShardTask {
        private final ShardCommands shard;
        private final long entityId;
        private final Command command;
        private final Executor executor;
        private final ReplyListener listener;
        private final long messageBytes;

        /** Who wants the messages, if the task was run and is not done. */
        private @Nullable SendMatches known;

        CommandTask(ShardCommands shard, long entityId, Command command, Executor executor, ReplyListener listener) {
            this.shard = shard;
            this.entityId = entityId;
            this.command = command;
            this.executor = executor;
            this.listener = listener;
            this.messageBytes = bytesOf(command);
        }

        @Override
        public boolean needsCapacity() {
            return command.kind().needsCapacity();
        }

        @Override
        public long messageBytes() {
            return messageBytes;
        }

        @Override
        public @Nullable Object lane() {
            boolean judged = command instanceof Command.SendMessages && shard.find(entityId) instanceof TopicInShard;
            return judged ? Long.valueOf(entityId) : null;
        }

        @Override
        public void run() {
            shard.execute(entityId, command, executor, listener);
        }

        @Override
        public boolean resume() {
            EntityInShard inShard = shard.find(entityId);
            if (inShard instanceof TopicInShard topic && command instanceof Command.SendMessages send) {
                known = known == null ? new SendMatches() : known;
                return shard.publish(topic, send, known, executor, listener);
            }
            if (known != null) {
                shard.drop(known); // its topic has gone
            }
            shard.execute(inShard, entityId, command, executor, listener);
            return true;
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> listener.onRejected(reason));
        }
    }
}
