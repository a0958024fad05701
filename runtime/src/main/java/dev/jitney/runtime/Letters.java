package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/** What is put into a shard's mailbox for one of its entities. */
final class Letters {

    private Letters() {}

    static Mailbox.Letter command(long entityId, Command command, Executor executor, ReplyListener listener) {
        return new CommandLetter(entityId, command, executor, listener);
    }

    static Mailbox.Letter attach(
            long entityId,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                owner.commands().attach(entityId, command, executor, listener, reply);
            }

            @Override
            public void refuse(Rejection reason) {
                executor.execute(() -> reply.onRejected(reason));
            }
        };
    }

    /** Bytes of the messages or the session state in a command. */
    static long bytesOf(Command command) {
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

    static Mailbox.Letter accept(
            long entityId,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                owner.commands().acceptSession(entityId, command, executor, listener, reply);
            }

            @Override
            public void refuse(Rejection reason) {
                executor.execute(() -> reply.onRejected(reason));
            }
        };
    }

    static Mailbox.Letter detach(long entityId, long receiverId) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                owner.commands().detach(entityId, receiverId);
            }

            @Override
            public void refuse(Rejection reason) {
                // Nothing is attached to a shard that refuses.
            }
        };
    }

    private static final class CommandLetter implements Mailbox.Letter {
        private final long entityId;
        private final Command command;
        private final Executor executor;
        private final ReplyListener listener;
        private final long messageBytes;

        CommandLetter(long entityId, Command command, Executor executor, ReplyListener listener) {
            this.entityId = entityId;
            this.command = command;
            this.executor = executor;
            this.listener = listener;
            this.messageBytes = bytesOf(command);
        }

        @Override
        public boolean grows() {
            return command instanceof Command.SendMessages;
        }

        @Override
        public long messageBytes() {
            return messageBytes;
        }

        @Override
        public void open(ShardWork owner) {
            owner.commands().execute(entityId, command, executor, listener);
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> listener.onRejected(reason));
        }
    }
}
