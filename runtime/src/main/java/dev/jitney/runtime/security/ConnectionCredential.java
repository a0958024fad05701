package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;

/**
 * The credential of a client for a whole connection. Every use looks the rules up again, so it grants the rights that they have at that
 * moment. Any thread may call it.
 */
public interface ConnectionCredential {
    /** Returns the namespace whose rules apply. */
    Namespace namespace();

    /** Returns the name of the rule, or of the first of several rules. */
    String ruleName();

    /** Returns whether a rule accepts the credential now. */
    boolean isValid();

    /** Returns whether the credential now covers an operation that needs {@code right} on the entity. */
    boolean permits(AccessRight right, EntityAddress entity);

    /**
     * Returns a number that grows when the credential may have gained or lost rights for another reason than a change of the access
     * rules of its namespace.
     */
    default long version() {
        return 0;
    }

    /** Returns the time when it becomes invalid, in milliseconds since the epoch; {@link Long#MAX_VALUE} if never. */
    default long expiresAtMs() {
        return Long.MAX_VALUE;
    }
}
