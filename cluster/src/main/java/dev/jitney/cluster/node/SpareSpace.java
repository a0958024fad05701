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
 * A file of {@value #BYTES} bytes on the disk of the log, which gets smaller when this disk is full (CL-42). Ratis 3.3.0 replaces its
 * file with term and vote by an empty one if it cannot write it, and the node could not take part again. A part of the
 * space of this file is enough for the change of terms that follows a full disk. It is given up in parts, because another
 * program that still fills the disk takes the first one.
 *
 * <p>Any thread may call the methods.
 */
final class SpareSpace {
    static final String FILE = "spare";
    static final int BYTES = 1 << 20;

    static final int PARTS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(SpareSpace.class);

    private final Path file;

    /** @param directory the directory of the log; it must exist */
    SpareSpace(Path directory) {
        file = directory.resolve(FILE);
    }

    /** Makes the file if it is missing or too small. The node works without it, too. */
    synchronized void hold() {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size >= BYTES) {
                return;
            }
            channel.position(size);
            ByteBuffer zeros = ByteBuffer.allocate((int) (BYTES - size));
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            channel.force(true);
        } catch (IOException e) {
            LOG.debug("Could not write {}.", file, e);
        }
    }

    /** Gives up a part of the file, and removes the file with the last part. */
    synchronized void release() {
        try {
            if (!Files.exists(file)) {
                return;
            }
            long left = Files.size(file) - BYTES / PARTS;
            if (left <= 0) {
                Files.delete(file);
                return;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(left);
            }
        } catch (IOException e) {
            LOG.debug("Could not make {} smaller.", file, e);
        }
    }
}
