package dev.jitney.store.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** An in-memory file system of a few hundred MiB; requires the right to mount. */
final class SmallFileSystem implements AutoCloseable {
    private final Path mountPoint;

    private SmallFileSystem(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts a file system, or skips the test with the reason why that is not possible. */
    static SmallFileSystem mount(int mebibytes) throws IOException {
        Path mountPoint = Files.createTempDirectory("jitney-small");
        String refusal = run(List.of(
                "mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "jitney-small", mountPoint.toString()));
        if (refusal != null) {
            Files.delete(mountPoint);
            Assumptions.abort("Mounting a small file system needs Linux and root: " + refusal);
        }
        return new SmallFileSystem(mountPoint);
    }

    Path path() {
        return mountPoint;
    }

    long usableBytes() throws IOException {
        return Files.getFileStore(mountPoint).getUsableSpace();
    }

    /** Fills the file system up to the bytes to leave, with a file that the caller deletes to make room again. */
    Path fill(long leaveBytes) throws IOException {
        Path ballast = mountPoint.resolve("ballast");
        byte[] block = new byte[64 << 10];
        try (var out = Files.newOutputStream(ballast)) {
            while (usableBytes() - block.length >= leaveBytes) {
                out.write(block);
            }
        }
        return ballast;
    }

    @Override
    public void close() throws IOException {
        String refusal = run(List.of("umount", mountPoint.toString()));
        if (refusal != null) {
            throw new IOException("Cannot unmount " + mountPoint + ": " + refusal);
        }
        Files.delete(mountPoint);
    }

    private static @Nullable String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes()).strip();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "no answer in 30 s";
            }
            return process.exitValue() == 0 ? null : output;
        } catch (IOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
