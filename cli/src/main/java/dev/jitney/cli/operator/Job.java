package dev.jitney.cli.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job as the server shows it. */
record Job(Map<String, @Nullable Object> document) {
    private static final Set<String> RESTING = Set.of("ready", "paused", "done", "canceled", "failed");

    String id() {
        return String.valueOf(document.get("id"));
    }

    String state() {
        return String.valueOf(document.get("state"));
    }

    /** Returns whether the job changes nothing until an operator resumes it. */
    boolean isResting() {
        return RESTING.contains(state());
    }

    /** Returns whether the job has come to the end of its messages and none was refused. */
    boolean isComplete() {
        return state().equals("done") && number("refused") == 0;
    }

    /** Returns whether the canary is resubmitted and the job waits for what happens to it. */
    boolean awaitsCanary() {
        return "open".equals(document.get("canary")) && number("done") > 0;
    }

    /** Returns a number, or 0 if it is not known yet. */
    long number(String member) {
        return document.get(member) instanceof Number number ? number.longValue() : 0;
    }

    String operation() {
        return document.get("order") instanceof Map<?, ?> order ? String.valueOf(order.get("operation")) : "";
    }

    /** Returns sentences about the job for the end of a command. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Map<String, @Nullable Object> refusal : OperatorApi.documents(document, "refusals")) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "%,d refused (the first with N = %s): %s",
                    new Job(refusal).number("count"),
                    refusal.get("sequenceNumber"),
                    refusal.get("message")));
        }
        sentences.add(String.format(
                Locale.ROOT,
                "Job %s is %s: %s of '%s', %,d of %s messages done, %,d refused.%s",
                id(),
                state(),
                operation(),
                document.get("entity"),
                number("done"),
                document.get("total") == null ? "?" : String.format(Locale.ROOT, "%,d", number("total")),
                number("refused"),
                document.get("reason") == null ? "" : " " + document.get("reason")));
        switch (state()) {
            case "ready" -> sentences.add("To start it: jitney job resume " + id());
            case "paused" ->
                sentences.add("To continue: jitney job resume " + id() + ", to end it: jitney job cancel " + id());
            default -> {
                // nothing to do
            }
        }
        return sentences;
    }
}
