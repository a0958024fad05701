package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Versions: Java, the operating system, the processor, and the file systems of the data. */
final class PlatformCheck implements Check {
    private static final int OLDEST_JAVA = 17;

    /** Long-term releases, which get security updates for years. */
    private static final Set<Integer> LONG_TERM = Set.of(17, 21, 25);

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");
    private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p");
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    @Override
    public String name() {
        return "platform";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        java(Runtime.version().feature(), to);
        String system = System.getProperty("os.name", "") + " " + System.getProperty("os.arch", "");
        if (!ARCHITECTURES.contains(System.getProperty("os.arch", "").toLowerCase(Locale.ROOT))) {
            to.warning(
                    system + " is a processor that no release of Jitney is tested on.",
                    "Use a machine with x86-64 or AArch64.");
        }
        for (Path directory : of.directories()) {
            if (Files.isDirectory(directory)) {
                fileSystem(directory, Files.getFileStore(directory), to);
            }
        }
        if (to.isClean()) {
            to.ok("Java " + Runtime.version() + " on " + system + " is supported.");
        }
    }

    static void java(int feature, Findings to) {
        if (feature < OLDEST_JAVA) {
            to.fault("Java " + feature + " is too old.", "Install Java " + OLDEST_JAVA + " or later.");
        } else if (!LONG_TERM.contains(feature)) {
            to.advice(
                    "Java " + feature + " is no long-term release, so it gets no security updates after half a year.",
                    "Use Java 17, 21 or 25.");
        }
    }

    private static void fileSystem(Path directory, FileStore store, Findings to) {
        String type = store.type().toLowerCase(Locale.ROOT);
        if (MEMORY.contains(type)) {
            to.warning(
                    directory + " is in memory (" + type + "). All messages are lost when the machine restarts.",
                    "Put the data on a disk.");
        } else if (NETWORK.contains(type)) {
            to.warning(
                    directory + " is on a network file system (" + type + "), where a sync may not reach a disk.",
                    "Put the data on a local disk or a block device.");
        } else if (type.equals("overlay")) {
            to.warning(
                    directory + " is in the layer of a container. All messages are lost with the container.",
                    "Mount a volume there.");
        }
    }
}
