package dev.jitney.model.rule;

import java.util.Objects;

/**
 * A rule of a subscription with its creation time.
 *
 * @param createdAtMs time of creation, milliseconds since the epoch; an update keeps it
 */
public record Rule(RuleDescription description, long createdAtMs) {
    public Rule {
        Objects.requireNonNull(description, "description");
    }
}
