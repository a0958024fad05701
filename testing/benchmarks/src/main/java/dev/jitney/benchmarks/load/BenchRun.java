package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ProcessCost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One measurement, from opening the connections to closing them. Used once, by one thread. */
public final class BenchRun {
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The time without progress after which a run that waits for messages stops. */
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final BenchPlan plan;
    private final Endpoint endpoint;
    private final @Nullable ProcessCost server;
    private final List<Follower> followers;
    private final LongConsumer progress;
    private final ProcessCost self = new ProcessCost(ProcessHandle.current().pid());
    private final LatencyOverTime overTime = new LatencyOverTime();
    private final Tally tally;
    private final List<ClientConnection> connections = new ArrayList<>();
    private final List<Wake> wakes = new ArrayList<>();
    private volatile boolean open = true;
    private volatile boolean stopped;
    /** False before the warm-up, or before the measurement without one: messages that are sent earlier would not count. */
    private volatile boolean mayBegin;

    /** A sender with its link and connection. */
    private record Wake(ClientConnection connection, SenderLink link, SendingLink sender) {
        void up() {
            connection.execute(() -> sender.ready(link));
        }
    }

    /** @param server the server's process, null if that is not known */
    public BenchRun(BenchPlan plan, Endpoint endpoint, @Nullable ProcessCost server) {
        this(plan, endpoint, server, moved -> {});
    }

    /** @param progress called as by the constructor with followers */
    public BenchRun(BenchPlan plan, Endpoint endpoint, @Nullable ProcessCost server, LongConsumer progress) {
        this(plan, endpoint, server, List.of(), progress);
    }

    /**
     * @param server the process that serves, null if that is not known
     * @param followers other processes whose resources are measured at the same time
     * @param progress called repeatedly, on this thread, with the number of messages moved since the measurement began
     */
    public BenchRun(
            BenchPlan plan,
            Endpoint endpoint,
            @Nullable ProcessCost server,
            List<Follower> followers,
            LongConsumer progress) {
        this.plan = plan;
        this.followers = List.copyOf(followers);
        this.progress = progress;
        this.endpoint = endpoint;
        this.server = server;
        boolean receives = plan.mode().receives() && plan.mode().sends();
        this.tally = new Tally(receives ? null : overTime, receives ? overTime : null);
    }

    /**
     * Measures one run. A problem during the run is in the result.
     *
     * @throws AmqpException if connections or links cannot be opened
     */
    public BenchResult measure() throws AmqpException, InterruptedException {
        int threads = Math.min(plan.connections(), Runtime.getRuntime().availableProcessors());
        try (AmqpClient client = new AmqpClient(threads)) {
            for (int i = 0; i < plan.connections(); i++) {
                ClientConnection connection = client.open(endpoint);
                connection.closed().thenAccept(this::lost);
                connections.add(connection);
            }
            // Receivers of a backlog get messages as soon as they are open.
            Start opening = plan.mode().sends() || plan.warmUpMs() > 0 ? null : start();
            if (plan.mode().receives()) {
                openReceivers();
            }
            Pacer pacer = plan.mode() == Mode.LATENCY ? new Pacer(plan.rate()) : null;
            if (plan.mode().sends()) {
                openSenders(pacer == null ? this::takeAsFastAsPossible : pacer);
            }
            Thread waker = wakeSenders(pacer);
            BenchResult result;
            try {
                result = observe(opening);
            } finally {
                open = false;
                if (pacer != null) {
                    pacer.stop();
                }
                waker.join();
                connections.forEach(ClientConnection::close);
            }
            return result.withFollowers(withHeaps(result.followers()));
        }
    }

    /** Ends the measurement early. May be called by any thread. */
    public void stop() {
        stopped = true;
    }

    private void lost(AmqpException reason) {
        if (open) {
            tally.trouble("A connection was closed: " + reason.getMessage());
        }
    }

    private void openReceivers() throws AmqpException, InterruptedException {
        for (int i = 0; i < plan.receivers(); i++) {
            AmqpClient.await(connections
                    .get(i % connections.size())
                    .receiver(
                            plan.routes().from(i),
                            plan.inFlight(),
                            plan.settling(),
                            new ReceivingLink(tally, plan.mode().sends(), plan.settling())));
        }
    }

    private void openSenders(SendingLink.Quota quota) throws AmqpException, InterruptedException {
        for (int i = 0; i < plan.senders(); i++) {
            // Receivers start from the last connection, so that few senders and few receivers do not share a
            // connection.
            ClientConnection connection = connections.get(connections.size() - 1 - i % connections.size());
            SendingLink sender = new SendingLink(quota, tally, plan.properties(), plan.sizeBytes(), plan.inFlight());
            SenderLink link = AmqpClient.await(connection.sender(plan.routes().to(i), sender));
            Wake wake = new Wake(connection, link, sender);
            wakes.add(wake);
            wake.up();
        }
    }

