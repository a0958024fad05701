package dev.jitney.cli.output;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The count of lines of a file, so that progress can show how much is left. */
public final class Lines {
    /** The largest file to count. Reading a larger one twice costs more than the count is worth. */
    private static final long BYTES_MAX = 1L << 30;

    private Lines() {}

    /**
     * Returns the number of lines of a file, or {@link Progress#UNKNOWN} if it is not a regular file (standard input, a pipe), is
     * larger than 1 GiB, or is unreadable.
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
            return Progress.UNKNOWN; // reading the file reports the error
        }
    }
}
