package dev.jitney.model.rule;

import java.util.Objects;

/**
 * A rule as a subscription holds it.
 *
 * @param createdAtMs when it was created, milliseconds since the epoch; an update leaves it
 */
public record Rule(RuleDescription description, long createdAtMs) {
    public Rule {
        Objects.requireNonNull(description, "description");
    }
}
