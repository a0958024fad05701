package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.connections.ConnectionsCommand;
import dev.jitney.benchmarks.guard.GuardCommand;
import dev.jitney.benchmarks.load.BacklogWarmUp;
import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.BenchRun;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.benchmarks.sdk.SdkCommand;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Settling;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney bench}: its options, and the order of the phases of a run. */
@Command(
        name = "jitney bench",
        subcommands = {
            CatchUpCommand.class,
            ConnectionsCommand.class,
            CreateQueuesCommand.class,
            FailoverCommand.class,
            FanoutCommand.class,
            ForwardCommand.class,
            GuardCommand.class,
            PartitionedCommand.class,
            RollingRestartCommand.class,
            SdkCommand.class,
            SessionsCommand.class,
            TestKitCommand.class
        },
        description = {
            "Measures a Jitney server over AMQP with durable sends and with receives that confirm each completion.",
            "Without --server, it starts a server on a temporary directory, reports its processor time per message, and"
                    + " deletes the directory."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  Measure throughput while messages are sent, stored, received and completed at the same time:",
            "    jitney bench both",
            "  Measure latency at 5,000 messages per second over 20 connections:",
            "    jitney bench latency --rate 5000 --connections 20 --senders 20 --receivers 20",
            "  See stalls: the latency of each second of ten minutes, and the turns of the server that took 20 ms:",
            "    jitney bench latency --rate 30000 --duration 600 --per-second --server-options \"--log-slow-turns 20\"",
            "  Drain a backlog of two million messages:",
            "    jitney bench receive --count 2000000",
            "  Measure a running server (the queue must exist; receive, both and latency empty it):",
            "    jitney bench both --server localhost:5672 --queue bench --server-pid $(pgrep -f JitneyCli)",
            "  Open ten thousand connections with TLS:",
            "    jitney bench connections --tls",
            "  Measure how long it takes to create a queue over HTTP:",
            "    jitney bench create-queues",
            "  Compare a topic with ten subscriptions to a queue:",
            "    jitney bench fanout --subscriptions 10",
            "  Compare a forward to a send and a receive:",
            "    jitney bench forward",
            "  Compare a partitioned queue on several stores to an ordinary queue:",
            "    jitney bench partitioned --server-options \"--stores 3\"",
            "  Measure a queue with a million sessions:",
            "    jitney bench sessions --server-java -Xmx1g",
            "  Measure three nodes of a cluster on this machine, with clients at a follower:",
            "    jitney bench both --cluster 3 --through follower",
            "  Measure how long senders wait after the kill of the leader of a cluster:",
            "    jitney bench failover --rounds 20 --backlog 1000000",
            "  Compare this build with the last release, and fail if it is slower:",
            "    jitney bench guard --baseline jitney-0.3.0.tar.gz",
            "  See what the official Java SDK reaches with 1, 16 and 64 concurrent calls:",
            "    jitney bench sdk",
            "  Measure the test kit for Java:",
            "    jitney bench testkit",
            "  For programs:",
            "    jitney bench both --duration 20 --json | tail -n 1",
            "  Compare Jitney with Apache ActiveMQ Artemis (see jitney bench compare --help):",
            "    testing/comparison/compare --smoke",
            "",
            "Latency counts from the planned send time of a message. Exit status: 0 measured, 1 a failure or a refused",
            "message, 2 invalid options."
        })
public final class BenchCommand implements Callable<Integer> {
    private static final long FILL_DEFAULT = 500_000;
    private static final long DURATION_DEFAULT_SECONDS = 10;
    private static final long COUNT_PATIENCE_SECONDS = 3_600;
    private static final String LEADER = "leader";
    private static final String FOLLOWER = "follower";
    private static final int QUEUES_MAX = 10_000;

    @Mixin
    private Terminal terminal = new Terminal();

    @Parameters(
            index = "0",
            paramLabel = "MODE",
            defaultValue = "both",
            description = "send, receive, both (at the same time) or latency (at a fixed rate). Default:"
                    + " ${DEFAULT-VALUE}.")
    private String mode = "both";

    @Option(
            names = "--server",
            paramLabel = "WHERE",
            description = "The server to measure: HOST:PORT, ws://HOST:PORT or a connection string. Default: start a"
                    + " server"
                    + " and delete it at the end.")
    private @Nullable String server;

