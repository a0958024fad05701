package dev.jitney.core.topic.state;

import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.core.topic.Subscriber;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A builder of the match of one subscription from the results of its rules, which are added in order. */
final class MatchBuilder {
    private boolean plain;
    private List<ChangedCopy> changed = List.of();
    private @Nullable Failure failure;

    /** Adds a matching rule without an action. */
    void plain() {
        plain = true;
    }

    /** Adds a matching rule with the result of its action. */
    void add(CopyMaker.Attempt attempt) {
        if (attempt.failure() != null) {
            fail(attempt.failure());
        }
        if (attempt.copy() != null) {
            changed = changed.isEmpty() ? new ArrayList<>() : changed;
            changed.add(attempt.copy());
        }
    }

    /** Adds a failed rule. Only the first failure counts. */
    void fail(Failure problem) {
        failure = failure == null ? problem : failure;
    }

    Match of(Subscriber subscriber) {
        return new Match(subscriber, plain, changed, failure);
    }
}
