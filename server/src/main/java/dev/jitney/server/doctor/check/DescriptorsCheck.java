package dev.jitney.server.doctor.check;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limit of open files, which bounds connections, and its use by a running server. */
final class DescriptorsCheck implements Check {
    private static final long FEW = 16_384;
    private static final double FULL = 0.8;
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files\\s+(\\d+|unlimited)\\s");
    private static final String FIX =
            "Raise it: LimitNOFILE=65536 in the unit of systemd, or ulimit -n 65536 before the start.";

    @Override
    public String name() {
        return "descriptors";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        Path limits = of.process().file("limits");
        if (limits != null) {
            Matcher limit = LIMIT.matcher(Files.readString(limits));
            long max = limit.find() && !limit.group(1).equals("unlimited")
                    ? Long.parseLong(limit.group(1))
                    : Long.MAX_VALUE;
            check("The server", max, open(of), to);
        } else if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            check("A server that this user starts here", unix.getMaxFileDescriptorCount(), -1, to);
        } else {
            to.ok("This system has no limit of open files for a process.");
        }
    }

    private static long open(Installation of) {
        Path files = of.process().file("fd");
        if (files == null) {
            return -1;
        }
        long count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
            for (Path ignored : all) {
                count++;
            }
        } catch (IOException e) {
            return -1; // the process of another user
        }
        return count;
    }

    /** @param open the number of open files, or -1 if it is not known */
    static void check(String whose, long max, long open, Findings to) {
        String used = open < 0 ? "" : " It has " + open + " open now.";
        if (open > max * FULL) {
            to.fault(whose + " may open " + max + " files." + used + " New connections fail soon.", FIX);
        } else if (max < FEW) {
            to.warning(whose + " may open only " + max + " files, and each connection is one." + used, FIX);
        } else {
            to.ok(whose + " may open " + (max == Long.MAX_VALUE ? "any number of" : max) + " files." + used);
        }
    }
}
