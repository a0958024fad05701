package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The changes in progress. A change reads the current state, for {@code If-Match} or for keys that stay, before the
 * broker makes it. Another change of the same resource is refused until then, as in the service (HTTP reference 2.10,
 * 40901). Any thread may call it.
 */
public final class ChangesUnderWay {
    /** The resource of the access rules of a namespace. */
    public static final String NAMESPACE_RULES = "$namespaceinfo/AuthorizationRules";

    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    /** A change that may be refused before it begins. */
    @FunctionalInterface
    public interface Change<T> {
        CompletionStage<T> begin() throws RefusedException;
    }

    /**
     * Makes a change if no other change of the same resource is in progress.
     *
     * @param resource its path within the namespace
     */
    public <T> CompletionStage<T> alone(
            Namespace namespace, String resource, Supplier<RefusedException> refusal, Change<T> change)
            throws RefusedException {
        String key = namespace.name() + "/" + EntityAddress.keyOf(resource);
        if (!keys.add(key)) {
            throw refusal.get();
        }
        boolean begun = false;
        try {
            CompletionStage<T> made = change.begin();
            begun = true;
            return made.whenComplete((result, failure) -> keys.remove(key));
        } finally {
            if (!begun) {
                keys.remove(key);
            }
        }
    }
}
