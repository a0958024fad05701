package dev.jitney.crash.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory. Requires Linux and root. */
public final class SmallDisk implements AutoCloseable {
    private static final String REASON =
            "Expected to mount a small file system, which requires Linux and root, but that failed";

    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts a file system. Where that is not allowed, the test is skipped with the reason, or fails if JITNEY_CI=true. */
    public static SmallDisk mount(int mebibytes) throws IOException, InterruptedException {
        SmallDisk mounted = mountIfAllowed(mebibytes);
        if (mounted == null) {
            Assumptions.abort(REASON);
        }
        return mounted;
    }

    /** Mounts a file system. Returns null where that is not allowed, which is an error if JITNEY_CI=true. */
    public static @Nullable SmallDisk mountIfAllowed(int mebibytes) throws IOException, InterruptedException {
        Path mountPoint = Files.createTempDirectory("jitney-disk-");
        String problem = Command.run(
                List.of("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "jitney-disk", mountPoint.toString()));
        if (problem.isEmpty()) {
            return new SmallDisk(mountPoint);
        }
        Files.delete(mountPoint);
        if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
            Assertions.fail(REASON + ": " + problem);
        }
        System.out.println(REASON + ": " + problem);
        return null;
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
