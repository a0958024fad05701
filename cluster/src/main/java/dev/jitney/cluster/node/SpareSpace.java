package dev.jitney.cluster.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of {@value #BYTES} bytes on the disk of the log, which is removed when this disk is full (CL-42). Ratis 3.3.0 replaces its
 * file with term and vote by an empty one if it cannot write it, and the node could not take part again. The space of
 * this file is enough for the change of terms that follows a full disk.
 *
 * <p>Any thread may call the methods.
 */
final class SpareSpace {
    static final String FILE = "spare";
    static final int BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SpareSpace.class);

    private final Path file;

    /** @param directory the directory of the log; it must exist */
    SpareSpace(Path directory) {
        file = directory.resolve(FILE);
    }

    /** Makes the file if it is missing. The node works without it, too. */
    synchronized void hold() {
        if (Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(BYTES);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            channel.force(true);
        } catch (IOException e) {
            LOG.debug("Could not write {}.", file, e);
        }
    }

    /** Removes the file. */
    synchronized void release() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("Could not remove {}.", file, e);
        }
    }
}
