package dev.jitney.runtime.shard.forward;

import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;

/** Rules for messages whose forwarding fails at the source or at the destination. Pure functions. */
final class ForwardingRules {
    private ForwardingRules() {}

    /** Returns the reason why the source cannot forward a message at all, or null. */
    static @Nullable Failure refusal(EntityInShard source, ForwardedMessage forwarded) {
        if (forwarded.isTooFar()) {
            return Failure.TOO_MANY_HOPS;
        }
        return forwarded.message().headerSizeBytes() > source.state().limits().maxHeaderSizeBytes()
                ? Failure.HEADER_TOO_LARGE
                : null;
    }

    /** Returns whether a refusal is temporary (DLQ-32). */
    static boolean retries(EntityInShard source, Rejection refusal) {
        return refusal.code().retryable()
                || (target(source) == TransferFailureTarget.DLQ && refusal.code() == ErrorCode.QUOTA_EXCEEDED);
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
