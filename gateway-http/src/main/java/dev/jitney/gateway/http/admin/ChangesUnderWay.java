package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What is being changed at the moment. A change looks at what is there, an {@code If-Match} or keys that are kept, before
 * the broker makes it; a second one of the same resource meanwhile is refused as the service refuses it (HTTP reference
 * 2.10, 40901). Any thread may call it.
 */
final class ChangesUnderWay {
    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    /** A change that may be refused before it begins. */
    @FunctionalInterface
    interface Change<T> {
        CompletionStage<T> begin() throws RefusedException;
    }

    /**
     * Makes a change if no other one of the same resource is under way.
     *
     * @param resource its path within the namespace
     */
    <T> CompletionStage<T> alone(
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
