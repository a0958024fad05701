package dev.jitney.runtime.shard;

import dev.jitney.core.Reply;
import dev.jitney.core.transaction.decide.Destination;
import dev.jitney.core.transaction.decide.ReplacementDecider;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Replaces messages that operators have chosen: removes one and sends another one, in one batch of rows. For the shard's thread.
 */
public final class Replacements {
    private final ShardContext context;
    private final RecordApplier applier;
    private final Effects effects;

    Replacements(ShardContext context, RecordApplier applier, Effects effects) {
        this.context = context;
        this.applier = applier;
        this.effects = effects;
    }

    /** Decides and applies a replacement. The reply waits for the commit. */
    void execute(
            HostedEntity holder,
            HostedEntity destination,
            Replacement replacement,
            Executor executor,
            ReplyListener listener) {
        EntityInShard from = context.find(holder.id());
        boolean here = context.hosts(destination);
        EntityInShard to = here ? context.find(destination.id()) : null;
        if (from == null || here && to == null) {
            effects.reject(executor, listener, context.missing(from == null ? holder.id() : destination.id()));
            return;
        }
        try {
            TransactionDecider.Commit commit = decide(from, to, destination, replacement);
            Rejection refusal = commit.rejection();
            if (refusal != null) {
                effects.reject(executor, listener, refusal);
                return;
            }
            commit.steps().forEach(applier::use);
            effects.reply(executor, listener, reply(commit), true);
        } catch (RuntimeException e) {
            // Reply before the exception discards the batch, so that the caller gets an answer.
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
    }

    private TransactionDecider.Commit decide(
            EntityInShard from, @Nullable EntityInShard to, HostedEntity destination, Replacement replacement) {
        ReplacementDecider.Removed removed =
                new ReplacementDecider.Removed(from, replacement.subQueue(), replacement.sequenceNumber());
        return to != null
                ? ReplacementDecider.decide(removed, to, replacement.message(), context.situation())
                : ReplacementDecider.decide(
                        removed,
                        new Destination(
                                destination.id(),
                                destination.maxMessageSizeBytes(),
                                destination.limits(),
                                destination.description().requiresSession()),
                        replacement.message(),
                        context.situation());
    }

    private static Reply reply(TransactionDecider.Commit commit) {
        for (TransactionDecider.Step step : commit.steps()) {
            Reply.Sent sent = step.sent();
            if (sent != null) {
                return sent;
            }
        }
        return new Reply.Sent(new long[1]);
    }
}
