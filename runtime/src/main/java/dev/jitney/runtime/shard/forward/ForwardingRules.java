package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Lane;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.ForwardDecisions;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.TransferFailure;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;

/** Rules for messages whose forwarding fails at the source or at the destination. Pure functions. */
public final class ForwardingRules {
    private ForwardingRules() {}

    /** Returns the reason why the source cannot forward a message at all, or null. */
    static @Nullable Failure refusal(EntityInShard source, ForwardedMessage forwarded) {
        return ForwardDecisions.refusal(forwarded.message(), source.state().limits());
    }

    /** Returns whether a refusal is temporary (DLQ-32). */
    static boolean retries(EntityInShard source, Rejection refusal) {
        return retries(target(source), refusal);
    }

    private static boolean retries(TransferFailureTarget target, Rejection refusal) {
        return refusal.code().retryable()
                || (target == TransferFailureTarget.DLQ && refusal.code() == ErrorCode.QUOTA_EXCEEDED);
    }

    /** Returns the fate of a message that a destination refuses. */
    public static TransferFailure fate(TransferFailureTarget target, Rejection refusal) {
        Failure failure = Failure.of(refusal);
        SubQueue queue =
                failure.lane(target) == Lane.DEAD_LETTER ? SubQueue.DEAD_LETTER : SubQueue.TRANSFER_DEAD_LETTER;
        return new TransferFailure(retries(target, refusal), queue, failure.reason(), failure.description());
    }

    /** Returns the refusal for a destination that does not exist. */
    public static Rejection gone(@Nullable String forwardTo) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The auto forwarding destination entity" + (forwardTo == null ? "" : " '" + forwardTo + "'")
                        + " was not found.");
    }

    /** Returns the target of messages that cannot be forwarded. */
    static TransferFailureTarget target(EntityInShard source) {
        return source.entity().namespaceOptions().transferFailureTarget();
    }

    /**
     * Returns whether a refusal applies to the whole destination, so that other messages need not be tried. One
     * fragment of a partitioned entity may be full or unavailable while others work.
     */
    static boolean stops(HostedEntity destination, ErrorCode code) {
        return switch (code) {
            case ENTITY_NOT_FOUND, ENTITY_DISABLED -> true;
            case QUOTA_EXCEEDED -> !destination.isFragment();
            default -> code.retryable() && !destination.isFragment();
        };
    }
}
