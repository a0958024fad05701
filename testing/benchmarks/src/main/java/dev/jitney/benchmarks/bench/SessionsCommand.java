package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.benchmarks.load.SessionFill;
import dev.jitney.benchmarks.load.SessionTrips;
import dev.jitney.benchmarks.load.Spread;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Incoming;
import dev.jitney.testing.client.ReceiverLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench sessions}: measures a queue with very many sessions. */
@Command(
        name = "sessions",
        description = {
            "Fills a queue with sessions of a few messages each, and measures round trips at 1,000 sessions,"
                    + " at 100,000 and at the"
                    + " end. A round trip accepts the next session, receives one message, completes it and closes. At"
                    + " the end it"
                    + " also measures with sessions held by other receivers, with many receivers at once, and after a"
                    + " restart.",
            "Before that, it sends to the session queue, and to a plain queue of another server, in turns and compares them."
                    + " The first two rounds warm both up and do not count. It starts its servers on temporary directories"
                    + " and deletes the directories."
        })
public final class SessionsCommand implements Callable<Integer> {
    private static final String QUEUE = "sessions";
    private static final String PLAIN = "plain";
    private static final long[] STEPS = {1_000, 100_000};
    private static final int WARM_UP_ROUNDS = 2;
    private static final int RATIO_MESSAGES = 100_000;
    private static final int RATIO_SESSIONS = 1_000;
    private static final int MIB = 1 << 20;

    /** The number of the first session of the comparison, far behind the sessions of the fill. */
    private static final long RATIO_FIRST = 1_000_000_000L;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Number of sessions at the end (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "3",
            description = "Messages in each session (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "256",
            description = "Size of each message body in bytes (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--trips",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Round trips per measurement (default: ${DEFAULT-VALUE}).")
    private int trips;

    @Option(
            names = "--held",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of sessions that other receivers hold, at the end (default: ${DEFAULT-VALUE}).")
    private int held;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "50",
            description = "Number of receivers at the same time, at the end (default: ${DEFAULT-VALUE}).")
    private int receivers;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of comparisons with the plain queue that count, 100,000 messages each (default:"
                    + " ${DEFAULT-VALUE}). With 0 nothing is compared.")
    private int rounds;

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--sessions", sessions, 1);
        terminal.check("--messages", messages, 1);
        terminal.check("--size", size, 0);
        terminal.check("--trips", trips, 1);
        terminal.check("--held", held, 0);
        terminal.check("--receivers", receivers, 1);
        terminal.check("--rounds", rounds, 0);
        return terminal.attempt(this::measure);
    }

    private int measure() throws AmqpException, IOException, InterruptedException {
        try (OwnServer own = start(ConfigFile.sessionQueue(QUEUE, OwnServer.MAX_DELIVERY_COUNT))) {
            try {
                if (rounds > 0) {
                    compareSends(own);
                }
                fill(own);
                atTheEnd(own);
                return 0;
            } finally {
                own.tellErrors(terminal);
            }
        }
    }

    private OwnServer start(String queue) throws IOException, InterruptedException {
        return ownServer.start(List.of(queue), List.of());
    }

    private void compareSends(OwnServer own) throws AmqpException, IOException, InterruptedException {
        double[] rates = new double[rounds];
        double[] times = new double[rounds];
        // Each has its own server, so that neither compacts what the other wrote.
        try (OwnServer other = start(ConfigFile.queue(PLAIN, OwnServer.MAX_DELIVERY_COUNT))) {
            for (int round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
                double[] plain = send(other, PLAIN, false, round);
                double[] session = send(own, QUEUE, true, round);
                int counted = round - WARM_UP_ROUNDS;
                if (counted < 0) {
                    continue;
                }
                rates[counted] = session[0] / plain[0];
                times[counted] = session[1] / plain[1];
                terminal.say(
                        "sends, round %d: plain %,.0f/s at %.1f us, sessions %,.0f/s at %.1f us of the server's time; rate"
                                + " %.2f of plain, time %.2f times",
                        counted + 1, plain[0], plain[1], session[0], session[1], rates[counted], times[counted]);
            }
        }
        terminal.say(
                "sends, medians: rate %.2f of plain, time %.2f times",
                new Spread(rates).median(), new Spread(times).median());
    }

