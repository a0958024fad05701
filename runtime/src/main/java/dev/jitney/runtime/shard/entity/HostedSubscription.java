package dev.jitney.runtime.shard.entity;

import dev.jitney.model.rule.Rule;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subscription as seen by the shard that hosts it: a {@link HostedEntity} with rules. For the shard's thread. */
public interface HostedSubscription {

    /** Returns the number of the subscription. */
    long id();

    /** Returns its topic, which is in the same shard. */
    HostedEntity topic();

    /** Returns the rule of a name, ignoring case, committed or not, or null. */
    @Nullable
    Rule rule(String name);

    /** Returns its rules in the shard, committed or not. A fragment returns the rules of the whole. */
    Collection<Rule> latestRules();

    /** Adds or replaces a rule in the shard; {@link #settleRule} follows the commit. */
    void changeRule(Rule rule);

    /** Removes a rule in the shard. */
    void removeRule(String name);

    /** Publishes the committed state of the rule of a name, which may be its removal. */
    void settleRule(String name);

    /** Sets the rules loaded from the store. */
    void loadRules(List<Rule> rules);
}
