package dev.jitney.runtime.shard;

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
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what clients ask the entities of a shard for, their receivers among it; the answers wait for the commit. For
 * the shard's thread.
 */
final class ShardCommands {
    /** What sends that go on in another turn may keep in memory about their messages, together. */
    private static final long KEPT_BYTES_MAX = 64L << 20;

    private final ShardContext context;
    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final ShardReceivers receivers;
    private final ShardScheduler scheduler;
    private final Effects effects;
    private long keptBytes;

    ShardCommands(
            ShardContext context,
            RecordApplier applier,
            EntitiesInShard entitiesInShard,
            ShardReceivers receivers,
            ShardScheduler scheduler,
            Effects effects) {
        this.context = context;
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
        this.receivers = receivers;
        this.scheduler = scheduler;
        this.effects = effects;
    }

    /** The queue, topic or subscription of that number, or null if it is gone or out of service. */
    @Nullable
    EntityInShard find(long entityId) {
        return context.find(entityId);
    }

    /** Forgets that nobody has got the message of a lock, unless the lock has not ended: then its end takes it. */
    void forgetUnclaimed(HostedEntity part, UUID token) {
        EntityInShard inShard = context.find(part.id());
        if (inShard == null || !inShard.state().isLocked(token)) {
            part.unclaimed().forget(token);
        }
    }

    /** Decides and applies a command; the answer waits for the commit. */
    void execute(long entityId, Command command, Executor executor, ReplyListener listener) {
        execute(entitiesInShard.get(entityId), entityId, command, executor, listener);
    }

    /** As above, for who has looked the entity up: {@code inShard} is null if it has gone. */
    void execute(
            @Nullable EntityInShard inShard,
            long entityId,
            Command command,
            Executor executor,
            ReplyListener listener) {
        if (inShard == null) {
            effects.reject(executor, listener, context.missing(entityId));
            return;
        }
        if (inShard instanceof TopicInShard topic) {
            if (command instanceof Command.SendMessages send) {
                publishAtOnce(topic, send, executor, listener);
                return;
            }
            if (command instanceof Command.GetCounts) {
                MessageCounts counts = topic.state().counts().withSizeBytes(topic.usedBytes());
                effects.reply(executor, listener, new Reply.Counts(counts), false);
                return;
            }
        }
        Decision decision = decideAndApply(inShard, command, executor, listener);
        if (Activity.of(command, decision)) {
            applier.touch(inShard);
        }
        Reply reply = decision.reply();
        if (reply != null) {
            if (command instanceof Command.SetCredit credit) {
                receivers.credit(credit);
            }
            inShard.entity().countDone(command, reply);
            applier.countDuplicates(inShard, reply);
            if (command instanceof Command.ReceiveDeferredMessages && reply instanceof Reply.Messages received) {
                received.messages().forEach(inShard.counters()::delivered);
            }
            effects.reply(executor, listener, reply, command instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            inShard.entity().countRefusal(command, decision.rejection());
            effects.reject(executor, listener, decision.rejection());
        }
        applier.wake(inShard);
    }

    /**
     * Hands messages to the subscriptions of a topic, which is one commit with the answer, if the turn has the steps to judge
     * them.
     *
     * @param known who wants the messages, as far as earlier turns have found out
     * @return whether it is done; if not, it goes on in another turn
     */
    boolean publish(
            TopicInShard topic,
            Command.SendMessages send,
            SendMatches known,
            Executor executor,
            ReplyListener listener) {
        keptBytes -= known.bytes();
        FanOut publication;
        try {
            publication = topic.send(
                    send, context.situation(), known, () -> !context.steps().isSpent());
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

    private void publishAtOnce(
            TopicInShard topic, Command.SendMessages send, Executor executor, ReplyListener listener) {
        FanOut publication;
        try {
            publication = topic.send(send, context.situation());
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
            TopicInShard topic,
            Command.SendMessages send,
            FanOut publication,
            Executor executor,
            ReplyListener listener) {
        try {
            applier.apply(topic, publication, false);
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        Reply reply = publication.reply();
        if (reply instanceof Reply.Sent sent) {
            applier.touch(topic);
            topic.counters().published(send.messages(), sent, context.nowMs());
            topic.entity().count(send, reply);
            applier.countDuplicates(topic, reply);
            effects.reply(executor, listener, reply, true);
        } else if (publication.rejection() != null) {
            effects.reject(executor, listener, publication.rejection());
        }
        scheduler.timers().arm(topic);
    }

    private Decision decideAndApply(EntityInShard inShard, Command command, Executor executor, ReplyListener listener) {
        try {
            Decision decision = QueueDecider.decide(inShard.state(), command, context.situation());
            applier.apply(inShard, decision.records(), false);
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
        EntityInShard inShard = entitiesInShard.get(entityId);
        if (inShard != null && inShard.state().hasReceiver(command.receiverId())) {
            receivers.attach(command.receiverId(), executor, listener);
        }
    }

    void acceptSession(
            long entityId,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        EntityInShard inShard = entitiesInShard.get(entityId);
        if (inShard != null) {
            // Before the answer: the grant may come with the deliveries of this very turn. And before the store is
            // read,
            // because who waits is answered if that fails.
            receivers.await(command.receiverId(), new PendingAccept(command.waitMs(), executor, listener, reply));
            inShard.state().fillReadySessions();
        }
        try {
            execute(entityId, command, executor, reply);
        } catch (RuntimeException e) {
            receivers.stopWaiting(command.receiverId()); // it has its answer
            throw e;
        }
        if (inShard != null && inShard.state().hasReceiver(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
            receivers.attach(command.receiverId(), executor, listener);
        } else if (inShard != null && !inShard.state().isWaiting(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
        }
    }

    /** Has an entity look whether receivers wait for messages that are locked for nobody (PART-60). */
    void recall(long entityId) {
        EntityInShard inShard = entitiesInShard.get(entityId);
        if (inShard == null) {
            return;
        }
        if (Activity.isAwaited(inShard.state())) {
            applier.wakeReceivers(inShard);
        } else {
            inShard.entity().unclaimed().setAwaited(false);
        }
    }

    void detach(long entityId, Command.DetachReceiver command) {
        receivers.forget(command.receiverId());
        EntityInShard inShard = entitiesInShard.get(entityId);
        if (inShard != null && Activity.isAwaited(inShard.state())) {
            applier.touch(inShard); // a receive ends that may have gone on for long
        }
        execute(entityId, command, Runnable::run, ReplyListener.IGNORE);
    }
}
