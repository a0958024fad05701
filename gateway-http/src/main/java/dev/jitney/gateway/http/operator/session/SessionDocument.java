package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.SessionSummary;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The JSON form of sessions and their states. */
final class SessionDocument {
    private SessionDocument() {}

    static JsonObject of(SessionSummary session) {
        JsonObject document = new JsonObject()
                .put("sessionId", session.sessionId())
                .put("messageCount", session.active())
                .put("deferredMessageCount", session.deferred());
        if (session.firstSequenceNumber() > 0) {
            document.put("firstSequenceNumber", Long.toString(session.firstSequenceNumber()))
                    .put("oldestEnqueuedTime", time(session.firstEnqueuedTimeMs()));
        }
        putState(document, session).put("locked", session.isHeld());
        if (session.isHeld()) {
            document.put("lockedUntil", time(session.lockedUntilMs()));
        }
        if (!session.holder().isEmpty()) {
            document.put("holder", session.holder());
        }
        return document;
    }

    private static JsonObject putState(JsonObject document, SessionSummary session) {
        if (session.stateSizeBytes() >= 0) {
            document.put("stateSizeInBytes", session.stateSizeBytes());
        }
        if (session.stateChangedAtMs() > 0) {
            document.put("stateChangedAt", time(session.stateChangedAtMs()));
        }
        return document;
    }

    /** @param state null for none */
    static JsonObject ofState(SessionSummary session, byte @Nullable [] state) {
        JsonObject document = putState(new JsonObject().put("sessionId", session.sessionId()), session);
        if (state == null) {
            return document.putNull("base64");
        }
        document.put("base64", Base64.getEncoder().encodeToString(state));
        try {
            document.put(
                    "text",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(state))
                            .toString());
        } catch (CharacterCodingException binary) {
            // The bytes are there.
        }
        return document;
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }
}
