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
import org.jspecify.annotations.Nullable;

/** Java processes that are alone in a network namespace, and end with all that they have started. */
public final class AloneProcess {
    private static final List<String> TOOLS = List.of("ip", "tc", "unshare", "nsenter");

    private AloneProcess() {}

    /** Returns the reason for which this machine allows no such processes, or null. It is an error if JITNEY_CI=true. */
    public static @Nullable String problem() throws InterruptedException {
        List<String> missing = TOOLS.stream().filter(tool -> !isInstalled(tool)).toList();
        String problem = null;
        if (!missing.isEmpty()) {
            problem = "Expected the commands " + TOOLS + ", but these are missing: " + missing
                    + ". Install iproute2 and util-linux.";
        } else if (beginning() == null) {
            problem = "Expected to make network namespaces, which requires Linux, and root or user namespaces.";
        }
        if (problem != null && Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(problem);
        }
        return problem;
    }

    /** Returns the beginning of a command that runs alone, or null if that is not allowed. */
    private static @Nullable List<String> beginning() throws InterruptedException {
        List<String> always = List.of("-n", "-m", "--pid", "--fork", "--kill-child", "--mount-proc", "--");
        for (List<String> first : List.of(List.of("unshare"), List.of("unshare", "-U", "-r"))) {
            List<String> command = new ArrayList<>(first);
            command.addAll(always);
            if (allows(command)) {
                return command;
            }
        }
        return null;
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

    /**
     * Runs a class with the class path of this process, and fails if it does not end with status 0 in time. Its output is printed.
     *
     * @param alone whether it is alone; requires that there is no {@link #problem}
     * @param seconds the time in which it must end
     */
    public static void run(Class<?> main, boolean alone, List<String> java, List<String> arguments, int seconds)
            throws IOException, InterruptedException {
        List<String> prefix = alone ? beginning() : List.of();
        if (prefix == null) {
            throw new IllegalStateException("Expected network namespaces, but they are not allowed.");
        }
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(java);
        command.add(main.getName());
        command.addAll(arguments);
        CountDownLatch over = new CountDownLatch(1);
        try (WatchedProcess run =
                WatchedProcess.start(new ProcessBuilder(command), System.out::println, over::countDown)) {
            assertThat(over.await(seconds, TimeUnit.SECONDS))
                    .as("%s: it ends within %d s", arguments, seconds)
                    .isTrue();
            assertThat(run.awaitExit()).as("%s: %s", arguments, run.errors()).isZero();
        }
    }
}