    private long takeAsFastAsPossible() {
        long started = tally.started.get();
        if (!open
                || !mayBegin
                || (plan.count() > 0 && started >= plan.count())
                || (plan.mode() == Mode.BOTH
                        && started - tally.completed.sum() / plan.routes().copies() >= plan.maxBacklog())) {
            return SendingLink.Quota.NOTHING;
        }
        return System.nanoTime();
    }

    /** Wakes senders repeatedly: a sender stops when it has nothing to send. */
    private Thread wakeSenders(@Nullable Pacer pacer) {
        Runnable wakeAll = () -> wakes.forEach(Wake::up);
        Thread thread = new Thread(
                () -> {
                    if (pacer != null) {
                        pacer.run(wakeAll);
                        return;
                    }
                    while (open) {
                        LockSupport.parkNanos(WAKE_NANOS);
                        wakeAll.run();
                    }
                },
                "wake-senders");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The figures at the start of the measurement. */
    private record Start(
            long nanos,
            long accepted,
            long completed,
            long cpu,
            long written,
            List<Follower.Cost> followers,
            long clientCpu) {}

    private Start start() {
        return new Start(
                System.nanoTime(),
                tally.accepted.sum(),
                tally.completed.sum(),
                cpu(),
                server == null ? -1 : server.writtenBytes(),
                followers.stream().map(Follower::cost).toList(),
                self.cpuNanos());
    }

    /** @param opening the start, if it was before the links were opened */
    private BenchResult observe(@Nullable Start opening) {
        if (plan.warmUpMs() > 0) {
            mayBegin = true;
            until(plan.warmUpMs(), () -> false);
        }
        Start start = opening != null ? opening : start();
        Conditions.Watch watch = new Conditions.Watch();
        overTime.begin(System.nanoTime());
        tally.measure();
        mayBegin = true;
        long movedBefore = plan.mode().receives() ? start.completed : start.accepted;
        until(plan.durationMs(), () -> {
            long moved = moved();
            progress.accept(moved - movedBefore);
            overTime.tick(System.nanoTime());
            if (plan.mode().sends() && plan.mode().receives()) {
                int copies = plan.routes().copies();
                watch.sample(
                        tally.started.get() - tally.completed.sum() / copies,
                        tally.accepted.sum() - tally.received.sum() / copies);
            }
            return plan.count() > 0 && moved + tally.refused.sum() >= plan.count();
        });
        return new BenchResult(
                plan,
                (System.nanoTime() - start.nanos) / 1e9,
                tally.accepted.sum() - start.accepted,
                tally.completed.sum() - start.completed,
                tally.refused.sum(),
                server == null ? -1 : cpu() - start.cpu,
                self.cpuNanos() - start.clientCpu,
                server == null ? -1 : server.residentKiB(),
                server == null || start.written < 0 ? -1 : server.writtenBytes() - start.written,
                costs(start.followers),
                tally.toAccepted(),
                tally.toReceived(),
                overTime.seconds(),
                watch.conditions(),
                tally.trouble.get());
    }

    private List<Follower.Cost> costs(List<Follower.Cost> before) {
        return IntStream.range(0, before.size())
                .mapToObj(i -> followers.get(i).cost().since(before.get(i)))
                .toList();
    }

    /** Reads the heaps, which takes a full collection of each follower. */
    private List<Follower.Cost> withHeaps(List<Follower.Cost> costs) throws InterruptedException {
        List<Follower.Cost> whole = new ArrayList<>();
        for (int i = 0; i < costs.size(); i++) {
            whole.add(costs.get(i).withLiveHeapMiB(followers.get(i).liveHeapMiB()));
        }
        return List.copyOf(whole);
    }

    private long moved() {
        return plan.mode().receives() ? tally.completed.sum() : tally.accepted.sum();
    }

    /** Waits until the time is over, the run is done, a problem occurs, or there is no more progress. */
    private void until(long durationMs, BooleanSupplier done) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        long seen = -1;
        long seenAt = System.nanoTime();
        while (!done.getAsBoolean() && tally.trouble.get() == null && !stopped) {
            long now = System.nanoTime();
            long progress = tally.accepted.sum() + tally.completed.sum();
            if (progress != seen) {
                seen = progress;
                seenAt = now;
            }
            if (now - seenAt > STALL_NANOS) {
                tally.trouble("Expected progress, but no message moved for "
                        + TimeUnit.NANOSECONDS.toSeconds(STALL_NANOS) + " s.");
            }
            if (now - deadline > 0) {
                return;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private long cpu() {
        return server == null ? 0 : server.cpuNanos();
    }
}
