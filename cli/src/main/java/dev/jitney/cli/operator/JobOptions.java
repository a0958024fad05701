package dev.jitney.cli.operator;

import dev.jitney.cli.output.Failure;
import dev.jitney.cli.value.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an act that runs as a job on the server. */
final class JobOptions {
    private static final long SECONDS_MAX = 3_600;

    @Option(
            names = "--job",
            description =
                    "Let the server do it as a job, which survives a restart and continues after Ctrl-C. See 'jitney job'.")
    private boolean job;

    @Option(names = "--detach", description = "With --job: do not wait for the end of the job.")
    private boolean detach;

    @Option(names = "--rate", paramLabel = "N", description = "With --job: the maximum of messages in a second.")
    private @Nullable Long rate;

    @Option(
            names = "--canary",
            paramLabel = "N",
            description =
                    "With --job, for resubmit: change N messages, wait, and continue only if none of them comes back dead.")
    private @Nullable Long canary;

    @Option(
            names = "--canary-wait",
            paramLabel = "DURATION",
            description = "The time to wait for the canary, such as 2m (default: 30s).")
    private @Nullable String canaryWait;

    @Option(names = "--note", paramLabel = "TEXT", description = "With --job: a note for people, such as a bug number.")
    private @Nullable String note;

    boolean job() {
        return job;
    }

    boolean detach() {
        return detach;
    }

    /** Throws a {@link Failure} for options that do not fit each other. */
    void check() {
        if (!job && (detach || rate != null || canary != null || canaryWait != null || note != null)) {
            throw Failure.badOption(
                    "--job: Expected it beside --detach, --rate, --canary, --canary-wait and --note, because they are for jobs.");
        }
        members();
    }

    /** Returns the members of the order. Throws a {@link Failure} for a wrong value. */
    Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("messagesPerSecond", rate);
        members.put("canaryMessages", canary);
        members.put("canarySeconds", canaryWait == null ? null : seconds(canaryWait));
        members.put("note", note);
        members.values().removeIf(value -> value == null);
        return members;
    }

    private static long seconds(String text) {
        try {
            Duration wait = Durations.parse(text);
            if (wait.toSeconds() >= 1 && wait.toSeconds() <= SECONDS_MAX) {
                return wait.toSeconds();
            }
        } catch (IllegalArgumentException e) {
            throw Failure.badOption("--canary-wait: " + e.getMessage());
        }
        throw Failure.badOption("--canary-wait: Expected 1s to 1h, but got " + text + ".");
    }
}
