package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.kill.Chains;
import dev.jitney.crash.mixed.Kills;
import dev.jitney.crash.mixed.MixedClients;
import dev.jitney.crash.mixed.MixedPlan;
import dev.jitney.crash.mixed.SdkLog;
import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Interposed;
import dev.jitney.crash.support.Take;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterProcesses.Place;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills, freezes and wipes the nodes of a cluster, and damages, fills and slows down their disks, with two stores while clients of the official SDK use all
 * features at once, through a balancer. The clients, their ledgers and the rules are those of {@code MixedKillTest}. In
 * addition:
 * <ul>
 * <li>A message may be stored again only when a client has opened another connection. If a frozen node passes the bytes of the
 *     old one on when it continues, the other copy comes later than messages that were sent after it.
 * <li>No send is accepted while a majority of nodes is dead (CL-10).
 * <li>The SDK passes on no error that it could have retried, except errors about lost locks and transactions (CL-23).
 * <li>At the end all nodes are equal: by {@code jitney cluster verify} (CL-85), and by the rows in their files (CL-5).
 * </ul>
 *
 * <p>{@code -Djitney.crash.cluster.rounds=N} sets the number of incidents, {@code
 * -Djitney.crash.cluster.minutes=M} the time after which no other one begins, and {@code -Djitney.crash.seed=S} repeats the choices of
 * a run. It runs by command, {@code ./jitney crash --cluster}, because three nodes and their clients need the whole machine.
 */
