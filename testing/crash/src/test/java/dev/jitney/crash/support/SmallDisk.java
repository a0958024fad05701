package dev.jitney.crash.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory. Requires Linux and root. */
public final class SmallDisk implements AutoCloseable {
    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts a file system. Where that is not allowed, the test is skipped with the reason, or fails if JITNEY_CI=true. */
    public static SmallDisk mount(int mebibytes) throws IOException, InterruptedException {
        Path mountPoint = Files.createTempDirectory("jitney-disk-");
        String problem = Command.run(
                List.of("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "jitney-disk", mountPoint.toString()));
        if (!problem.isEmpty()) {
            Files.delete(mountPoint);
            String reason = "Expected to mount a small file system, which requires Linux and root, but: " + problem;
            if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
                Assertions.fail(reason);
            }
            Assumptions.abort(reason);
        }
        return new SmallDisk(mountPoint);
    }

    public Path path() {
        return mountPoint;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        String problem = Command.run(List.of("umount", mountPoint.toString()));
        if (!problem.isEmpty()) {
            throw new IOException("Expected to unmount " + mountPoint + ", but: " + problem);
        }
        Files.delete(mountPoint);
    }
}
