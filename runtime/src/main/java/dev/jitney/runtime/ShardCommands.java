package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.decide.SendMatches;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what clients ask the entities of a shard for, their receivers among it; the answers wait for the commit. For
 * the shard's thread.
 */
final class ShardCommands {
    /** What sends that go on in another turn may keep in memory about their messages, together. */
    private static final long KEPT_BYTES_MAX = 64L << 20;

    private final ShardWork shard;
    private final ShardSlots slots;
    private final ShardReceivers receivers;
    private final Agenda agenda;
    private final Effects effects;
    private long keptBytes;

    ShardCommands(ShardWork shard, ShardSlots slots, ShardReceivers receivers, Agenda agenda, Effects effects) {
        this.shard = shard;
        this.slots = slots;
        this.receivers = receivers;
        this.agenda = agenda;
        this.effects = effects;
    }

    /** Decides and applies a command; the answer waits for the commit. */
    void execute(long entityId, Command command, Executor executor, ReplyListener listener) {
        execute(slots.get(entityId), entityId, command, executor, listener);
    }

    /** As above, for who has looked the entity up: {@code slot} is null if it has gone. */
    void execute(@Nullable EntitySlot slot, long entityId, Command command, Executor executor, ReplyListener listener) {
        if (slot == null) {
            effects.reject(executor, listener, shard.missing(entityId));
            return;
        }
        if (slot instanceof TopicSlot topic) {
            if (command instanceof Command.SendMessages send) {
                publishAtOnce(topic, send, executor, listener);
                return;
            }
            if (command instanceof Command.GetCounts) {
                MessageCounts counts = topic.state.counts().withSizeBytes(topic.usedBytes());
                effects.reply(executor, listener, new Reply.Counts(counts), false);
                return;
            }
        }
        Decision decision = decideAndApply(slot, command, executor, listener);
        if (Activity.of(command, decision)) {
            shard.touch(slot);
        }
        Reply reply = decision.reply();
        if (reply != null) {
            if (command instanceof Command.SetCredit credit) {
                receivers.credit(credit);
            }
            slot.entity.countDone(command, reply);
            shard.countDuplicates(slot, reply);
            if (command instanceof Command.ReceiveDeferredMessages && reply instanceof Reply.Messages received) {
                received.messages().forEach(slot.tally::delivered);
            }
            effects.reply(executor, listener, reply, command instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            slot.entity.countRefusal(command, decision.rejection());
            effects.reject(executor, listener, decision.rejection());
        }
        shard.wake(slot);
    }

    /**
     * Hands messages to the subscriptions of a topic, which is one commit with the answer, if the turn has the steps to judge
     * them.
     *
     * @param known who wants the messages, as far as earlier turns have found out
     * @return whether it is done; if not, it goes on in another turn
     */
    boolean publish(
            TopicSlot topic, Command.SendMessages send, SendMatches known, Executor executor, ReplyListener listener) {
        keptBytes -= known.bytes();
        FanOut publication;
        try {
            publication = topic.send(
                    send, shard.situation(), known, () -> !shard.steps().isSpent());
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        if (publication == null && keptBytes + known.bytes() <= KEPT_BYTES_MAX) {
            keptBytes += known.bytes();
            return false;
        }
        if (publication == null) {
            effects.reject(
                    executor,
                    listener,
                    new Rejection(
                            ErrorCode.SERVER_BUSY,
                            "Too many messages wait to be judged by the rules of their topics. Please wait 10 seconds and"
                                    + " try again."));
            return true;
        }
        publish(topic, send, publication, executor, listener);
        return true;
    }

    private void publishAtOnce(TopicSlot topic, Command.SendMessages send, Executor executor, ReplyListener listener) {
        FanOut publication;
        try {
            publication = topic.send(send, shard.situation());
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        publish(topic, send, publication, executor, listener);
    }

    /** A send that was to go on in another turn does not. */
    void drop(SendMatches known) {
        keptBytes -= known.bytes();
    }

    /** The shard's memory is lost, and what waited for another turn with it. */
    void lose() {
        keptBytes = 0;
    }

    private void publish(
            TopicSlot topic, Command.SendMessages send, FanOut publication, Executor executor, ReplyListener listener) {
        try {
            shard.apply(topic, publication, false);
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        Reply reply = publication.reply();
        if (reply instanceof Reply.Sent sent) {
            shard.touch(topic);
            topic.tally.published(send.messages(), sent, shard.nowMs());
            topic.entity.count(send, reply);
            shard.countDuplicates(topic, reply);
            effects.reply(executor, listener, reply, true);
        } else if (publication.rejection() != null) {
            effects.reject(executor, listener, publication.rejection());
        }
        agenda.alarms().arm(topic);
    }

    private Decision decideAndApply(EntitySlot slot, Command command, Executor executor, ReplyListener listener) {
        try {
            Decision decision = QueueDecider.decide(slot.state, command, shard.situation());
            shard.apply(slot, decision.records(), false);
            return decision;
        } catch (RuntimeException e) {
            // The answer must not get lost with the batch that the exception ends.
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
    }

    // --- receivers ---

    void attach(
            long entityId,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        execute(entityId, command, executor, reply);
        EntitySlot slot = slots.get(entityId);
        if (slot != null && slot.state.hasReceiver(command.receiverId())) {
            receivers.attach(command.receiverId(), executor, listener);
        }
    }

    void acceptSession(
            long entityId,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        EntitySlot slot = slots.get(entityId);
        if (slot != null) {
            // Before the answer: the grant may come with the deliveries of this very turn. And before the store is
            // read,
            // because who waits is answered if that fails.
            receivers.await(command.receiverId(), new PendingAccept(command.waitMs(), executor, listener, reply));
            slot.state.fillReadySessions();
        }
        try {
            execute(entityId, command, executor, reply);
        } catch (RuntimeException e) {
            receivers.stopWaiting(command.receiverId()); // it has its answer
            throw e;
        }
        if (slot != null && slot.state.hasReceiver(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
            receivers.attach(command.receiverId(), executor, listener);
        } else if (slot != null && !slot.state.isWaiting(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
        }
    }

    /** Has an entity look whether receivers wait for messages that are locked for nobody (PART-60). */
    void recall(long entityId) {
        EntitySlot slot = slots.get(entityId);
        if (slot == null) {
            return;
        }
        if (Activity.isAwaited(slot.state)) {
            shard.wakeReceivers(slot);
        } else {
            slot.entity.unclaimed().setAwaited(false);
        }
    }

    void detach(long entityId, Command.DetachReceiver command) {
        receivers.forget(command.receiverId());
        EntitySlot slot = slots.get(entityId);
        if (slot != null && Activity.isAwaited(slot.state)) {
            shard.touch(slot); // a receive ends that may have gone on for long
        }
        execute(entityId, command, Runnable::run, ReplyListener.IGNORE);
    }
}