@Tag("alone")
final class ClusterKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.cluster.rounds", 10);
    private static final long MINUTES = Long.getLong("jitney.crash.cluster.minutes", TimeUnit.DAYS.toMinutes(1));
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The Java SDK may lose the settlements of a receiver one after another, and each takes a minute ({@code SettlementLimit}). */
    private static final Duration PATIENCE_WITH_SDK = Duration.ofMinutes(5);

    private static final Path SDK_LOG = Path.of("target", "sdk.log");

    private static final int NODES = 3;
    private static final int ROUNDS_BETWEEN_BOOKS = 50;
    private static final int ROUNDS_BETWEEN_LINES = 10;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Kills kills = new Kills();
    private final FailoverTimes times = new FailoverTimes();
    private final long begunNanos = System.nanoTime();
    private ClusterProcesses cluster;
    private Balancer balancer;
    private FailoverProbe probe;
    private Incidents incidents;
    private List<LogDisk> disks = List.of();
    private List<Interposed> systems = List.of();
    private long workNanos;
    private long incidentNanos;
    private long syncNanos;
    private long bookNanos;
    private final SdkLog sdkLog = SdkLog.collect();
    private volatile MixedClients clients;

    @BeforeEach
    void start() throws Exception {
        System.out.printf("%d incidents, seed %d%n", ROUNDS, SEED);
        List<String> options =
                new ArrayList<>(List.of(ConfigFile.options(MixedPlan.write(directory.resolve("config.json")))));
        options.addAll(List.of("--stores", String.valueOf(MixedPlan.STORES)));
        systems = Interposed.compileFor(directory.resolve("interposed"), NODES);
        cluster = new ClusterProcesses(
                directory.resolve("nodes"),
                IntStream.range(0, NODES).mapToObj(this::place).toList(),
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                options);
        disks = LogDisk.mount(NODES);
        for (int i = 0; i < disks.size(); i++) {
            cluster.nodes().get(i).logDirectory(disks.get(i).log());
        }
        cluster.shareClasses();
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        balancer = new Balancer(cluster.nodes(), this::connected);
        Endpoint endpoint = endpoint();
        eventually(
                "the balancer serves",
                PATIENCE,
                () -> AmqpClient.await(
                                        new Administration(endpoint, endpoint.port())
                                                .create(
                                                        FailoverProbe.QUEUE,
                                                        "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"))
                                .statusCode()
                        == 201);
        clients = new MixedClients(
                "Endpoint=sb://localhost:" + endpoint.port() + ";SharedAccessKeyName=" + endpoint.ruleName()
                        + ";SharedAccessKey=" + endpoint.key() + ";UseDevelopmentEmulator=true;",
                kills,
                random,
                true);
        clients.start();
        probe = new FailoverProbe(cluster.nodes().get(0).clientPort());
        probe.start();
        incidents = new Incidents(cluster, probe, kills, () -> clients, disks, systems, times, random);
    }

    private Place place(int node) {
        return new Place(
                "127.0.0.1", systems.isEmpty() ? List.of() : systems.get(node).prefix());
    }

    /** Records a new connection: a lock or a session may belong to the past, and a message may be stored again. */
    private void connected() {
        kills.connected();
        MixedClients current = clients;
        if (current != null) {
            current.endHolds();
        }
    }

    private Endpoint endpoint() {
        return Endpoint.parse("127.0.0.1:" + balancer.port());
    }

    @AfterEach
    void stop() throws Exception {
        if (clients != null) {
            clients.close();
        }
        if (probe != null) {
            probe.close();
        }
        if (balancer != null) {
            balancer.close();
        }
        cluster.close();
        for (LogDisk disk : disks) {
            disk.close();
        }
    }

    @Test
    @DisplayName(
            "CL-1, CL-12, CL-20, CL-23, CL-24, CL-46, CL-85, CL-90, CL-91: after kills of any nodes with all features in use, no"
                    + " acknowledged message is lost, no completed message is delivered again, and clients need no help")
    void nothingIsLostAndNothingComesBack() throws Exception {
        try {
            endure();
        } catch (Exception | AssertionError e) {
            System.out.println("Seed " + SEED + clients.failures() + "\n" + balancer.report() + "\n" + kills + "\n"
                    + counts() + cluster.report());
            throw e;
        }
    }

    /** Returns the connections of the clients as the balancer and the nodes see them, for error reports. */
    private String traffic() {
        StringBuilder text = new StringBuilder(balancer.report() + "\n" + balancer.flows());
        for (NodeProcess node : cluster.nodes()) {
            text.append("\n--- node ")
                    .append(node.name())
                    .append('\n')
                    .append(node.metrics(
                            "jitney_cluster_passed_on_connections",
                            "jitney_cluster_waiting_connections",
                            "jitney_amqp_sockets",
                            "jitney_amqp_connections",
                            "jitney_amqp_links",
                            "jitney_memory",
                            "jitney_entity_receivers",
                            "jitney_entity_messages"));
        }
        return text.toString();
    }

    /** Returns the number of messages in each place, for error reports. */
    private String counts() {
        StringBuilder text = new StringBuilder();
        Administration administration = new Administration(endpoint(), balancer.port());
        for (String place : MixedPlan.places()) {
            try {
                text.append(place)
                        .append(' ')
                        .append(count(administration, place, "ActiveMessageCount"))
                        .append(" of ")
                        .append(count(administration, place, "MessageCount"))
                        .append(", ");
            } catch (Exception e) {
                return text + "then " + e.getMessage();
            }
        }
        return text.toString();
    }

    private void endure() throws Exception {
        int round = 0;
        Set<Incident> without = EnumSet.noneOf(Incident.class);
        without.addAll(disks.isEmpty() ? Incident.OF_SMALL_DISKS : Set.of());
        without.addAll(systems.isEmpty() ? Incident.OF_SLOW_DISKS : Set.of());
        int[] before = clients.progress();
        for (Incident incident : Incident.sequence(ROUNDS, without, random)) {
            long workNanosBefore = System.nanoTime();
            if (workNanosBefore - begunNanos > TimeUnit.MINUTES.toNanos(MINUTES)) {
                break;
            }
            round++;
            work(before);
            long beganNanos = System.nanoTime();
            incidents.perform(incident);
            before = clients.progress();
            long doneNanos = System.nanoTime();
            cluster.awaitWhole(PATIENCE);
            long wholeNanos = System.nanoTime();
            workNanos += beganNanos - workNanosBefore;
            incidentNanos += doneNanos - beganNanos;
            syncNanos += wholeNanos - doneNanos;
            System.out.printf(
                    "%3d. %s: took %.1f s after %.1f s of work, all nodes in sync after another %.1f s%n",
                    round,
                    incident,
                    (doneNanos - beganNanos) / 1e9,
                    (beganNanos - workNanosBefore) / 1e9,
                    (wholeNanos - doneNanos) / 1e9);
            check("round " + round + ", " + incident);
            if (round % ROUNDS_BETWEEN_BOOKS == 0 && round < ROUNDS) {
                compare("round " + round);
                clients = clients.renew();
                clients.start();
                probe.resume();
                before = clients.progress();
            }
            if (round % ROUNDS_BETWEEN_LINES == 0) {
                report(round);
            }
        }
        compare("the last round");
        report(round);
        assertThat(clients.sent()).as("messages").isGreaterThan(round * 20L);
        assertThat(clients.errors().unexpected())
                .as("errors that the SDK passed on, of which only those about lost locks are expected")
                .isEmpty();
        clients.close();
        cluster.awaitWhole(PATIENCE);
        ClusterProcesses.Result verified = cluster.command(PATIENCE, "verify");
        assertThat(verified.status())
                .as("seed %d, status of cluster verify: %s", SEED, verified.text())
                .isZero();
        stopAll();
        assertThat(EqualReplicas.differences(
                        cluster.nodes().stream().map(NodeProcess::data).toList(), MixedPlan.STORES))
                .as("seed %d, differences between the rows of the nodes", SEED)
                .isEmpty();
    }

    /** Stops the nodes, the leader last, so that no node applies an entry that another one lacks. */
    private void stopAll() throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        cluster.awaitLevel(PATIENCE);
        List<NodeProcess> order = new ArrayList<>(cluster.nodes());
        order.remove(leader);
        order.add(leader);
        for (NodeProcess node : order) {
            assertThat(node.terminate())
                    .as("exit status of node %s after SIGTERM", node.name())
                    .isZero();
        }
    }

    /**
     * Waits between incidents. In most rounds all clients make progress first; some incidents happen during their recovery.
     *
     * @param before the progress when the last incident was over
     */
    private void work(int[] before) throws Exception {
        if (random.nextInt(6) == 0) {
            pause(random.nextInt(500));
            return;
        }
        Callable<Boolean> progress = () -> {
            int[] now = clients.progress();
            return IntStream.range(0, now.length).allMatch(i -> now[i] > before[i]);
        };
        try {
            eventually("all clients make progress", PATIENCE, progress);
        } catch (AssertionError e) {
            sdkLog.write(SDK_LOG);
            System.out.println("Clients without progress:\n" + clients.stuck(before) + "\n" + traffic()
                    + "\nThe log of the SDK is in " + SDK_LOG.toAbsolutePath());
            eventually("all clients make progress at last", PATIENCE_WITH_SDK, progress);
        }
        pause(100 + random.nextInt(900));
    }

    /** Drains all queues and checks the received messages. A new leader has no locks, so that every message can be received. */
    private void compare(String when) throws Exception {
        long beganNanos = System.nanoTime();
        clients.holdNothing();
        incidents.killLeader(cluster.awaitLeader(PATIENCE));
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        clients.drain();
        Administration administration = new Administration(endpoint(), balancer.port());
        for (String place : MixedPlan.places()) {
            eventually("'" + place + "' is empty", PATIENCE.plusMinutes(5), () -> {
                check("draining after " + when);
                return count(administration, place, "MessageCount") == 0;
            });
        }
        String balance = MixedPlan.LEDGERS.get(0);
        eventually(
                "all messages have left the outboxes",
                PATIENCE,
                () -> count(administration, balance, "TransferMessageCount") == 0);
        clients.closeBooks();
        Chains chains = clients.chains();
        long[] found = chains.compare(Browse.all(endpoint(), balance));
        for (String notes : MixedPlan.LEDGERS.subList(1, MixedPlan.LEDGERS.size())) {
            chains.compareNotes(notes, found, Take.from(endpoint(), notes, chains.expectedNotes(found)));
            assertThat(count(administration, notes, "MessageCount")).as(notes).isZero();
        }
        probe.halt();
        probe.compare(Take.from(
                endpoint(), FailoverProbe.QUEUE, (int) count(administration, FailoverProbe.QUEUE, "MessageCount")));
        check("draining after " + when);
        chains.taken(found);
        bookNanos += System.nanoTime() - beganNanos;
    }

    private static long count(Administration administration, String place, String what) throws Exception {
        return Administration.number(AmqpClient.await(administration.get(place)), what);
    }

    private void eventually(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        try {
            Eventually.until(what, patience, condition);
        } catch (AssertionError e) {
            throw new AssertionError("Seed " + SEED + ": " + e.getMessage(), e);
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void check(String when) {
        assertThat(clients.complaints()).as("seed %d, after %s", SEED, when).isEmpty();
        assertThat(probe.complaints()).as("seed %d, after %s", SEED, when).isEmpty();
    }

    private void report(int round) {
        ClusterView view = cluster.view();
        System.out.printf(
                "%d incidents, %d messages sent, 0 lost, 0 back again, %d deliveries, %d commits, %d rollbacks, term %d%n"
                        + "  %.0f s: clients worked %.0f s, incidents took %.0f s, nodes came in sync %.0f s, comparisons %.0f s%n%s",
                round,
                clients.sent(),
                clients.received(),
                clients.chains().commits(),
                clients.chains().rollbacks(),
                view == null ? 0 : view.term(),
                (System.nanoTime() - begunNanos) / 1e9,
                workNanos / 1e9,
                incidentNanos / 1e9,
                syncNanos / 1e9,
                bookNanos / 1e9,
                times.report());
        clients.errors().kinds().forEach((kind, count) -> System.out.printf("  %d x %s%n", count, kind));
    }
}
