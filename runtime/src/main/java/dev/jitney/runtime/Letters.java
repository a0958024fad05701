package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.topic.decide.SendMatches;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

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

    static Mailbox.Letter detach(long entityId, Command.DetachReceiver command) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                owner.commands().detach(entityId, command);
            }

            @Override
            public void refuse(Rejection reason) {
                // Nothing is attached to a shard that refuses.
            }
        };
    }

    /** A lock of the entity is kept that nobody has asked for, while a receiver may wait for its message (PART-60). */
    static Mailbox.Letter recall(long entityId) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                owner.commands().recall(entityId);
            }

            @Override
            public void refuse(Rejection reason) {
                // Nothing is locked in a shard that refuses.
            }
        };
    }

    /** A lock that has ended need not be known any more as one that nobody has got. */
    static Mailbox.Letter forget(ServedEntity part, UUID token) {
        return new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                EntitySlot slot = owner.participant(part.id());
                if (slot == null || !slot.state.isLocked(token)) {
                    part.unclaimed().forget(token);
                } // else the end of the lock takes it
            }

            @Override
            public void refuse(Rejection reason) {
                part.unclaimed().forget(token);
            }
        };
    }

    private static final class CommandLetter implements Mailbox.Letter {
        private final long entityId;
        private final Command command;
        private final Executor executor;
        private final ReplyListener listener;
        private final long messageBytes;

        /** Who wants the messages, if the letter was opened and is not done. */
        private @Nullable SendMatches known;

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
        public @Nullable Object lane(ShardWork owner) {
            boolean judged =
                    command instanceof Command.SendMessages && owner.participant(entityId) instanceof TopicSlot;
            return judged ? Long.valueOf(entityId) : null;
        }

        @Override
        public void open(ShardWork owner) {
            owner.commands().execute(entityId, command, executor, listener);
        }

        @Override
        public boolean goOn(ShardWork owner) {
            EntitySlot slot = owner.participant(entityId);
            if (slot instanceof TopicSlot topic && command instanceof Command.SendMessages send) {
                known = known == null ? new SendMatches() : known;
                return owner.commands().publish(topic, send, known, executor, listener);
            }
            if (known != null) {
                owner.commands().drop(known); // its topic has gone
            }
            owner.commands().execute(slot, entityId, command, executor, listener);
            return true;
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> listener.onRejected(reason));
        }
    }
}
