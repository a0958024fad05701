package dev.jitney.benchmarks.load;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param seconds length of the measurement
 * @param accepted sends that the broker accepted in that time
 * @param completed completions that the broker confirmed in that time
 * @param refused sends that the broker refused in the whole run
 * @param cpuNanos processor time of the server in that time, -1 if its process is not known
 * @param clientCpuNanos processor time of this process
 * @param residentKiB memory of the server at the end, -1 if not known
 * @param writtenBytes bytes that the server caused to be written to disk in that time, -1 if not known
 * @param followers the resources that the followers used in that time
 * @param overTime the latencies by second: to the receiver if messages are sent and received, otherwise to the answer
 * @param conditions the conditions of the measurement
 * @param trouble the first problem, or null
 */
public record BenchResult(
        BenchPlan plan,
        double seconds,
        long accepted,
        long completed,
        long refused,
        long cpuNanos,
        long clientCpuNanos,
        long residentKiB,
        long writtenBytes,
        List<Follower.Cost> followers,
        Histogram toAccepted,
        Histogram toReceived,
        List<Second> overTime,
        Conditions conditions,
        @Nullable String trouble) {
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double[] PERCENTILES = {50, 99, 99.9};

    /** Returns the number of messages that completed the route of the mode. */
    public long messages() {
        return plan.mode().receives() ? completed : accepted;
    }

    /** Returns the messages per second. */
    public double perSecond() {
        return messages() / seconds;
    }

    /** Returns the server's processor time per message in microseconds, -1 if not known. */
    public double cpuMicrosPerMessage() {
        return cpuNanos < 0 || messages() == 0 ? -1 : cpuNanos / NANOS_PER_MICRO / messages();
    }

    /** Returns the same result with other figures of the followers. */
    BenchResult withFollowers(List<Follower.Cost> costs) {
        return new BenchResult(
                plan,
                seconds,
                accepted,
                completed,
                refused,
                cpuNanos,
                clientCpuNanos,
                residentKiB,
                writtenBytes,
                costs,
                toAccepted,
                toReceived,
                overTime,
                conditions,
                trouble);
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        add(text, "%-22s %,.0f messages/s (%,d in %.2f s)", name(), perSecond(), messages(), seconds);
        if (plan.mode() == Mode.BOTH || plan.mode() == Mode.LATENCY) {
            add(text, "%-22s %,.0f messages/s", "sent", accepted / seconds);
        }
        if (cpuNanos >= 0 && messages() > 0) {
            add(
                    text,
                    "%-22s %.2f us of processor time per message, %.2f cores",
                    followers.isEmpty() ? "server" : "leader",
                    cpuMicrosPerMessage(),
                    cpuNanos / 1e9 / seconds);
        }
        for (Follower.Cost follower : followers) {
            follower(text, follower);
        }
        add(
                text,
                "%-22s %.2f us of processor time per message",
                "this client",
                messages() == 0 ? 0 : clientCpuNanos / NANOS_PER_MICRO / messages());
        if (residentKiB >= 0) {
            add(
                    text,
                    "%-22s %,d MiB resident",
                    followers.isEmpty() ? "server memory" : "leader's memory",
                    residentKiB / 1024);
        }
        if (writtenBytes >= 0 && messages() > 0) {
            add(
                    text,
                    "%-22s %,d bytes written to disk per message",
                    followers.isEmpty() ? "server's disk" : "leader's disk",
                    writtenBytes / messages());
        }
        latency(text, "send to accepted", toAccepted);
        latency(text, "send to received", toReceived);
        if (plan.mode() == Mode.BOTH) {
            depth(text, "waiting", conditions.waiting());
            depth(text, "sent, not completed", conditions.backlog());
        }
        if (conditions.idle() >= 0) {
            add(
                    text,
                    "%-22s %.0f %% idle, %.0f %% taken by the host",
                    "machine",
                    100 * conditions.idle(),
                    100 * conditions.stolen());
        }
        if (refused > 0) {
            add(text, "%-22s %,d", "refused sends", refused);
        }
        if (trouble != null) {
            add(text, "%-22s %s", "trouble", trouble);
        }
        return text.toString();
    }

    /** Returns the latencies by second as a table for people. */
    public String overTimeText() {
        return LatencyOverTime.text(overTime);
    }

    private void follower(StringBuilder text, Follower.Cost follower) {
        add(
                text,
                "%-22s %.2f us of processor time per message, %.2f cores, %,d MiB resident%s",
                "follower " + follower.name(),
                cpuMicrosPerMessage(follower),
                follower.cpuNanos() / 1e9 / seconds,
                follower.residentKiB() / 1024,
                follower.liveHeapMiB() < 0
                        ? ""
                        : String.format(Locale.ROOT, ", %.0f MiB of heap after a collection", follower.liveHeapMiB()));
    }

    private String name() {
        return switch (plan.mode()) {
            case SEND -> "sent, stored";
            case RECEIVE -> "received, completed";
            case BOTH, LATENCY -> "sent and completed";
        };
    }

    private static void latency(StringBuilder text, String name, Histogram histogram) {
        if (histogram.getTotalCount() > 0) {
            add(
                    text,
                    "%-22s p50 %.3f  p99 %.3f  p99.9 %.3f  max %.3f ms",
                    name,
                    millis(histogram, 50),
                    millis(histogram, 99),
                    millis(histogram, 99.9),
                    histogram.getMaxValue() / 1e6);
        }
    }

    private static double millis(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e6;
    }

    private static void depth(StringBuilder text, String name, Conditions.Depth depth) {
        add(text, "%-22s %,.0f messages on average, %,d at most", name, depth.mean(), depth.max());
    }

    private static void add(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }

    /** Returns one line for programs, with latencies in milliseconds. */
    public String json() {
        StringBuilder json = new StringBuilder("{");
        json.append("\"mode\":\"")
                .append(plan.mode().name().toLowerCase(Locale.ROOT))
                .append('"');
        number(json, "sizeBytes", plan.sizeBytes());
        number(json, "connections", plan.connections());
        number(json, "senders", plan.senders());
        number(json, "receivers", plan.receivers());
        number(json, "inFlight", plan.inFlight());
        number(json, "seconds", seconds);
        number(json, "messagesPerSecond", perSecond());
        number(json, "accepted", accepted);
        number(json, "completed", completed);
        number(json, "refused", refused);
        number(json, "serverCpuMicrosPerMessage", cpuMicrosPerMessage());
        number(json, "serverResidentKiB", residentKiB);
        number(json, "serverWrittenBytes", writtenBytes);
        if (!followers.isEmpty()) {
            json.append(",\"followers\":[")
                    .append(followers.stream().map(this::json).collect(Collectors.joining(",")))
                    .append(']');
        }
        latencies(json, "sendToAcceptedMs", toAccepted);
        latencies(json, "sendToReceivedMs", toReceived);
        number(json, "machineIdle", conditions.idle());
        number(json, "machineStolen", conditions.stolen());
        number(json, "backlogMean", conditions.backlog().mean());
        number(json, "backlogMax", conditions.backlog().max());
        number(json, "waitingMean", conditions.waiting().mean());
        number(json, "waitingMax", conditions.waiting().max());
        return json.append(",\"trouble\":").append(trouble != null).append('}').toString();
    }

    private String json(Follower.Cost follower) {
        StringBuilder json = new StringBuilder("{\"name\":\"" + follower.name() + '"');
        number(json, "cpuMicrosPerMessage", cpuMicrosPerMessage(follower));
        number(json, "residentKiB", follower.residentKiB());
        number(json, "writtenBytes", follower.writtenBytes());
        number(json, "liveHeapMiB", follower.liveHeapMiB());
        return json.append('}').toString();
    }

    private double cpuMicrosPerMessage(Follower.Cost follower) {
        return messages() == 0 ? -1 : follower.cpuNanos() / NANOS_PER_MICRO / messages();
    }

    private static void latencies(StringBuilder json, String name, Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return;
        }
        json.append(",\"").append(name).append("\":{");
        for (double percentile : PERCENTILES) {
            json.append(String.format(
                    Locale.ROOT,
                    "\"p%s\":%.3f,",
                    percentile == 99.9 ? "99.9" : Math.round(percentile),
                    millis(histogram, percentile)));
        }
        json.append(String.format(Locale.ROOT, "\"max\":%.3f}", histogram.getMaxValue() / 1e6));
    }

    private static void number(StringBuilder json, String name, double value) {
        json.append(",\"").append(name).append("\":");
        if (value == Math.rint(value)) {
            json.append((long) value);
        } else {
            json.append(String.format(Locale.ROOT, "%.3f", value));
        }
    }
}
