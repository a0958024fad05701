package dev.jitney.benchmarks.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap use of a Java process after a full collection, read with the JDK's {@code jcmd}. */
public final class HeapUse {
    /**
     * A line such as {@code garbage-first heap total 8192K, used 921K}; other collectors print one line per generation.
     */
    private static final Pattern USED =
            Pattern.compile("^\\s*[\\w-]+(?: [\\w-]+)*\\s+total\\b.*?\\bused (\\d+)K", Pattern.MULTILINE);

    private static final double KIB_PER_MIB = 1024;
    private static final long PATIENCE_SECONDS = 60;

    private HeapUse() {}

    /** Returns the size of live objects in MiB, or -1 if it cannot be read. */
    public static double liveMiB(long pid) throws InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return -1;
        }
        try {
            run(jcmd, pid, "GC.run");
            return parse(run(jcmd, pid, "GC.heap_info"));
        } catch (IOException cannotBeAsked) {
            return -1;
        }
    }

    /** Adds up the generations in an answer to {@code GC.heap_info}; returns -1 if there are none. */
    static double parse(String answer) {
        Matcher matcher = USED.matcher(answer);
        double used = -1;
        while (matcher.find()) {
            used = Math.max(used, 0) + Long.parseLong(matcher.group(1)) / KIB_PER_MIB;
        }
        return used;
    }

    private static String run(Path jcmd, long pid, String command) throws IOException, InterruptedException {
        Path answer = Files.createTempFile("jitney-jcmd-", ".txt");
        try {
            Process process = new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command)
                    .redirectErrorStream(true)
                    .redirectOutput(answer.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("Expected jcmd " + command + " to succeed, but it failed.");
            }
            return Files.readString(answer, StandardCharsets.UTF_8);
        } finally {
            Files.delete(answer);
        }
    }
}
