package dev.jitney.gateway.http.operator.figure;

import dev.jitney.runtime.Entity;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The figures of one entity over time. */
public final class HistoryPage {
    private HistoryPage() {}

    /** Returns a series of one entity, empty if it has no history. {@code step} is a value of the parameter of the operation. */
    public static JsonObject of(Entity entity, FigureHistory history, @Nullable String step) {
        EntityHistory samples = history.of(entity);
        boolean fine = "10s".equals(step);
        JsonArray times = new JsonArray();
        JsonArray active = new JsonArray();
        JsonArray deadLetter = new JsonArray();
        JsonArray incoming = new JsonArray();
        JsonArray outgoing = new JsonArray();
        if (samples != null) {
            FigureSeries series = fine ? samples.fine : samples.minutes;
            for (int i = 1; i < series.size(); i++) {
                FigureSample sample = series.get(i);
                times.add(Instant.ofEpochMilli(sample.timeMs()).toString());
                active.add(sample.active());
                deadLetter.add(sample.deadLetter());
                incoming.add(sample.incomingSince(series.get(i - 1)));
                outgoing.add(sample.outgoingSince(series.get(i - 1)));
            }
        }
        return new JsonObject()
                .put("path", entity.path())
                .put("step", fine ? "10s" : "1m")
                .put("sampled", samples != null)
                .put("times", times)
                .put("active", active)
                .put("deadLetter", deadLetter)
                .put("incoming", incoming)
                .put("outgoing", outgoing);
    }
}
