package dev.jitney.runtime.shard.entity;

import dev.jitney.model.rule.Rule;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subscription as the shard sees it that hosts it: a {@link HostedEntity} with rules. For the shard's thread. */
public interface HostedSubscription {

    /** The number of the subscription. */
    long id();

    /** The topic it gets its copies from, in the same shard. */
    HostedEntity topic();

    /** The rule of that name in any case, committed or not; null if there is none. */
    @Nullable
    Rule rule(String name);

    /** Its rules in the shard, committed or not; of a fragment those of the whole. */
    Collection<Rule> latestRules();

    /** Adds or replaces a rule in the shard; {@link #settleRule} follows the commit. */
    void changeRule(Rule rule);

    /** Removes a rule in the shard. */
    void removeRule(String name);

    /** The store has the rule of that name as it is now in the shard, or none. */
    void settleRule(String name);

    /** These are the rules the store has. */
    void loadRules(List<Rule> rules);
}
