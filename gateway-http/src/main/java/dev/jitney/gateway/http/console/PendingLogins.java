package dev.jitney.gateway.http.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The logins for which the identity provider has not answered yet, by their state. Each one can be taken once, by the browser that began it,
 * within {@value #LIFE_MS} ms. Any thread may call it.
 */
final class PendingLogins {
    /** The time that a user has to log in at the provider, in milliseconds. */
    static final long LIFE_MS = 600_000;

    /** The maximum of pending logins. Beyond it, new ones are refused, so that no client can end those of others. */
    static final int LOGINS_MAX = 1_000;

    /** The maximum for one address. Beyond it, its oldest one ends. Users behind a proxy share an address. */
    static final int OF_ADDRESS_MAX = 50;

    private final Map<String, Pending> byState = new LinkedHashMap<>();
    private final Map<String, Deque<String>> byAddress = new HashMap<>();

    /**
     * A pending login.
     *
     * @param browser the digest of the cookie of the browser
     * @param namespaceName the namespace that the user has chosen, or null
     */
    record Pending(
            String browser,
            String nonce,
            String verifier,
            @Nullable String namespaceName,
            String address,
            long startedAtMs) {
        @Override
        public String toString() {
            return "Pending"; // secrets never reach a log
        }
    }

    /** Adds a login. Returns false if there is no place for it. */
    synchronized boolean add(String state, Pending login) {
        removeOld(login.startedAtMs());
        Deque<String> own = byAddress.getOrDefault(login.address(), new ArrayDeque<>());
        if (own.size() >= OF_ADDRESS_MAX) {
            remove(own.getFirst());
        } else if (byState.size() >= LOGINS_MAX) {
            return false;
        }
        byState.put(state, login);
        byAddress.computeIfAbsent(login.address(), first -> new ArrayDeque<>()).add(state);
        return true;
    }

    /**
     * Takes a login out, so that its state and its code work once only.
     *
     * @param browser the digest of the cookie of the browser; a login of another browser stays
     * @return null if there is no such login of this browser, or if it has taken too long
     */
    synchronized @Nullable Pending take(String state, String browser, long nowMs) {
        removeOld(nowMs);
        Pending login = byState.get(state);
        if (login == null || !login.browser().equals(browser)) {
            return null;
        }
        remove(state);
        return login;
    }

    /** Returns the number of pending logins, among which may be old ones. */
    synchronized int size() {
        return byState.size();
    }

    private void removeOld(long nowMs) {
        Iterator<Map.Entry<String, Pending>> oldest = byState.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<String, Pending> entry = oldest.next();
            if (nowMs - entry.getValue().startedAtMs() < LIFE_MS) {
                return;
            }
            oldest.remove();
            removeFromAddress(entry.getKey(), entry.getValue());
        }
    }

    private void remove(String state) {
        Pending login = byState.remove(state);
        if (login != null) {
            removeFromAddress(state, login);
        }
    }

    private void removeFromAddress(String state, Pending login) {
        Deque<String> own = byAddress.get(login.address());
        if (own != null) {
            own.remove(state);
            if (own.isEmpty()) {
                byAddress.remove(login.address());
            }
        }
    }
}
