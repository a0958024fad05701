package dev.jitney.gateway.http.operator.figure;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Messages per second into and out of an entity, over about the last minute and the last five minutes; over the time since its first
 * sample if that is less. NaN if the entity has no sample.
 */
public record FlowRates(
        double incomingOneMinute, double outgoingOneMinute, double incomingFiveMinutes, double outgoingFiveMinutes) {
    static final FlowRates UNKNOWN = new FlowRates(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    static final FlowRates NONE = new FlowRates(0, 0, 0, 0);

    /** Returns the sums. An unknown rate counts as zero. */
    FlowRates plus(FlowRates other, boolean incoming) {
        return new FlowRates(
                incomingOneMinute + (incoming ? orZero(other.incomingOneMinute) : 0),
                outgoingOneMinute + orZero(other.outgoingOneMinute),
                incomingFiveMinutes + (incoming ? orZero(other.incomingFiveMinutes) : 0),
                outgoingFiveMinutes + orZero(other.outgoingFiveMinutes));
    }

    /** Adds the rates to a document, unknown ones as null. */
    public JsonObject addTo(JsonObject document) {
        return document.put("incomingPerSecond", pair(incomingOneMinute, incomingFiveMinutes))
                .put("outgoingPerSecond", pair(outgoingOneMinute, outgoingFiveMinutes));
    }

    /** Returns a rate as a whole number of messages in 1000 seconds, by which rates are compared; -1 if it is not known. */
    public static long comparable(double rate) {
        return Double.isNaN(rate) ? -1 : Math.round(rate * 1_000);
    }

    private static JsonObject pair(double oneMinute, double fiveMinutes) {
        return new JsonObject().put("oneMinute", rounded(oneMinute)).put("fiveMinutes", rounded(fiveMinutes));
    }

    private static @Nullable Double rounded(double rate) {
        return Double.isNaN(rate) ? null : Math.round(rate * 1_000) / 1_000.0;
    }

    private static double orZero(double rate) {
        return Double.isNaN(rate) ? 0 : rate;
    }
}
