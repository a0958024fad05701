package dev.jitney.testing.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.types.Binary;
import org.jspecify.annotations.Nullable;

/** The state of a message session held by the same connection, through the management node of its entity. */
public final class SessionStates {
    private static final String SESSION = "session-id";
    private static final String STATE = "session-state";
    private static final int OK = 200;

    private SessionStates() {}

    /** Sets the state. Completes when the broker has confirmed it. */
    public static CompletableFuture<Void> set(RequestLink management, String sessionId, byte[] state) {
        Map<String, Object> body = new HashMap<>();
        body.put(SESSION, sessionId);
        body.put(STATE, new Binary(state));
        return management.request("com.microsoft:set-session-state", body).thenAccept(SessionStates::check);
    }

    /** Reads the state. Completes with an empty array if there is none. */
    public static CompletableFuture<byte[]> get(RequestLink management, String sessionId) {
        return management
                .request("com.microsoft:get-session-state", Map.of(SESSION, sessionId))
                .thenApply(response -> {
                    check(response);
                    return bytes(response.body().get(STATE));
                });
    }

    private static byte[] bytes(@Nullable Object state) {
        byte[] bytes = state instanceof Binary binary ? binary.asByteArray() : null;
        return bytes == null ? new byte[0] : bytes;
    }

    private static void check(RequestLink.Response response) {
        if (response.status() != OK) {
            throw new IllegalStateException(
                    "Expected status 200, but got " + response.status() + ": " + response.description());
        }
    }
}
