package dev.jitney.crash;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A file system of its own, in memory, that is soon full. Needs Linux and root. */
final class SmallDisk implements AutoCloseable {
    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts one; where that is not allowed the test is skipped with the reason, or fails with JITNEY_CI=true. */
    static SmallDisk mount(int mebibytes) throws IOException, InterruptedException {
        Path mountPoint = Files.createTempDirectory("jitney-disk-");
        String problem = run(
                List.of("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "jitney-disk", mountPoint.toString()));
        if (!problem.isEmpty()) {
            Files.delete(mountPoint);
            String reason = "Expected to mount a small file system, which takes Linux and root, but: " + problem;
            if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
                Assertions.fail(reason);
            }
            Assumptions.abort(reason);
        }
        return new SmallDisk(mountPoint);
    }

    Path path() {
        return mountPoint;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        String problem = run(List.of("umount", mountPoint.toString()));
        if (!problem.isEmpty()) {
            throw new IOException("Expected to unmount " + mountPoint + ", but: " + problem);
        }
        Files.delete(mountPoint);
    }

    /** Runs a command and tells what went wrong, or nothing. */
    private static String run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "no end in 30 s";
            }
            return process.exitValue() == 0 ? "" : "status " + process.exitValue() + " " + output;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
