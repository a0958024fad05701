package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.doctor.Probe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The clock of this machine, compared with the times of the newest files and with running servers. */
final class ClockCheck implements Check {
    /** The header Date has whole seconds. */
    private static final long HEADER_MS = 1_000;

    private static final long SKEW_MS = 2_000;
    private static final long LARGE_SKEW_MS = Duration.ofMinutes(1).toMillis();
    private static final long JUMP_MS = Duration.ofMinutes(1).toMillis();

    /** No machine that runs this release has an earlier time. */
    private static final Instant RELEASED = Instant.parse("2025-01-01T00:00:00Z");

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        if (of.nowMs() < RELEASED.toEpochMilli()) {
            to.fault(
                    "The clock of this machine shows " + Instant.ofEpochMilli(of.nowMs()) + ".",
                    "Set it, and use NTP (timedatectl set-ntp true).");
        }
        for (Path directory : of.directories()) {
            Path newest = newest(directory);
            long future = newest == null ? 0 : Files.getLastModifiedTime(newest).toMillis() - of.nowMs();
            if (future > JUMP_MS) {
                to.warning(
                        newest + " was written " + Duration.ofMillis(future).toSeconds()
                                + " s in the future, so the clock was set back. Messages expire and unlock late.",
                        "Set the clock with NTP. Do not set it by hand while the server runs.");
            }
        }
        for (URI url : of.urls()) {
            try {
                compare(url, Probe.health(url), to);
            } catch (IOException e) {
                // the check of the server reports it
            }
        }
        if (to.isClean()) {
            to.ok("The clock fits the times of the files" + (of.urls().isEmpty() ? "." : " and the running servers."));
        }
    }

    static void compare(URI url, Probe.Answer answer, Findings to) {
        if (answer.dateMs() == 0) {
            return;
        }
        long behind = answer.sentMs() - (answer.dateMs() + HEADER_MS);
        long ahead = answer.dateMs() - answer.receivedMs();
        long skew = Math.max(behind, ahead);
        String reason = "The clock of the server at " + url + " differs from this machine by " + skew / 1_000 + " s.";
        String fix = "Use NTP on both machines.";
        if (skew > LARGE_SKEW_MS) {
            to.fault(reason + " Tokens are refused too early or too late.", fix);
        } else if (skew > SKEW_MS) {
            to.warning(reason, fix);
        }
    }

    private static @Nullable Path newest(Path directory) throws IOException {
        Path newest = null;
        if (!Files.isDirectory(directory)) {
            return null;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                if (newest == null
                        || Files.getLastModifiedTime(each).compareTo(Files.getLastModifiedTime(newest)) > 0) {
                    newest = each;
                }
            }
        }
        return newest;
    }
}
