package dev.jitney.runtime;

import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import java.util.List;

/** The options of namespaces that are created at run time. Any thread may call it. */
@FunctionalInterface
public interface NamespaceMaker {
    /** Options with the quotas of the tier and no settings of their own. */
    NamespaceMaker PLAIN =
            (name, tier) -> new NamespaceOptions(name, List.of(), Limits.of(tier), ExpiryEnforcement.ON_RECEIVER);

    /**
     * Returns the options of a namespace, both at its creation and at each start.
     *
     * @return options without access rules: the current rules come from the store
     */
    NamespaceOptions options(String name, TierProfile tier);
}
