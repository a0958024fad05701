package dev.jitney.cli.output;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Counts the lines of files, so that progress can tell how much is left. */
public final class Lines {
    /** Reading a larger file twice takes longer than what is learned is worth. */
    private static final long BYTES_MAX = 1L << 30;

    private Lines() {}

    /**
     * The number of lines of a file, or {@link Progress#UNKNOWN} if it is no regular file (standard input, a pipe), is larger
     * than a gibibyte or cannot be read.
     */
    public static long count(@Nullable Path file) {
        if (file == null || !Files.isRegularFile(file)) {
            return Progress.UNKNOWN;
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            if (Files.size(file) > BYTES_MAX) {
                return Progress.UNKNOWN;
            }
            long lines = 0;
            int last = '\n';
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
                last = read > 0 ? buffer[read - 1] : last;
            }
            return last == '\n' ? lines : lines + 1;
        } catch (IOException e) {
            return Progress.UNKNOWN; // whoever reads it says what is wrong
        }
    }
}
