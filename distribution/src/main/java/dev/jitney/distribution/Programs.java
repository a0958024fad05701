package dev.jitney.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runner of the machine's programs that create parts of an artifact. */
final class Programs {
    private static final long TIMEOUT_SECONDS = 300;

    private Programs() {}

    /**
     * Runs a program in a folder and waits for its end. Removes environment variables with options for Java.
     *
     * @return its output, including errors
     * @throws ReleaseException if it fails, does not exist, or takes more than five minutes
     */
    static String run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("jitney-release", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).directory(folder.toFile());
            builder.environment().keySet().removeIf(name -> name.contains("JAVA_") || name.startsWith("JDK_"));
            builder.environment().put("LC_ALL", "C");
            Process process;
            try {
                process = builder.redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
            } catch (IOException e) {
                throw new ReleaseException(command.get(0) + " could not be started: " + e.getMessage());
            }
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new ReleaseException(command.get(0) + " took more than " + TIMEOUT_SECONDS + " seconds.");
            }
            String printed = Files.readString(output, StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new ReleaseException(
                        command.get(0) + " ended with status " + process.exitValue() + ": " + printed);
            }
            return printed;
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
