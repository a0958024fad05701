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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of clients on the entities of a shard, and attaches their receivers. Replies wait for the
 * commit. For the shard's thread.
 */
final class ShardCommands {
    /** The limit for the state that unfinished sends keep in memory until a later turn, for all of them together. */
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

    /** Returns the queue, topic or subscription of that number, or null if it is deleted or out of service. */
    @Nullable
    EntityInShard find(long entityId) {
        return context.find(entityId);
    }

    /** Removes a lock from the unclaimed locks. A lock that has not ended stays; its end removes it. */
    void forgetUnclaimed(HostedEntity part, UUID token) {
        EntityInShard inShard = context.find(part.id());
        if (inShard == null || !inShard.state().isLocked(token)) {
            part.unclaimed().forget(token);
        }
    }

    /**
     * Decides and applies a command. The reply waits for the commit.
     *
     * @return the rest of the command, for another turn; null if it is complete
     */
    @Nullable
    Command execute(long entityId, Command command, Executor executor, ReplyListener listener) {
        return execute(entitiesInShard.get(entityId), entityId, command, executor, listener);
    }

    /**
     * Decides and applies a command for an entity already looked up.
     *
     * @param inShard null if the entity was deleted
     * @return the rest of the command, for another turn; null if it is complete
     */
    @Nullable
    Command execute(
            @Nullable EntityInShard inShard,
            long entityId,
            Command command,
            Executor executor,
            ReplyListener listener) {
        if (inShard == null) {
            effects.reject(executor, listener, context.missing(entityId));
            return null;
        }
        if (inShard instanceof TopicInShard topic) {
            if (command instanceof Command.SendMessages send) {
                publishAtOnce(topic, send, executor, listener);
                return null;
            }
            if (command instanceof Command.GetCounts) {
                MessageCounts counts = topic.state().counts().withSizeBytes(topic.usedBytes());
                effects.reply(executor, listener, new Reply.Counts(counts), false);
                return null;
            }
            if (command instanceof Command.ExplainSend explain) {
                explain(topic, explain, executor, listener);
                return null;
            }
        }
        Decision decision = decideAndApply(inShard, command, executor, listener);
        if (decision.reply() instanceof Reply.Unfinished unfinished) {
            applier.wake(inShard);
            return unfinished.rest();
        }
        if (Activity.of(command, decision)) {
            applier.touch(inShard);
        }
        Reply reply = decision.reply();
        if (reply != null) {
            if (command instanceof Command.SetCredit credit) {
                receivers.credit(credit);
            }
            inShard.entity().countDone(command, reply);
            if (command instanceof Command.SendMessages send && reply instanceof Reply.Sent sent) {
                applier.accepted(inShard, send.messages(), sent, List.of());
            }
            if (command instanceof Command.ReceiveDeferredMessages && reply instanceof Reply.Messages received) {
                received.messages().forEach(inShard.counters()::delivered);
            }
            effects.reply(executor, listener, receivers.named(reply), command instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            inShard.entity().countRefusal(command, decision.rejection());
            effects.reject(executor, listener, decision.rejection());
        }
        applier.wake(inShard);
        return null;
    }

    /** Notifies a listener when everything done so far in this turn is durable, or has failed. */
    void afterCommit(ReplyListener listener) {
        effects.afterCommit(listener);
    }

    private void explain(TopicInShard topic, Command.ExplainSend explain, Executor executor, ReplyListener listener) {
        Reply reply;
        try {
            reply = new Reply.Explained(topic.explain(explain, context.situation()));
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        effects.reply(executor, listener, reply, false);
    }

    /**
     * Publishes messages to the subscriptions of a topic, if the turn has the steps to evaluate the rules. All copies
     * and the reply are in one commit.
     *
     * @param known the matches that earlier turns have found
     * @return whether the send is finished; if not, it continues in another turn
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
                            "Too many messages are waiting for their topics to evaluate rules. Please wait 10 seconds and"
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

    /** Discards the state of an unfinished send that will not continue. */
    void drop(SendMatches known) {
        keptBytes -= known.bytes();
    }

    /** Discards the state of all unfinished sends, because the state in memory is lost. */
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
            if (Activity.isUse(send)) {
                applier.touch(topic);
            }
            topic.counters().published(send.messages(), sent, context.nowMs());
            topic.entity().count(send, reply);
            applier.accepted(topic, send.messages(), sent, publication.copies());
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
            // Reply before the exception discards the batch, so that the caller gets an answer.
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
            // Register before the reply, because the session may be granted with the deliveries of this turn. Register
            // before the store is read, because waiting receivers get an answer if the read fails.
            receivers.await(command.receiverId(), new PendingAccept(command.waitMs(), executor, listener, reply));
            inShard.state().fillReadySessions();
        }
        try {
            execute(entityId, command, executor, reply);
        } catch (RuntimeException e) {
            receivers.stopWaiting(command.receiverId()); // it already has its reply
            throw e;
        }
        if (inShard != null && inShard.state().hasReceiver(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
            receivers.attach(command.receiverId(), executor, listener);
        } else if (inShard != null && !inShard.state().isWaiting(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
        }
    }

    /** Checks whether receivers of an entity wait for messages that are locked and unclaimed (PART-60). */
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
            applier.touch(inShard); // ends a receive call that may have lasted long
        }
        execute(entityId, command, Runnable::run, ReplyListener.IGNORE);
    }
}
