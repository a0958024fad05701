package dev.jitney.runtime.shard.forward;

import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;

/** What becomes of a message that its source or its destination keeps from being handed on. Functions of their arguments. */
final class ForwardingRules {
    private ForwardingRules() {}

    /** What keeps the source from handing it on at all. */
    static @Nullable Failure refusal(EntityInShard source, ForwardedMessage forwarded) {
        if (forwarded.isTooFar()) {
            return Failure.TOO_MANY_HOPS;
        }
        return forwarded.message().headerSizeBytes() > source.state().limits().maxHeaderSizeBytes()
                ? Failure.HEADER_TOO_LARGE
                : null;
    }

    /** Whether a refusal is only for now (DLQ-32). */
    static boolean retries(EntityInShard source, Rejection refusal) {
        return refusal.code().retryable()
                || (target(source) == TransferFailureTarget.DLQ && refusal.code() == ErrorCode.QUOTA_EXCEEDED);
    }

    /** Where messages go that cannot be handed on. */
    static TransferFailureTarget target(EntityInShard source) {
        return source.entity().namespaceOptions().transferFailureTarget();
    }

    /**
     * Whether a refusal is about the destination, so that others need not be tried. A fragment of a partitioned entity may be
     * full or away while others are not.
     */
    static boolean stops(HostedEntity destination, ErrorCode code) {
        return switch (code) {
            case ENTITY_NOT_FOUND, ENTITY_DISABLED -> true;
            case QUOTA_EXCEEDED -> !destination.isFragment();
            default -> code.retryable() && !destination.isFragment();
        };
    }
}
