package dev.jitney.crash.cluster;

import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Changed bytes in the log of a node that does not run.
 *
 * @param file the changed file, a log file that is complete or the one that is being written
 * @param changed its content with the change
 */
record LogDamage(Path file, byte[] changed) {
    private static final int BYTES = 8;

    /** Changes some bytes in the middle half of what a log file contains. */
    static LogDamage to(NodeProcess node, Random random) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(node.logDirectory())) {
            files = all.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .sorted()
                    .toList();
        }
        Path file = files.get(random.nextInt(files.size()));
        byte[] content = Files.readAllBytes(file);
        int end = content.length; // behind it there are only zeros, which were written in advance
        while (end > 0 && content[end - 1] == 0) {
            end--;
        }
        int at = end / 4 + random.nextInt(end / 2);
        for (int i = at; i < at + BYTES && i < end; i++) {
            content[i] ^= (byte) 0x5a;
        }
        try (RandomAccessFile to = new RandomAccessFile(file.toFile(), "rw")) {
            to.write(content);
        }
        System.out.printf("     damaged %d of %d bytes of %s at %d%n", BYTES, end, file.getFileName(), at);
        return new LogDamage(file, content);
    }

    /** Returns whether the file still has the content of the damage: the node has removed nothing. */
    boolean isThere() throws IOException {
        return Files.exists(file) && Arrays.equals(Files.readAllBytes(file), changed);
    }
}
