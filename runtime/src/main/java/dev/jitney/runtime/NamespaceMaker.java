package dev.jitney.runtime;

import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import java.util.List;

/** Tells how namespaces are served that are made at run time. Any thread may call it. */
@FunctionalInterface
public interface NamespaceMaker {
    /** Namespaces with the quotas of their tier and no settings of their own. */
    NamespaceMaker PLAIN =
            (name, tier) -> new NamespaceOptions(name, List.of(), Limits.of(tier), ExpiryEnforcement.ON_RECEIVER);

    /**
     * How a namespace is served, after its creation and after each start.
     *
     * @return with no access rules: the store has those in force
     */
    NamespaceOptions options(String name, TierProfile tier);
}
