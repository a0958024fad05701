package dev.jitney.gateway.http.operator.job;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.PropertyField;
import dev.jitney.gateway.http.operator.job.JobProgress.Canary;
import dev.jitney.model.MessageView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The first messages of a job while they are resubmitted. For one thread. */
final class CanarySending {
    private final int max;
    private final JsonArray messages = new JsonArray();
    private int started;

    CanarySending(int max) {
        this.max = max;
    }

    /** Returns whether no more messages are to be resubmitted before the pause. */
    boolean isFull() {
        return started >= max;
    }

    /** Notes that one more resubmission starts. */
    void starting() {
        started++;
    }

    /** Notes that a resubmission was refused, so that another message takes its place. */
    void refused() {
        started--;
    }

    /** @param newNumber the number of the new message, or 0 if it is not known */
    void sent(MessageView original, long newNumber) {
        messages.add(new JsonObject().put("number", Long.toString(newNumber)).put("id", fingerprint(original)));
    }

    Canary complete(long nowMs) {
        return new Canary(nowMs, messages, Canary.Verdict.OPEN);
    }

    /** Returns a short text that stands for the id of a message, or null if the message has none. */
    static @Nullable String fingerprint(MessageView message) {
        try {
            Object id = new ContentReader(message.content()).properties().get(PropertyField.MESSAGE_ID);
            return id == null
                    ? null
                    : UUID.nameUUIDFromBytes(id.toString().getBytes(StandardCharsets.UTF_8))
                            .toString();
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }
}
