package dev.jitney.server.doctor.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Programs of the operating system that only print something. */
final class Commands {
    private static final int OUTPUT_BYTES_MAX = 64 << 10;
    private static final long TIMEOUT_SECONDS = 5;

    private Commands() {}

    /** Returns the lines of standard output, or null if the program is missing or fails. */
    static @Nullable List<String> run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream out = process.getInputStream()) {
                process.getOutputStream().close();
                String text = new String(out.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
                if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                    return text.lines().toList();
                }
                return null;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return null;
        }
    }
}
