package dev.jitney.comparison.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a Java process, by the JDK's {@code jcmd}, how much of its heap is in use after a full collection. */
final class HeapUse {
    /** A line as {@code garbage-first heap total 8192K, used 921K}; one a generation with other collectors. */
    private static final Pattern USED =
            Pattern.compile("^\\s*[\\w-]+(?: [\\w-]+)*\\s+total\\b.*?\\bused (\\d+)K", Pattern.MULTILINE);

    private static final double KIB_PER_MIB = 1024;
    private static final long PATIENCE_SECONDS = 60;

    private HeapUse() {}

    /** Live objects in MiB, or -1 where that cannot be known. */
    static double liveMiB(long pid) throws InterruptedException {
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

    /** Sums up the generations of an answer to {@code GC.heap_info}; -1 if there are none. */
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
                throw new IOException("jcmd " + command + " did not work");
            }
            return Files.readString(answer, StandardCharsets.UTF_8);
        } finally {
            Files.delete(answer);
        }
    }
}
