package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import java.util.List;

/**
 * One namespace to serve.
 *
 * @param name chosen by the first label of the host name clients ask for
 * @param accessRules who may do what in all of it
 * @param limits its quotas
 * @param expiryEnforcement when expired messages are removed (TTL-4)
 */
public record NamespaceOptions(
        String name, List<AccessRule> accessRules, Limits limits, ExpiryEnforcement expiryEnforcement) {

    public NamespaceOptions {
        accessRules = List.copyOf(accessRules);
    }
}
