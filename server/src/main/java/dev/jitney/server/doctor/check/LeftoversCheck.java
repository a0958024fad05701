package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Files that no server needs any more: remains of crashes, interrupted writes and older tools. */
final class LeftoversCheck implements Check {
    private static final Pattern CRASH =
            Pattern.compile("hs_err_pid\\d+\\.log|java_pid\\d+\\.hprof|core(\\.\\d+)?|.*\\.mdmp");
    private static final Pattern PARTIAL = Pattern.compile(".*\\.(part|tmp|old|bak|orig)");
    private static final Pattern OURS =
            Pattern.compile("server\\.lock|stores\\.properties|entities-\\d+\\.copy|store-\\d+"
                    + "|tls|native|raft|cluster\\.properties|checkpoints-.*|lost\\+found|backup.*|archive.*|jitney.*");

    @Override
    public String name() {
        return "leftovers";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        for (Path directory : of.directories()) {
            if (Files.isDirectory(directory)) {
                look(directory, of.process().running(), to);
            }
        }
        if (to.isClean()) {
            to.ok("There are no leftover files in the data directory.");
        }
    }

    private static void look(Path directory, boolean running, Findings to) throws IOException {
        int others = 0;
        Path other = null;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                String name = String.valueOf(each.getFileName());
                if (CRASH.matcher(name).matches()) {
                    to.warning(
                            each + " is the remains of a crash. It may contain messages and keys.",
                            "Read it or report it, and then delete it.");
                } else if (PARTIAL.matcher(name).matches()) {
                    if (!running) {
                        to.advice(
                                each + " is the remains of an interrupted write.",
                                "Delete it while no server runs. Its data is in the file without this ending.");
                    }
                } else if (!OURS.matcher(name).matches()) {
                    others++;
                    other = each;
                }
            }
        }
        if (others > 0) {
            to.advice(
                    others + " files in " + directory + " are not Jitney's, such as " + other + ".",
                    "Keep other files out of the data directory, so that a copy or a restore of it is complete.");
        }
    }
}
