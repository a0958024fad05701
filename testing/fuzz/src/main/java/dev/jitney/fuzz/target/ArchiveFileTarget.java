package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.server.archive.FuzzedArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * A file of an archive, which gets the right checksums. It is refused in one line, or its commits follow one another and no byte behind
 * its end is read. The last bit of the first byte chooses between a complete file and an interrupted one.
 */
public final class ArchiveFileTarget implements FuzzTarget {
    private final Path directory;
    private final FuzzedArchive archive;

    /** Creates a directory for the file. */
    public ArchiveFileTarget() throws IOException {
        directory = Files.createTempDirectory("jitney-fuzz-archive");
        archive = new FuzzedArchive(directory);
    }

    @Override
    public String name() {
        return "archive";
    }

    @Override
    public byte[] generate(Random random) {
        byte[] file = FuzzedArchive.generate(random);
        byte[] input = new byte[file.length + 1];
        input[0] = (byte) random.nextInt(2);
        System.arraycopy(file, 0, input, 1, file.length);
        return input;
    }

    @Override
    public void run(byte[] input) throws IOException {
        if (input.length > 0) {
            archive.read(Arrays.copyOfRange(input, 1, input.length), (input[0] & 1) == 0);
        }
    }

    @Override
    public void close() throws IOException {
        Files.delete(directory);
    }
}
