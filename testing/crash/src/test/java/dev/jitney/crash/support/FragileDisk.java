package dev.jitney.crash.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system in a file that becomes read-only on request, as ext4 does when its disk reports an error. Requires
 * Linux, root and ext4.
 */
public final class FragileDisk implements AutoCloseable {
    private final Path image;
    private final Path mountPoint;

    private FragileDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /** Creates and mounts a file system. Where that is not possible, the test is skipped with the reason. */
    public static FragileDisk mount(Path directory, int mebibytes) throws IOException, InterruptedException {
        Path image = directory.resolve("disk.image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength((long) mebibytes << 20);
        }
        FragileDisk disk = new FragileDisk(image, Files.createDirectory(directory.resolve("disk")));
        String problem = Command.run(List.of("mkfs.ext4", "-q", image.toString()));
        if (problem.isEmpty()) {
            problem = disk.mountAgain();
        }
        String reason =
                "Expected to create and mount an ext4 file system, which requires Linux and root, but: " + problem;
        Assumptions.assumeTrue(problem.isEmpty(), reason);
        if (!Files.isWritable(disk.trigger())) {
            disk.close();
            Assumptions.abort("Expected ext4 to offer a trigger for errors, but there is no " + disk.trigger());
        }
        return disk;
    }

    public Path path() {
        return mountPoint;
    }

    /** Simulates an error of the disk, after which the file system is read-only. */
    public void fail() throws IOException {
        Files.writeString(trigger(), "1");
    }

    /** Unmounts the file system, which must not be in use, and mounts it again. */
    public void repair() throws IOException, InterruptedException {
        String problem = unmount();
        if (problem.isEmpty()) {
            problem = mountAgain();
        }
        if (!problem.isEmpty()) {
            throw new IOException("Expected to mount " + image + " again, but: " + problem);
        }
    }

    private String mountAgain() throws InterruptedException {
        return Command.run(List.of(
                "mount", "-t", "ext4", "-o", "loop,errors=remount-ro", image.toString(), mountPoint.toString()));
    }

    private String unmount() throws InterruptedException {
        return Command.run(List.of("umount", mountPoint.toString()));
    }

    private Path trigger() throws IOException {
        String device = Files.getFileStore(mountPoint).name();
        return Path.of("/sys/fs/ext4").resolve(Path.of(device).getFileName()).resolve("trigger_fs_error");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        String problem = unmount();
        if (!problem.isEmpty()) {
            throw new IOException("Expected to unmount " + mountPoint + ", but: " + problem);
        }
    }
}
