package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.cluster.CatchUp;
import dev.jitney.benchmarks.cluster.JitneyCluster;
import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Settling;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench catch-up}: measures followers that come back under load (CL-93, CL-94). */
@Command(
        name = "catch-up",
        description = {
            "Kills a follower of a cluster of three nodes while clients send and receive, starts it again, and reports the"
                    + " time until it is in sync. Then it kills the follower, deletes its data and starts it as a new"
                    + " member, which gets a checkpoint.",
            "Reports the throughput before, while the follower is away, and while it catches up. It starts the cluster on a"
                    + " temporary directory and deletes the directory."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  A follower that was away for ten minutes at 20,000 messages per second:",
            "    jitney bench catch-up --rate 20000 --away 600",
            "  A new member that gets a million messages while the leader is at full speed:",
            "    jitney bench catch-up --backlog 1000000"
        })
public final class CatchUpCommand implements Callable<Integer> {
    private static final String BACKLOG = "backlog";
    private static final String QUEUE = "bench";
    private static final long LONG_HOURS = 12;
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 1 << 20;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--backlog",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Number of messages that wait in another queue, which a new member needs (default:"
                    + " ${DEFAULT-VALUE}).")
    private long backlog;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of each message body in bytes, 16 to 1048576 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Messages per second that clients send and receive, or 0 for as many as possible (default:"
                    + " ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--away",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "Seconds for which the follower stays away, after the leader has noticed its end (default:"
                    + " ${DEFAULT-VALUE}).")
    private long away;

    @Option(
            names = "--before",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Seconds to measure the throughput before each kill, and to warm up before the first one"
                    + " (default: ${DEFAULT-VALUE}).")
    private long before;

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private ReceiveOptions receive = new ReceiveOptions();

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--backlog", backlog, 0);
        terminal.check("--size", size, SIZE_MIN, SIZE_MAX);
        terminal.check("--away", away, 0);
        terminal.check("--before", before, 1);
        links.check(terminal);
        receive.check(terminal);
        if (!(rate >= 0)) {
            throw terminal.bad("--rate: Expected 0 messages per second or more, but got " + rate + ".");
        }
        return terminal.attempt(this::measure);
    }

    private int measure() throws AmqpException, IOException, InterruptedException {
        try (OwnCluster own = new ClusterOptions().start(List.of(QUEUE, BACKLOG), ownServer, false)) {
            fill(own);
            try (CatchUp catchUp = new CatchUp((JitneyCluster) own.broker(), plan())) {
                catchUp.warmUp(before);
                CatchUp.Return returns = catchUp.comesBack(before, away, false);
                say("was away", returns);
                CatchUp.Return joins = catchUp.comesBack(before, away, true);
                say("lost its disk", joins);
                catchUp.end();
                if (json) {
                    terminal.say("{\"mode\":\"catch-up\",\"away\":%s,\"wiped\":%s}", line(returns), line(joins));
                }
            }
            return 0;
        }
    }

    private void fill(OwnCluster own) throws AmqpException, IOException, InterruptedException {
        if (backlog == 0) {
            return;
        }
        BenchResult filled = own.run(
                        links.filling(
                                Routes.of(List.of(BACKLOG)),
                                size,
                                Map.of(),
                                backlog,
                                TimeUnit.HOURS.toMillis(LONG_HOURS)),
                        false)
                .measure();
        if (filled.trouble() != null) {
            throw new IOException(filled.trouble());
        }
        terminal.say("Filled the queue:%n%s", filled.text());
    }

    private BenchPlan plan() {
        return new BenchPlan(
                rate > 0 ? Mode.LATENCY : Mode.BOTH,
                Routes.between(QUEUE, QUEUE),
                Settling.CONFIRMED,
                Map.of(),
                links.connections(),
                links.senders(),
                receive.receivers(),
                size,
                0,
                TimeUnit.HOURS.toMillis(LONG_HOURS),
                0,
                rate,
                links.inFlight(),
                receive.maxBacklog());
    }

    private void say(String what, CatchUp.Return result) {
        terminal.say(
                "%-22s in sync %.1f s after its start; messages/s: %,.0f before, %,.0f while it was away, %,.0f while it"
                        + " caught up (%.0f %%)",
                what, result.seconds(), result.before(), result.away(), result.during(), 100 * result.kept());
    }

    private static String line(CatchUp.Return result) {
        return String.format(
                Locale.ROOT,
                "{\"seconds\":%.1f,\"before\":%.0f,\"away\":%.0f,\"during\":%.0f}",
                result.seconds(),
                result.before(),
                result.away(),
                result.during());
    }
}
