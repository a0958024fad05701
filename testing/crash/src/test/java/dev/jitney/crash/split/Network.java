package dev.jitney.crash.split;

import dev.jitney.testing.process.ClusterProcesses.Place;
import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network of machines: namespaces that a bridge in the namespace of this process connects. This process is the machine
 * {@link #OUTSIDE}, and it must be alone in its namespace and have all rights there.
 *
 * <p>Addresses have no discovery. To lose all packets from one machine to another, the former gets a wrong link address for the
 * latter, so that the bridge delivers the packets to no machine. Senders get no error, as on a broken network. Used by one
 * thread.
 */
public final class Network implements AutoCloseable {
    /** The number of this machine, behind those of the nodes. */
    public static final int OUTSIDE = 3;

    private static final int MACHINES = 4;
    private static final String NO_MACHINE = "02:00:00:00:ff:ff";
    private static final int COMMAND_SECONDS = 30;

    /** The process that keeps each namespace. */
    private final List<WatchedProcess> holders = new ArrayList<>();

    /** Makes the namespaces and connects them. */
    public Network() throws IOException, InterruptedException {
        ip(
                OUTSIDE,
                "link set lo up",
                "link add br0 address " + link(OUTSIDE) + " type bridge",
                "address add " + address(OUTSIDE) + "/24 dev br0",
                "link set br0 up");
        for (int i = 0; i < OUTSIDE; i++) {
            WatchedProcess holder = WatchedProcess.start(
                    new ProcessBuilder("unshare", "-n", "sh", "-c", "echo there; exec sleep infinity"),
                    line -> {},
                    () -> {});
            holders.add(holder);
            awaitNamespace(holder);
            ip(
                    OUTSIDE,
                    "link add " + port(i) + " type veth peer name eth0 address " + link(i) + " netns " + holder.pid(),
                    "link set " + port(i) + " master br0 up");
        }
        for (int i = 0; i < OUTSIDE; i++) {
            connect(i);
        }
        for (int to = 0; to < OUTSIDE; to++) {
            pass(OUTSIDE, to);
        }
    }

    /** The namespace is there when the process has another one than this process. */
    private static void awaitNamespace(WatchedProcess holder) throws IOException, InterruptedException {
        String own = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
        Path other = Path.of("/proc/" + holder.pid() + "/ns/net");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS);
        while (Files.readSymbolicLink(other).toString().equals(own)) {
            if (System.nanoTime() > deadline || !holder.isAlive()) {
                throw new IOException("Expected a network namespace, but got none. " + holder.errors());
            }
            holder.awaitExit(10);
        }
    }

    private void connect(int machine) throws IOException, InterruptedException {
        List<String> commands = new ArrayList<>(
                List.of("link set lo up", "address replace " + address(machine) + "/24 dev eth0", "link set eth0 up"));
        for (int to = 0; to < MACHINES; to++) {
            if (to != machine) {
                commands.add(neighbor(machine, to, link(to)));
            }
        }
        ip(machine, commands.toArray(String[]::new));
    }

    /** Returns the place of a node. */
    public Place place(int machine) {
        return new Place(
                address(machine),
                List.of("nsenter", "-t", String.valueOf(holders.get(machine).pid()), "-n", "--"));
    }

    static String address(int machine) {
        return "10.77.0." + (machine + 1);
    }

    private static String link(int machine) {
        return "02:00:00:00:00:0" + (machine + 1);
    }

    private static String port(int machine) {
        return "port" + machine;
    }

    private static String neighbor(int from, int to, String link) {
        return "neighbor replace " + address(to) + " lladdr " + link + " dev " + (from == OUTSIDE ? "br0" : "eth0")
                + " nud permanent";
    }

    /** Loses all packets from one machine to another from now on. */
    public void lose(int from, int to) throws IOException, InterruptedException {
        ip(from, neighbor(from, to, NO_MACHINE));
    }

    /** Delivers the packets from one machine to another again. */
    public void pass(int from, int to) throws IOException, InterruptedException {
        ip(from, neighbor(from, to, link(to)));
    }

    /** Loses all packets between two machines. */
    public void cut(int one, int other) throws IOException, InterruptedException {
        lose(one, other);
        lose(other, one);
    }

    /** Pulls the cable out of a machine, which notices it. */
    void unplug(int machine) throws IOException, InterruptedException {
        ip(machine, "link set eth0 down");
    }

    /**
     * Lets only so many bits reach a machine per second. Packets wait in a queue for up to {@code latencyMs}; a longer queue
     * loses packets.
     */
    void limit(int machine, int kbitPerSecond, int latencyMs) throws IOException, InterruptedException {
        trafficControl("qdisc replace dev " + port(machine) + " root tbf rate " + kbitPerSecond
                + "kbit burst 32kb latency " + latencyMs + "ms");
    }

    /** Loses one of 32 packets to a machine. The sender of a packet numbers it, and one of 32 numbers selects it. */
    void loseSome(int machine) throws IOException, InterruptedException {
        String device = "dev " + port(machine) + " ";
        trafficControl(
                "qdisc replace " + device + "root handle 1: htb default 10",
                "class add " + device + "parent 1: classid 1:10 htb rate 10gbit quantum 60000",
                "class add " + device + "parent 1: classid 1:20 htb rate 10gbit quantum 60000",
                "qdisc add " + device + "parent 1:20 bfifo limit 1", // no packet has only one byte
                "filter add " + device + "parent 1: protocol ip u32 match u16 1 0x1f at 4 flowid 1:20");
    }

    /** Delays each packet to a machine. Packets may overtake each other, and some are lost. */
    void delay(int machine) throws IOException, InterruptedException {
        trafficControl("qdisc replace dev " + port(machine) + " root netem delay 120ms 60ms loss 1%");
    }

    /** Returns whether the kernel can delay packets ({@link #delay}). */
    boolean canDelay() throws InterruptedException {
        try {
            delay(0);
            unlimit(0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends {@link #limit}, {@link #loseSome} and {@link #delay}. */
    void unlimit(int machine) throws IOException, InterruptedException {
        trafficControl("qdisc delete dev " + port(machine) + " root");
    }

    private static void trafficControl(String... commands) throws IOException, InterruptedException {
        run(List.of("tc", "-batch", "-"), String.join("\n", commands) + "\n");
    }

    /** Restores all connections. */
    public void heal() throws IOException, InterruptedException {
        for (int i = 0; i < OUTSIDE; i++) {
            connect(i);
            pass(OUTSIDE, i);
        }
    }

    private void ip(int machine, String... commands) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(machine == OUTSIDE ? List.of() : place(machine).prefix());
        command.addAll(List.of("ip", "-batch", "-"));
        run(command, String.join("\n", commands) + "\n");
    }

    private static void run(List<String> command, String input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("Expected " + command + " with " + input.strip() + " to succeed, but got " + output);
        }
    }

    @Override
    public void close() {
        holders.forEach(WatchedProcess::close);
    }
}
