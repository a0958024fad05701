package dev.jitney.crash.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.process.WatchedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that splits the network of a cluster: three nodes in network namespaces of their own, with a client of each node that
 * sends, completes, and receives and deletes all the time. It works on Linux as root or where users may make namespaces.
 *
 * <p>These rules must hold for each {@link Split}:
 * <ul>
 * <li>A message whose send was acknowledged is delivered. A message with a confirmed completion never comes back. A message that
 *     is received and deleted is delivered once (CL-27).
 * <li>A node that is cut off from the majority acknowledges no request that is made afterwards (CL-10). It acknowledges and
 *     delivers nothing when another node has begun to acknowledge (CL-9), so at no moment two nodes acknowledge.
 * <li>The majority acknowledges within {@code FAILOVER}. A node that is cut off closes its connections (CL-12), and nodes that
 *     follow close those to a leader that is silent (CL-22).
 * <li>Afterwards all nodes come to the same position, with the same rows (CL-5).
 * </ul>
 *
 * <p>{@code -Djitney.crash.splits=N} sets the number of splits, {@code -Djitney.crash.seed=S} repeats the choices of a run. It
 * runs by command, {@code ./jitney crash --splits N}, because three nodes and their clients need the whole machine.
 */
@Tag("alone")
final class ClusterSplitTest {
    private static final int SPLITS = Integer.getInteger("jitney.crash.splits", 5);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final List<String> TOOLS = List.of("ip", "tc", "unshare", "nsenter");
    private static final int SECONDS_MAX = 300 + 60 * SPLITS;

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "CL-1, CL-5, CL-9, CL-10, CL-12, CL-13, CL-22, CL-25, CL-27, CL-28, CL-44: after splits of the network in all ways, no acknowledged"
                    + " message is lost, no removed message comes back, and at no moment two nodes acknowledge")
    void noTwoNodesAcknowledge() throws Exception {
        List<String> alone = alone();
        System.out.printf("%d splits, seed %d%n", SPLITS, SEED);
        List<String> command = new ArrayList<>(alone);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.add("-D" + Split.ONLY + "=" + System.getProperty(Split.ONLY, ""));
        command.addAll(
                List.of(SplitRun.class.getName(), directory.toString(), String.valueOf(SPLITS), String.valueOf(SEED)));
        CountDownLatch over = new CountDownLatch(1);
        try (WatchedProcess run =
                WatchedProcess.start(new ProcessBuilder(command), System.out::println, over::countDown)) {
            assertThat(over.await(SECONDS_MAX, TimeUnit.SECONDS))
                    .as("seed %d: it ends within %d s", SEED, SECONDS_MAX)
                    .isTrue();
            assertThat(run.awaitExit()).as("seed %d: %s", SEED, run.errors()).isZero();
        }
    }

    /**
     * Returns the begin of a command for a process that is alone in a network and ends with all that it has started. Where that
     * is not allowed, the test is skipped with the reason, or fails if JITNEY_CI=true.
     */
    private static List<String> alone() throws InterruptedException {
        List<String> missing = TOOLS.stream().filter(tool -> !isInstalled(tool)).toList();
        if (!missing.isEmpty()) {
            return skip("Expected the commands " + TOOLS + ", but these are missing: " + missing
                    + ". Install iproute2 and util-linux.");
        }
        List<String> always = List.of("-n", "-m", "--pid", "--fork", "--kill-child", "--mount-proc", "--");
        for (List<String> first : List.of(List.of("unshare"), List.of("unshare", "-U", "-r"))) {
            List<String> command = new ArrayList<>(first);
            command.addAll(always);
            if (allows(command)) {
                return command;
            }
        }
        return skip("Expected to make network namespaces, which requires Linux, and root or user namespaces.");
    }

    private static List<String> skip(String reason) {
        if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(reason);
        }
        return Assumptions.abort(reason);
    }

    private static boolean isInstalled(String tool) {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":")), Stream.of("/usr/sbin", "/sbin"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    }

    private static boolean allows(List<String> command) throws InterruptedException {
        List<String> attempt = new ArrayList<>(command);
        attempt.addAll(List.of(
                "sh", "-c", "ip link add p0 type veth peer name p1 && ip link add br0 type bridge && unshare -n true"));
        try {
            Process process = new ProcessBuilder(attempt)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no such command
        }
    }
}
