package dev.jitney.testkit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Faults that a test causes in a broker, to see that the application survives them. Those of a time last until they are cleared. Any
 * thread may call the methods.
 */
public final class Faults {
    private final NamespaceAccess access;
    /** The stores that are down because of this namespace. */
    private final Set<Integer> down = ConcurrentHashMap.newKeySet();

    Faults(NamespaceAccess access) {
        this.access = access;
    }

    /** Ends all locks of messages in a queue or subscription, as if their time had passed. */
    public void loseLocks(String entity) {
        cause("loseLocks", Map.of("entity", entity));
    }

    /** Delivers the next message of a queue or subscription twice, as a broker does after a lost settlement. */
    public void duplicateNextDelivery(String entity) {
        cause("duplicateNextDelivery", Map.of("entity", entity));
    }

    /**
     * Refuses the requests of clients of this namespace as busy, with the error of the service.
     *
     * @param duration zero ends it
     */
    public void throttle(Duration duration) {
        cause("throttle", Map.of("durationMs", duration.toMillis()));
    }

    /** Closes the connections of all clients of this namespace. They may connect again at once. */
    public void disconnect() {
        cause("disconnect", Map.of());
    }

    /**
     * Makes each answer of the broker to clients of this namespace later.
     *
     * @param duration zero ends it
     */
    public void delay(Duration duration) {
        cause("delay", Map.of("delayMs", duration.toMillis()));
    }

    /**
     * Makes a store unavailable, with all entities in it and for all namespaces. {@link Jitney#reset} and the end of this namespace make it
     * available again.
     *
     * @param store its number, from 0
     */
    public void storeDown(int store) {
        down.add(store);
        cause("stopStore", Map.of("store", store));
    }

    /** Makes a store available again, with its messages. */
    public void storeUp(int store) {
        cause("startStore", Map.of("store", store));
        down.remove(store);
    }

    /** Ends {@link #throttle} and {@link #delay}. */
    public void clear() {
        cause("clear", Map.of());
    }

    /** Makes the stores available that this namespace has made unavailable, so that other tests can use them. */
    void restore() {
        down.forEach(this::storeUp);
    }

    private void cause(String fault, Map<String, Object> members) {
        Map<String, Object> body = new LinkedHashMap<>(members);
        body.put("fault", fault);
        access.test("faults(): " + fault, "faults", body, Duration.ZERO);
    }
}
