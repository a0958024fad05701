package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.core.topic.decide.SendMatches;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes the tasks for one entity of a shard that callers put into its mailbox. Any thread may call it. */
public final class EntityTasks {

    private EntityTasks() {}

    /** Makes a task for a command. The bytes of its messages count in the mailbox. */
    public static ShardTask command(
            ShardCommands shard, long entityId, Command command, Executor executor, ReplyListener listener) {
        return new CommandTask(shard, entityId, command, executor, listener);
    }

    /**
     * Makes a task that replaces a message.
     *
     * @param holder the entity or fragment that has the message
     * @param destination the entity or fragment for the new one
     */
    public static ShardTask replacement(
            Replacements shard,
            HostedEntity holder,
            HostedEntity destination,
            Replacement replacement,
            Executor executor,
            ReplyListener listener) {
        return new ShardTask() {
            @Override
            public boolean needsCapacity() {
                return true;
            }

            @Override
            public long messageBytes() {
                return replacement.message().memoryBytes();
            }

            @Override
            public void run() {
                shard.execute(holder, destination, replacement, executor, listener);
            }

            @Override
            public void refuse(Rejection reason) {
                executor.execute(() -> listener.onRejected(reason));
            }
        };
    }

    /** Makes a task that attaches a receiver. {@code reply} is called before {@code listener}. */
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

    /** Returns the bytes in memory of the messages, of the session state or of the properties in a command. */
    public static long bytesOf(Command command) {
        long bytes = 0;
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                bytes += message.memoryBytes();
            }
        } else if (command instanceof Command.ExplainSend explain) {
            bytes = explain.message().memoryBytes();
        } else if (command instanceof Command.SetSessionState set) {
            byte[] state = set.state();
            bytes = state == null ? 0 : state.length;
        } else if (!(command instanceof Command.CompleteMessages) // the most frequent command, and a cheaper test
                && command instanceof Command.Settlement settlement) {
            bytes = settlement.propertyBytes();
        }
        return bytes;
    }

    /**
     * Makes a task that locks a session for a receiver and attaches the receiver, as soon as a session is available.
     */
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

    /** Makes a task that detaches a receiver. */
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

    /**
     * Makes a task that checks for receivers waiting for messages whose locks are prefetched and unclaimed (PART-60).
     */
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

    /** Makes a task that removes an ended lock from the unclaimed locks. */
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
        private final Executor executor;
        private final ReplyListener listener;
        private final long messageBytes;

        /** The command, or the rest of it after a turn. */
        private Command command;

        /** True once an earlier turn has done a part of the command. */
        private boolean continued;

        /** The matches found so far for a send that is not finished; null before the first turn. */
        private @Nullable SendMatches known;

        CommandTask(ShardCommands shard, long entityId, Command command, Executor executor, ReplyListener listener) {
            this.shard = shard;
            this.entityId = entityId;
            this.command = command;
            this.executor = executor;
            this.listener = command instanceof Command.BatchDeleteMessages ? new DeletionListener(listener) : listener;
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
            if (isBrowsing()) {
                Object client = listener.client();
                return client == null ? this : client;
            }
            boolean judged = command instanceof Command.SendMessages && shard.find(entityId) instanceof TopicInShard;
            return judged ? Long.valueOf(entityId) : null;
        }

        @Override
        public boolean isBrowsing() {
            return switch (command.kind()) {
                case PEEK_MESSAGES, BATCH_DELETE_MESSAGES, LIST_SESSIONS -> true;
                default -> false;
            };
        }

        @Override
        public void run() {
            Command rest = command;
            while (rest != null) { // a task with a lane continues in other turns instead
                rest = shard.execute(entityId, rest, executor, listener);
            }
        }

        @Override
        public boolean resume() {
            EntityInShard inShard = shard.find(entityId);
            if (inShard instanceof TopicInShard topic && command instanceof Command.SendMessages send) {
                known = known == null ? new SendMatches() : known;
                return shard.publish(topic, send, known, executor, listener);
            }
            if (known != null) {
                shard.drop(known); // its topic was deleted
            }
            if ((continued || isBrowsing()) && listener.isAbandoned()) {
                refuse(new Rejection(ErrorCode.SERVER_BUSY, "The client does not wait for the answer any more."));
                return true;
            }
            Command rest = shard.execute(inShard, entityId, command, executor, listener);
            if (rest == null) {
                return true;
            }
            command = rest;
            continued = true;
            if (rest instanceof Command.BatchDeleteMessages delete && listener instanceof DeletionListener deletion) {
                shard.afterCommit(deletion.part(delete.removed()));
            }
            return false;
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> listener.onRejected(reason));
        }
    }
}