    /**
     * Sends messages; returns the messages per second, and the server's processor time per message in microseconds, until it has nothing
     * more to do.
     */
    private double[] send(OwnServer own, String queue, boolean withSessions, int round)
            throws AmqpException, IOException, InterruptedException {
        ProcessCost cost = own.process().cost();
        Quiet.await(cost);
        long before = cost.cpuNanos();
        double rate = SessionFill.run(
                own.process().endpoint(),
                queue,
                withSessions,
                RATIO_FIRST + (long) round * RATIO_SESSIONS,
                RATIO_SESSIONS,
                RATIO_MESSAGES / RATIO_SESSIONS,
                size);
        Quiet.await(cost);
        return new double[] {rate, (cost.cpuNanos() - before) / 1e3 / RATIO_MESSAGES};
    }

    private void fill(OwnServer own) throws AmqpException, IOException, InterruptedException {
        TreeSet<Long> steps = new TreeSet<>(List.of((long) sessions));
        for (long step : STEPS) {
            if (step < sessions) {
                steps.add(step);
            }
        }
        long have = 0;
        for (long step : steps) {
            double rate = SessionFill.run(own.process().endpoint(), QUEUE, true, have, step - have, messages, size);
            have = step;
            terminal.say("%,d sessions of %d messages: filled at %,.0f messages/s", have, messages, rate);
            trips(own, "  next, one receiver", trips, 1);
        }
        memory(own);
    }

    private void atTheEnd(OwnServer own) throws AmqpException, IOException, InterruptedException {
        trips(own, "  next, " + receivers + " receivers", trips * 10, receivers);
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(own.process().endpoint());
            for (int i = 0; i < held; i++) {
                AmqpClient.await(connection.sessionReceiver(QUEUE, null, 10, new Idle()));
            }
            trips(own, "  next, one receiver, " + held + " held", trips, 1);
            trips(own, "  next, " + receivers + " receivers, " + held + " held", trips * 10, receivers);
            memory(own);
        }
        long start = System.nanoTime();
        own.restart();
        terminal.say("restart: ready after %,d ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        trips(own, "  first trip", 1, 1);
        trips(own, "  next, one receiver", trips, 1);
        memory(own);
    }

    private void trips(OwnServer own, String what, int count, int atOnce)
            throws AmqpException, IOException, InterruptedException {
        ProcessCost cost = own.process().cost();
        long before = cost.cpuNanos();
        SessionTrips.Result result = SessionTrips.run(own.process().endpoint(), QUEUE, count, atOnce);
        terminal.say(
                "%-42s p50 %.2f ms, p99 %.2f, max %.2f; %,.0f/s, %,.0f us of the server's time each",
                what,
                result.micros().getValueAtPercentile(50) / 1e3,
                result.micros().getValueAtPercentile(99) / 1e3,
                result.micros().getMaxValue() / 1e3,
                result.perSecond(),
                (cost.cpuNanos() - before) / 1e3 / count);
    }

    /** Prints the heap size after a full garbage collection, if the JDK has the tools for one. */
    private void memory(OwnServer own) throws IOException, InterruptedException {
        Process collect = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(own.process().pid()),
                        "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean collected = collect.waitFor(1, TimeUnit.MINUTES) && collect.exitValue() == 0;
        terminal.say(
                "memory: %.0f MiB of heap and other Java memory%s, %,d MiB resident",
                own.process().metric("jvm_memory_used_bytes") / MIB,
                collected ? " after a collection" : "",
                own.process().cost().residentKiB() / 1_024);
    }

    /** A listener that holds its session and ignores all deliveries. */
    private static final class Idle implements ReceiverLink.Listener {
        @Override
        public void received(ReceiverLink link, Incoming message) {
            // The message stays locked with its session.
        }
    }
}
