package dev.jitney.gateway.http.operator.job;

import dev.jitney.model.ClientText;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job. For one thread.
 *
 * <p>After a crash the numbers are those of the last second before it: messages that were changed since are counted neither as done nor as
 * refused.
 */
final class JobProgress {
    /** The number of different refusals that are kept. */
    private static final int REFUSALS_MAX = 10;

    private static final int REASON_CHARACTERS_MAX = 200;

    static final int UNKNOWN = -1;

    /** The messages that it has counted, or -1 before it has. */
    long total = -1;

    /** The messages that it has looked at, in the count or in the changes. */
    long scanned;

    long done;
    long refused;

    /** The messages for which the filter failed in the count. */
    long failed;

    /** The number of the message to continue with. */
    long next;

    JobBounds bounds = new JobBounds();

    /** The number of documents with the counted numbers, or {@link #UNKNOWN} if there were too many, or an earlier release counted. */
    int numberParts = UNKNOWN;

    /** The total after a resumption, if the job is paused because more messages match than it counted; otherwise {@link #UNKNOWN}. */
    long totalIfResumed = UNKNOWN;

    /** The canary, or null before it is complete. */
    @Nullable
    Canary canary;

    private final Map<String, Refusal> refusals = new LinkedHashMap<>();

    /** A reason why messages were refused, with the first of them. */
    private record Refusal(long count, long first) {}

    /**
     * The messages that were resubmitted first.
     *
     * @param sentAtMs when the last of them was resubmitted
     * @param messages the numbers of the new messages, and fingerprints of their ids
     * @param verdict whether some of them came back dead
     */
    record Canary(long sentAtMs, JsonArray messages, Verdict verdict) {
        /** The result of looking for the messages. */
        enum Verdict {
            OPEN,
            PASSED,
            FAILED;

            /** Returns the name in the API. */
            String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        Canary with(Verdict found) {
            return new Canary(sentAtMs, messages, found);
        }

        JsonObject toRow() {
            return new JsonObject()
                    .put("sentAt", sentAtMs)
                    .put("messages", messages)
                    .put("verdict", verdict.name());
        }

        static Canary of(JsonObject row) {
            return new Canary(
                    row.getLong("sentAt"), row.getJsonArray("messages"), Verdict.valueOf(row.getString("verdict")));
        }
    }

    static JobProgress of(JsonObject row) {
        JobProgress progress = new JobProgress();
        progress.total = row.getLong("total");
        progress.scanned = row.getLong("scanned");
        progress.done = row.getLong("done");
        progress.refused = row.getLong("refused");
        progress.failed = row.getLong("failed");
        progress.next = row.getLong("next");
        progress.bounds = JobBounds.of(row.getJsonObject("bounds"));
        progress.numberParts = row.getInteger("numberParts", UNKNOWN);
        progress.totalIfResumed = row.getLong("totalIfResumed", (long) UNKNOWN);
        JsonObject canary = row.getJsonObject("canary");
        progress.canary = canary == null ? null : Canary.of(canary);
        JsonArray refusals = row.getJsonArray("refusals");
        for (int i = 0; i < refusals.size(); i++) {
            JsonObject refusal = refusals.getJsonObject(i);
            progress.refusals.put(
                    refusal.getString("message"),
                    new Refusal(refusal.getLong("count"), Long.parseLong(refusal.getString("sequenceNumber"))));
        }
        return progress;
    }

    JsonObject toRow() {
        return new JsonObject()
                .put("total", total)
                .put("scanned", scanned)
                .put("done", done)
                .put("refused", refused)
                .put("failed", failed)
                .put("next", next)
                .put("bounds", bounds.toRow())
                .put("numberParts", numberParts)
                .put("totalIfResumed", totalIfResumed)
                .put("canary", canary == null ? null : canary.toRow())
                .put("refusals", refusals());
    }

    /** Returns the number of messages that need no change any more. */
    long handled() {
        return done + refused;
    }

    /** Lets the job change the messages that it has not counted, of which its operator knows now. */
    void resumed() {
        if (totalIfResumed != UNKNOWN) {
            total = totalIfResumed;
            totalIfResumed = UNKNOWN;
        }
    }

    /** Notes that a message stays as it is. Returns the reason under which the refusal is counted. */
    String refused(long number, String sentence) {
        refused++;
        // Sentences name the message, so the same reason has as many sentences as messages.
        String reason = ClientText.harmless(
                ClientText.cut(sentence.replace(Long.toString(number), "N"), REASON_CHARACTERS_MAX));
        if (refusals.containsKey(reason) || refusals.size() < REFUSALS_MAX) {
            refusals.merge(reason, new Refusal(1, number), (old, one) -> new Refusal(old.count() + 1, old.first()));
        }
        return reason;
    }

    /** Takes a refusal back, because the job will try to change the message again. */
    void takeBack(String reason) {
        refused--;
        refusals.computeIfPresent(
                reason, (same, old) -> old.count() == 1 ? null : new Refusal(old.count() - 1, old.first()));
    }

    /** Returns the reasons of refusals with the first message of each. */
    JsonArray refusals() {
        JsonArray array = new JsonArray();
        refusals.forEach((reason, refusal) -> array.add(new JsonObject()
                .put("message", reason)
                .put("count", refusal.count())
                .put("sequenceNumber", Long.toString(refusal.first()))));
        return array;
    }
}