    @Option(
            names = "--web-socket",
            description = "Connect to the started server over WebSockets on its HTTP port instead of its AMQP port.")
    private boolean webSocket;

    @Option(
            names = "--tls",
            description = "Connect to the started server over TLS, with a certificate that it creates."
                    + " Add --server-options \"--tls-engine jdk\" to choose its implementation of TLS.")
    private boolean tls;

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            description = "Process id of the server named by --server. Reports its processor time.")
    private @Nullable Long serverPid;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            defaultValue = "bench",
            description = "The queue to send to and receive from (default: ${DEFAULT-VALUE}).")
    private String queue = "bench";

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private ReceiveOptions receive = new ReceiveOptions();

    @Option(
            names = "--queues",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of queues of the started server, named NAME-0 and so on if there are several. Links are"
                            + " distributed over them, so use as many --senders and --receivers (default: ${DEFAULT-VALUE}).")
    private int queues;

    @Mixin
    private MessageOptions message = new MessageOptions();

    @Option(
            names = "--receive-and-delete",
            description = "Receive in the mode receive-and-delete: the server deletes a message when it sends it.")
    private boolean receiveAndDelete;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Number of messages to move. receive first sends them to the started server (default there:"
                    + " 500000).")
    private @Nullable Long count;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "Seconds to measure (default: 10). With --count: the longest time to wait.")
    private @Nullable Long duration;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description =
                    "Seconds to run before measuring (default: ${DEFAULT-VALUE}). receive fills and empties the queue of the"
                            + " started server meanwhile. Other modes ignore it with --count.")
    private long warmUp;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages per second in mode latency (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--through",
            paramLabel = "NODE",
            defaultValue = LEADER,
            description = "The node that clients connect to, with --cluster or --rabbitmq: leader or follower"
                    + " (default: ${DEFAULT-VALUE}).")
    private String through = LEADER;

    @Option(
            names = "--per-second",
            description = "Also print the latencies of each second of the measurement, with a bar for the p99.")
    private boolean perSecond;

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        Mode chosen = chosenMode();
        check();
        return terminal.attempt(() -> measure(chosen));
    }

    private int measure(Mode chosen) throws AmqpException, IOException, InterruptedException {
        if (server != null) {
            ProcessCost cost = serverPid == null ? null : new ProcessCost(serverPid);
            Routes routes = Routes.between(queue, queue);
            long messages = count == null ? 0 : count;
            return report(new BenchRun(plan(chosen, messages, routes), endpoint(server), cost).measure());
        }
        try (OwnBroker own = start()) {
            try {
                Routes routes = Routes.of(queueNames().map(own::address).toList());
                long messages = count != null ? count : chosen == Mode.RECEIVE ? FILL_DEFAULT : 0;
                if (chosen == Mode.RECEIVE) {
                    warmUp(own, routes, Math.min(messages, BacklogWarmUp.MESSAGES));
                    fill(own, routes, messages);
                }
                return report(own.run(plan(chosen, messages, routes), webSocket).measure());
            } finally {
                own.tellErrors(terminal);
            }
        }
    }

    private OwnBroker start() throws IOException, InterruptedException {
        if (cluster.isGiven()) {
            return cluster.start(queueNames().toList(), ownServer, through.equals(FOLLOWER));
        }
        List<String> described = queueNames()
                .map(name -> ConfigFile.queue(name, OwnServer.MAX_DELIVERY_COUNT))
                .toList();
        return ownServer.startFor(described, tls, List.of());
    }

    private Stream<String> queueNames() {
        return queues == 1 ? Stream.of(queue) : IntStream.range(0, queues).mapToObj(i -> queue + "-" + i);
    }

    private void warmUp(OwnBroker own, Routes routes, long messages)
            throws AmqpException, IOException, InterruptedException {
        BacklogWarmUp.run(
                warmUp, filling(routes, messages), plan(Mode.RECEIVE, messages, routes), plan -> run(own, plan));
    }

    private void fill(OwnBroker own, Routes routes, long messages)
            throws AmqpException, IOException, InterruptedException {
        BenchResult filled = run(own, filling(routes, messages));
        terminal.out().println("Filled the queue. Measurement:");
        terminal.out().print(filled.text());
    }

    /** Runs a plan that has to succeed before the measurement. */
    private BenchResult run(OwnBroker own, BenchPlan plan) throws AmqpException, IOException, InterruptedException {
        BenchResult result = own.run(plan, webSocket).measure();
        if (result.trouble() != null) {
            throw new IOException(result.trouble());
        }
        return result;
    }

    private BenchPlan filling(Routes routes, long messages) {
        return links.filling(routes, message.size(), message.properties(), messages, patienceMs());
    }

    /** @param messages the number of messages to move, 0 for as many as fit the duration */
    private BenchPlan plan(Mode chosen, long messages, Routes routes) {
        long seconds = duration == null ? DURATION_DEFAULT_SECONDS : duration;
        return new BenchPlan(
                chosen,
                routes,
                settling(),
                message.properties(),
                links.connections(),
                links.senders(),
                receive.receivers(),
                message.size(),
                messages,
                messages > 0 ? patienceMs() : TimeUnit.SECONDS.toMillis(seconds),
                messages > 0 ? 0 : TimeUnit.SECONDS.toMillis(warmUp),
                rate,
                links.inFlight(),
                receive.maxBacklog());
    }

    private Settling settling() {
        return receiveAndDelete ? Settling.BEFORE_ARRIVAL : cluster.settling();
    }

    private long patienceMs() {
        return TimeUnit.SECONDS.toMillis(duration == null ? COUNT_PATIENCE_SECONDS : duration);
    }

    private int report(BenchResult result) {
        terminal.out().print(result.text());
        if (perSecond) {
            terminal.out().print(result.overTimeText());
        }
        if (json) {
            terminal.out().println(result.json());
        }
        return result.trouble() == null ? 0 : 1;
    }

    private Mode chosenMode() {
        for (Mode candidate : Mode.values()) {
            if (candidate.name().equalsIgnoreCase(mode)) {
                return candidate;
            }
        }
        throw terminal.bad("MODE: Expected send, receive, both or latency, but got '" + mode + "'.");
    }

    private Endpoint endpoint(String where) {
        try {
            return Endpoint.parse(where);
        } catch (IllegalArgumentException e) {
            throw terminal.bad("--server: " + e.getMessage());
        }
    }

    private void check() {
        if (webSocket && server != null) {
            throw terminal.bad("--web-socket: Expected no --server, but got one. Use --server ws://HOST:PORT instead.");
        }
        if (tls && (webSocket || server != null || cluster.isGiven())) {
            throw terminal.bad(
                    "--tls: Expected no --web-socket, --server, --cluster and --rabbitmq, but got one. Remove it, or remove"
                            + " --tls.");
        }
        checkCluster();
        links.check(terminal);
        receive.check(terminal);
        terminal.check("--count", count == null ? 1 : count, 1);
        terminal.check("--duration", duration == null ? 1 : duration, 1);
        message.check(terminal);
        terminal.check("--queues", queues, 1, QUEUES_MAX);
        int perQueue = Math.min(links.senders(), receive.receivers());
        if (queues > 1 && queues > perQueue) {
            throw terminal.bad("--queues: Expected at least as many --senders and --receivers as queues, but got "
                    + queues + " queues and " + perQueue + " links. Raise both, or lower --queues.");
        }
        if (queues > 1 && server != null) {
            throw terminal.bad("--queues: Expected no --server, but got one. Name its queue with --queue.");
        }
        terminal.check("--warm-up", warmUp, 0);
        if (!(rate > 0)) {
            throw terminal.bad("--rate: Expected more than 0 messages per second, but got " + rate + ".");
        }
        if (queue.isEmpty()) {
            throw terminal.bad("--queue: Expected the name of a queue, but got none.");
        }
    }

    private void checkCluster() {
        cluster.check(terminal, through.equals(FOLLOWER) ? 2 : 1);
        if (cluster.isGiven() && server != null) {
            throw terminal.bad(
                    "--server: Expected no --cluster and no --rabbitmq, but got one. Remove it, or remove --server.");
        }
        if (!List.of(LEADER, FOLLOWER).contains(through)) {
            throw terminal.bad("--through: Expected leader or follower, but got '" + through + "'.");
        }
    }
}
