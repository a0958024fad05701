package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A queue that a shard owns. */
final class ServedQueue extends ServedEntity {
    private static final AtomicLong RECEIVER_IDS = new AtomicLong();

    private final Shard shard;
    private final long id;
    private final ServedNamespace namespace;
    private volatile Totals totals = new Totals(new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0), 0, EntityFigures.NONE);

    /** What is shown of the queue's state. */
    private record Totals(MessageCounts counts, long accessedAtMs, EntityFigures figures) {}

    ServedQueue(Shard shard, EntityRow row, ServedNamespace namespace) {
        super(shard, row, namespace);
        this.shard = shard;
        this.id = row.entityId();
        this.namespace = namespace;
    }

    /** Shows what was committed. For the shard's thread. */
    void publish(MessageCounts counts, long accessedAtMs, EntityFigures figures) {
        totals = new Totals(counts, accessedAtMs, figures);
    }

    @Override
    public MessageCounts counts() {
        return totals.counts;
    }

    @Override
    public EntityFigures figures() {
        return totals.figures;
    }

    @Override
    public long accessedAtMs() {
        return totals.accessedAtMs;
    }

    /** Counts a command that was carried out, for the meter and for throttling. */
    void count(Command command, Reply reply) {
        meter().count(command, reply);
        namespace.meter().count(command, reply);
        namespace.throttle().count(command, reply);
    }

    void countDelivery(MessageView message) {
        meter().countDelivery(message);
        namespace.meter().countDelivery(message);
        namespace.throttle().countDelivery();
    }

    void countEmptyReceive() {
        meter().countEmptyReceive();
        namespace.meter().countEmptyReceive();
    }

    @Override
    public QueueDescription description() {
        return (QueueDescription) super.description();
    }

    @Override
    public long maxMessageSizeBytes() {
        Long own = description().maxMessageSizeInKilobytes();
        return own == null ? namespace.limits().maxMessageSizeBytes() : own * 1024;
    }

    @Override
    public void submit(Command command, Executor executor, ReplyListener listener) {
        Mailbox.Letter letter = new CommandLetter(command, executor, listener);
        Rejection refusal = refuse(command);
        if (refusal != null) {
            letter.refuse(refusal);
        } else if (!(command instanceof Command.SendMessages)) {
            shard.mailbox().put(letter);
        } else if (!shard.mailbox().offer(letter)) {
            letter.refuse(new Rejection(
                    ErrorCode.SERVER_BUSY,
                    "Too many messages wait to be stored. Error code : 50002. Please wait 10 seconds and try again."));
        }
    }

    @Override
    public Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        long receiverId = RECEIVER_IDS.incrementAndGet();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        Mailbox.Letter letter = new AttachLetter(command, executor, listener, reply);
        Rejection refusal = refuse(command);
        if (refusal != null) {
            letter.refuse(refusal);
        } else {
            shard.mailbox().put(letter);
        }
        return new Receiver(this, receiverId);
    }

    /** What is asked of a queue whose description this version cannot honour is refused, but for what makes room. */
    private @Nullable Rejection refuse(Command command) {
        Rejection refusal = null;
        if (command instanceof Command.SendMessages
                || command instanceof Command.AttachReceiver
                || command instanceof Command.ReceiveDeferredMessages) {
            refusal = unserved();
        }
        return refusal != null ? refusal : namespace.throttle().refuse(command);
    }

    @Override
    void forget(long receiverId) {
        shard.mailbox().put(new DetachLetter(receiverId));
    }

    private final class CommandLetter implements Mailbox.Letter {
        private final Command command;
        private final Executor executor;
        private final ReplyListener listener;
        private final long messageBytes;

        CommandLetter(Command command, Executor executor, ReplyListener listener) {
            this.command = command;
            this.executor = executor;
            this.listener = listener;
            this.messageBytes = bytesOf(command);
        }

        private static long bytesOf(Command command) {
            long bytes = 0;
            if (command instanceof Command.SendMessages send) {
                for (IncomingMessage message : send.messages()) {
                    bytes += message.encodedSizeBytes();
                }
            }
            return bytes;
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
        public void open(Shard owner) {
            owner.execute(id, command, executor, listener);
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> listener.onRejected(reason));
        }
    }

    private final class AttachLetter implements Mailbox.Letter {
        private final Command.AttachReceiver command;
        private final Executor executor;
        private final ReceiverListener listener;
        private final ReplyListener reply;

        AttachLetter(
                Command.AttachReceiver command, Executor executor, ReceiverListener listener, ReplyListener reply) {
            this.command = command;
            this.executor = executor;
            this.listener = listener;
            this.reply = reply;
        }

        @Override
        public void open(Shard owner) {
            owner.attach(id, command, executor, listener, reply);
        }

        @Override
        public void refuse(Rejection reason) {
            executor.execute(() -> reply.onRejected(reason));
        }
    }

    private final class DetachLetter implements Mailbox.Letter {
        private final long receiverId;

        DetachLetter(long receiverId) {
            this.receiverId = receiverId;
        }

        @Override
        public void open(Shard owner) {
            owner.detach(id, receiverId);
        }

        @Override
        public void refuse(Rejection reason) {
            // Nothing is attached to a shard that refuses.
        }
    }
}
